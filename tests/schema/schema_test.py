"""The JSON Schemas of scenarios and of sweeps: python3 tests/schema/schema_test.py SOURCE_DIR

Each must be a valid schema, accept every file of the documentation and the examples, and refuse every one of
bad_scenarios.txt or bad_sweeps.txt but those that beyond_the_schema.txt or beyond_the_sweep_schema.txt lists: a title, a tab, and why no
schema sees the mistake.
Needs python3-jsonschema and python3-yaml.
"""

import json
import pathlib
import re
import sys
import unittest

import jsonschema
import yaml

SOURCE_DIR = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".")
REASONS = {
    "YAML": "is no YAML, or has anchors or tags",
    "duplicate": "has a key or a name twice",
    "expression": "has an expression that makes no sense where it stands",
    "name": "names something that does not exist, or that does not fit",
    "kind": "is wrong for that kind of constraint, or under control",
    "joint": "is wrong for the type of that joint",
    "computed": "turns out wrong when the start is computed",
    "elsewhere": "does not fit what stands elsewhere in the file",
    "not finite": "has a number that is not finite",
    "small": "has a number that is too small for the computer, or beside another one",
}


class ScenarioLoader(yaml.SafeLoader):
    """YAML 1.2 as editors read it, with keys that are texts and there once. In YAML 1.1 the key `on` would be True."""

    yaml_implicit_resolvers = {}

    def construct_mapping(self, node, deep=False):
        out = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a key that is not a word", key.start_mark)
            if key.value in out:
                raise yaml.constructor.ConstructorError(None, None, f"a second key {key.value}", key.start_mark)
            out[key.value] = self.construct_object(value, deep=True)
        return out


for tag, pattern in (
    ("null", r"(~|null|Null|NULL|)$"),
    ("bool", r"(true|True|TRUE|false|False|FALSE)$"),
    ("int", r"[-+]?(0|[1-9][0-9]*)$"),
    ("float", r"([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$"),
):
    ScenarioLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), None)


def load(text):
    return yaml.load(text, ScenarioLoader)


def read(path):
    return (SOURCE_DIR / path).read_text(encoding="utf-8")


def documented(path, keys):
    """The ```yaml blocks that are whole files: those with one of the keys."""
    for text in re.findall(r"^```yaml\n(.*?)^```", read(path), re.MULTILINE | re.DOTALL):
        document = load(text)
        if set(keys) & set(document):
            yield document.get("name", "without a name"), document


def examples(folder):
    for path in sorted((SOURCE_DIR / folder).glob("*.yaml")):
        yield path.name, load(path.read_text(encoding="utf-8"))


def bad_documents(path):
    """(title, text) of each; a line '>>> …' ends it."""
    title, lines = "", []
    for line in read(path).splitlines():
        if line.startswith("--- "):
            title, lines = line[4:], []
        elif line.startswith(">>>"):
            yield title, "\n".join(lines) + "\n"
        else:
            lines.append(line)


class SchemaTests:
    """What must be so of each: SCHEMA, DOCS, BAD and BEYOND are files, documented() and examples() are what it must accept."""

    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(read(cls.SCHEMA))
        cls.validator = jsonschema.Draft7Validator(cls.schema)

    def beyond(self):
        return dict(line.split("\t") for line in read(self.BEYOND).splitlines())

    def complaint(self, scenario):
        """The schema's best complaint; None if it accepts the scenario."""
        error = jsonschema.exceptions.best_match(self.validator.iter_errors(scenario))
        return error and f"{'/'.join(map(str, error.absolute_path))}: {error.message}"

    def parts(self, part):
        """The schema and every schema in it."""
        if isinstance(part, list):
            part = dict(enumerate(part))
        if isinstance(part, dict):
            yield part
            for inside in part.values():
                yield from self.parts(inside)

    def described(self, part):
        if "description" in part or "$ref" not in part:
            return "description" in part
        return self.described(self.schema["definitions"][part["$ref"].rsplit("/", 1)[1]])

    def test_it_is_a_schema_itself(self):
        jsonschema.Draft7Validator.check_schema(self.schema)

    def test_every_definition_is_used_and_every_reference_leads_to_one(self):
        references = {part["$ref"] for part in self.parts(self.schema) if "$ref" in part}
        self.assertEqual(references, {f"#/definitions/{name}" for name in self.schema["definitions"]})

    def test_maps_are_strict_and_their_keys_described(self):
        for part in self.parts(self.schema):
            if "object" not in part.get("type", ()):
                continue
            self.assertIn("additionalProperties", part)
            for key, value in part.get("properties", {}).items():
                self.assertFalse(part["additionalProperties"], key)
                self.assertTrue(self.described(value), f"no description of {key}")

    def test_its_keys_and_words_are_documented(self):
        documented = set(re.findall(r"[\w-]+", read(self.DOCS)))
        for part in self.parts(self.schema):
            words = {word.lstrip("-") for word in part.get("enum", ()) if isinstance(word, str)}
            self.assertEqual((words | set(part.get("properties", ()))) - documented, set())

    def test_it_accepts_what_the_documentation_shows(self):
        self.accept(f"whole files in {self.DOCS}", list(self.documented()))

    def test_it_accepts_the_examples(self):
        self.accept("examples", list(self.examples()))

    def accept(self, what, scenarios):
        self.assertTrue(scenarios, f"no {what}")
        for name, scenario in scenarios:
            with self.subTest(name):
                self.assertIsNone(self.complaint(scenario))
        print(f"{len(scenarios)} {what}")

    def test_it_refuses_the_mistakes_that_a_schema_can_see(self):
        beyond, seen, refused = self.beyond(), set(), 0
        self.assertLessEqual(set(beyond.values()), set(REASONS))
        for title, text in bad_documents(self.BAD):
            seen.add(title)
            with self.subTest(title):
                try:
                    complaint = self.complaint(load(text))
                except yaml.YAMLError as error:  # which no schema gets to see
                    self.assertTrue(title in beyond, f"is no YAML: {error}")
                    continue
                if title in beyond:
                    self.assertIsNone(complaint, f"is listed, since it {REASONS[beyond[title]]}")
                else:
                    self.assertIsNotNone(complaint, "is accepted")
                    refused += 1
        self.assertTrue(refused, f"nothing in {self.BAD}")
        gone = sorted(set(beyond) - seen)
        print(f"{self.BAD}: {refused} refused, {len(beyond) - len(gone)} beyond the schema")
        if gone:
            print(f"note: {self.BEYOND} lists {len(gone)} that are no longer there: {'; '.join(gone)}")


class ScenarioSchema(SchemaTests, unittest.TestCase):
    SCHEMA, DOCS = "docs/scenario.schema.json", "docs/scenario.md"
    BAD, BEYOND = "tests/scenario/bad_scenarios.txt", "tests/schema/beyond_the_schema.txt"

    def documented(self):
        for path in ("docs/scenario.md", "docs/recipes.md"):
            yield from documented(path, ["robot", "robots", "bodies"])

    def examples(self):
        yield from examples("examples")
        yield from (one for one in examples("examples/sweeps") if "vary" not in one[1])


class SweepSchema(SchemaTests, unittest.TestCase):
    SCHEMA, DOCS = "docs/sweep.schema.json", "docs/sweeps.md"
    BAD, BEYOND = "tests/sweep/bad_sweeps.txt", "tests/schema/beyond_the_sweep_schema.txt"

    def documented(self):
        return documented(self.DOCS, ["vary"])

    def examples(self):
        return (one for one in examples("examples/sweeps") if "vary" in one[1])


if __name__ == "__main__":
    unittest.main()
