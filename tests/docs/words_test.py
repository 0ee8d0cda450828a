"""The words of scenarios are the same everywhere: python3 tests/docs/words_test.py SOURCE_DIR PROGRAM

What PROGRAM reads, by the tables of its readers (`trammel words`), against docs/scenario.schema.json, the tables of
docs/scenario.md, tests/fuzz/*.dict and the completion in cli/trammel.bash: nothing missing, nothing that it does not know.
"""

import importlib.machinery
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import unittest

SOURCE_DIR, PROGRAM = (pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1)) if len(sys.argv) > 2 else (pathlib.Path("."), "trammel")


def loaded(path):
    loader = importlib.machinery.SourceFileLoader("words", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("words", loader))
    loader.exec_module(module)
    return module


TOOL = loaded(SOURCE_DIR / "tools/words")
WORDS = TOOL.words_of(PROGRAM)


def read(path):
    return (SOURCE_DIR / path).read_text(encoding="utf-8")


def section(title):
    """Of docs/scenario.md, up to the next one."""
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", read("docs/scenario.md"), re.MULTILINE | re.DOTALL).group(1)


def table_keys(title, header):
    """The first words of the first column of a table, each once: `hinge: [A, B]` is hinge."""
    rows = re.search(rf"^\| {header} \|.*\n\|[-|]+\n((?:\|.*\n)+)", section(title), re.MULTILINE).group(1)
    return dict.fromkeys(re.match(r"\| `([\w-]+)", row).group(1) for row in rows.splitlines())


class Words(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(read(TOOL.SCHEMA))
        cls.definitions = cls.schema["definitions"]

    def same(self, listed, kind, where):
        """The words of a kind, and those that are listed somewhere."""
        listed, known = set(listed), set(WORDS[kind])
        self.assertEqual(known - listed, set(), f"a {kind} that the program knows and {where} does not have")
        self.assertEqual(listed - known, set(), f"a {kind} that {where} has and the program does not know")

    def kinds_of_schema(self, alternatives, kind):
        """{key: other keys} of the maps among which the schema chooses, by the key of a kind that each requires."""
        out = {}
        for alternative in alternatives:
            keys = set(alternative["required"]) - {"name"}
            key = next((k for k in WORDS[kind] if k in keys), f"{' or '.join(sorted(keys))}, which tells no kind")
            out.setdefault(key, set()).update(set(alternative["properties"]) - {key})
        return out

    def test_lists_of_the_schema_and_dictionaries_are_those_of_the_program(self):
        for name, text in TOOL.made_files(WORDS).items():
            with self.subTest(name):
                is_there, should_be = read(name).splitlines(), text.splitlines()
                missing = [line for line in should_be if line not in is_there]
                unknown = [line for line in is_there if line not in should_be]
                self.assertEqual((missing, unknown), ([], []), f"{name} is old (missing, unknown): run tools/words PROGRAM")
                self.assertTrue(is_there == should_be, f"{name} has another order: run tools/words PROGRAM")

    def test_kinds_of_constraints_have_their_keys_in_the_schema(self):
        every = set(WORDS["every"]["constraint"])
        schema = self.kinds_of_schema(self.definitions["constraints"]["items"]["oneOf"], "constraint")
        self.same(schema, "constraint", "the schema")
        for key, others in WORDS["constraint"].items():
            with self.subTest(key):
                self.assertEqual(set(others), schema[key] - every)
        for alternative in self.definitions["constraints"]["items"]["oneOf"]:
            with self.subTest(alternative["required"]):
                self.assertEqual(every - {"friction"} - set(alternative["properties"]), set())

    def test_forces_have_their_keys_in_the_schema(self):
        schema = self.kinds_of_schema(self.definitions["force"]["oneOf"], "force")
        self.same(schema, "force", "the schema")
        for key, others in WORDS["force"].items():
            with self.subTest(key):
                self.assertEqual(set(others), schema[key] - {"name"})

    def test_surfaces_have_their_keys_in_the_schema(self):
        schema = self.definitions["surface"]["properties"]
        self.same(schema, "surface", "the schema")
        for key, others in WORDS["surface"].items():
            with self.subTest(key):
                self.assertEqual(set(others), set(self.definitions[schema[key]["$ref"].rsplit("/", 1)[1]]["properties"]))

    def test_joints_have_their_axes_in_the_schema(self):
        properties = self.definitions["joint"]["properties"]
        forms = {"0": "#/definitions/no_axis", "1": "#/definitions/axis"}
        for name, (axes, _) in WORDS["joint"].items():
            with self.subTest(name):
                self.assertIn(name, properties, "a joint that the program knows and the schema does not have")
                self.assertEqual(properties[name].get("$ref"), forms.get(axes))
                self.assertEqual(properties[name].get("minItems"), None if axes in forms else int(axes))
        axes = {"#/definitions/no_axis", "#/definitions/axis", None}
        with_axes = {name for name, form in properties.items() if form.get("$ref") in axes and name != "limits"}
        self.same(with_axes, "joint", "the schema")

    def test_each_has_a_line_in_the_documentation(self):
        for kind, title, header in (
            ("constraint", "Constraints", "kind"),
            ("force", "Forces", "kind"),
            ("joint", "Robots", "type"),
            ("integrator", "Run", "integrator"),
        ):
            with self.subTest(kind):
                self.same(table_keys(title, header), kind, f"the table in section {title} of docs/scenario.md")

    def test_their_keys_are_documented(self):
        for kind, title in (("constraint", "Constraints"), ("surface", "Constraints"), ("force", "Forces")):
            documented = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", section(title)))))
            for name, others in WORDS[kind].items():
                with self.subTest(name):
                    self.assertEqual({name, *others} - documented, set(), f"not in section {title} of docs/scenario.md")

    def test_functions_are_documented(self):
        line = re.search(r"^- functions: (.*)", section("Numbers and expressions"), re.MULTILINE).group(1)
        self.same(re.findall(r"`(\w+)`", line), "function", "the line of functions in docs/scenario.md")

    def test_integrators_are_documented_with_their_steps(self):
        for name, (needs,) in WORDS["integrator"].items():
            with self.subTest(name):
                self.assertRegex(section("Run"), rf"(?m)^\| `{name}` \| \d+ \| `{needs}` \|")

    def test_integrators_are_completed(self):
        for line, offered in (
            ("simulate.integrator =", list(WORDS["integrator"])),
            ("simulate.integrator = d", [name for name in WORDS["integrator"] if name.startswith("d")]),
        ):
            words = f"{PROGRAM} run a.yaml --set {line}".split()
            script = f'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD={len(words) - 1}; _trammel; echo "${{COMPREPLY[@]}}"'
            command = ["bash", "-c", script, "bash", str(SOURCE_DIR / "cli/trammel.bash"), *words]
            with self.subTest(line):
                self.assertEqual(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split(), offered)


if __name__ == "__main__":
    unittest.main()
