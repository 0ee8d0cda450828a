"""Examples with mistakes in them: python3 tests/cli/mutated_examples.py SOURCE_DIR PROGRAM TEXTS NUMBERS [KEEP_DIR]

Breaks the text of the examples TEXTS times and their numbers NUMBERS times, by fixed seeds, and runs each. Whatever the mistake is, the
program ends by itself with exit code 0, 1 or 2 in bounded memory, or within seconds of SIGTERM where the run is long; exit codes 1 and 2
come with a message. A run that ends with 0 passes a check of its own recording: energy less work stays what it was, beside the energy that
was exchanged, and constraints that are projected onto hold; or a warning says that they do not. Where the recorded moments miss what is
exchanged between them (a law that takes microseconds), those of every step count. What fails is kept in KEEP_DIR.
"""

import concurrent.futures
import csv
import json
import math
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SECONDS, SECONDS_TO_END = 20, 60  # that a run may take; and once it was told to end, on a busy machine
MOST_BYTES = 3 << 30
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")


def shortened(text, source):
    """An example that runs for a short time, and finds its robots from anywhere."""
    text = text.replace("../robots", str(source / "robots"))
    return re.sub(r"duration: *[\d.]+ *s?", "duration: 0.3 s", text)


def with_broken_text(text, rng):
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        lines = text.split("\n")
        at, line = rng.randrange(len(text)), rng.randrange(len(lines))
        kind = rng.randrange(9)
        if kind == 0:
            text = text[:at] + text[at + rng.randrange(1, 4):]
        elif kind == 1:
            text = text[:at] + rng.choice("{}[]:,-*&!|>'\"#%@` \n\t\0é0123456789e+^()=<x.") + text[at:]
        elif kind == 2:
            text = text[:at] + chr(ord(text[at]) ^ (1 << rng.randrange(7))) + text[at + 1:]
        elif kind == 3:
            text = "\n".join(lines[:line] + lines[line + 1:])
        elif kind == 4:
            text = "\n".join(lines[:line] + [lines[line]] + lines[line:])
        elif kind == 5:
            other = rng.randrange(len(lines))
            lines[line], lines[other] = lines[other], lines[line]
            text = "\n".join(lines)
        elif kind == 6:
            words = re.findall(r"\w+", text)
            text = text.replace(rng.choice(words), rng.choice(words), 1)
        elif kind == 7:
            text = text[:at]
        else:
            text = text[:at] + text[rng.randrange(len(text)):]
        if not text:
            return "\n"
    return text


def with_broken_number(text, rng):
    for _ in range(rng.choice([1, 1, 2])):
        found = list(NUMBER.finditer(text))
        one = rng.choice(found)
        x = float(one.group())
        kind = rng.randrange(8)
        new = [x * 10 ** rng.uniform(-3, 3), x * 10 ** rng.uniform(-15, 15), 0.0, -x, x + rng.choice([-1, 1]), x * (1 + rng.uniform(-0.3, 0.3)),
               rng.choice([1e308, 1e-308, 5e-324, 1e16, 1e-9]), rng.uniform(-10, 10)][kind]
        written = f"{new:.17g}" if math.isfinite(new) else "1e309"
        text = text[:one.start()] + written + text[one.end():]
    return text


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def is_sanitized(program):
    """The address sanitizer takes terabytes of addresses for itself."""
    return b"__asan_init" in pathlib.Path(program).read_bytes()


def exchanged_in(rows, works):
    """What every work put in and took out, from row to row; the span of the energy; and what constraints carried from one coordinate to
    another, which does not show in their sum: the mean of |Qc v| of each, over the time."""
    flow = sum(abs(after[name] - before[name]) for name in works for before, after in zip(rows, rows[1:]))
    names = [name[3:] for name in rows[0] if name.startswith("Qc.") and "v." + name[3:] in rows[0]]
    powers = [abs(row["Qc." + name] * row["v." + name]) for name in names for row in rows]
    carried = sum(power for power in powers if math.isfinite(power)) / len(rows) * (rows[-1]["t"] - rows[0]["t"])
    return flow + carried + max(row["energy"] for row in rows) - min(row["energy"] for row in rows)


def what_is_wrong_with(folder, projected):
    """Of a run that ended well, by its own recording; empty if nothing."""
    with open(folder / "recording.csv", newline="", encoding="utf-8") as file:
        rows = [{name: float(x) for name, x in row.items()} for row in csv.DictReader(file)]
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    told = " ".join(summary.get("warnings", [])) + json.dumps(summary.get("verdict", ""))
    names = list(rows[0])
    forces = ("lambda.", "Qc.", "reaction.")  # not a number where they are singular
    if any(not math.isfinite(row[name]) for row in rows for name in names if not name.startswith(forces)):
        return "a number that is not finite"
    works = [name for name in names if name.startswith("work")]
    exchanged = exchanged_in(rows, works)
    largest = max(abs(row[name]) for row in rows for name in works + ["energy"])
    balance = [row["energy"] - row["work"] for row in rows]
    off = max(balance) - min(balance)
    # weight and kinetic energy exchange within one column: 1e-7 J is nothing for robots of kilograms and metres
    if off > 0.02 * exchanged + 1e-9 * largest + 1e-7 and "energy" not in told:
        return f"energy is off by {off:.2g} J, where {exchanged:.2g} J were exchanged"
    open_by = max((abs(row[name]) for row in rows for name in names if name.startswith("phi.")), default=0)
    size = max([1] + [abs(row[name]) for row in rows for name in names if name.startswith("q.")])
    if projected and open_by > 1e-6 * size:
        return f"a constraint is open by {open_by:.2g}"
    return ""


def outcome_of(program, limit, text, keep):
    """(exit code, seconds, what is wrong or empty)."""
    with tempfile.TemporaryDirectory() as scratch:
        file, out = pathlib.Path(scratch) / "case.yaml", pathlib.Path(scratch) / "out"
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        begin = time.monotonic()
        process = subprocess.Popen([program, "run", str(file), "--no-report", "--out", str(out)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, preexec_fn=limit)
        wrong = ""
        try:
            error = process.communicate(timeout=SECONDS)[1]
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            try:
                error = process.communicate(timeout=SECONDS_TO_END)[1]
            except subprocess.TimeoutExpired:
                process.kill()
                error, wrong = process.communicate()[1], "it does not end, even when told to"
        seconds, code = time.monotonic() - begin, process.returncode
        error = error.decode("utf-8", "replace")
        if code == -signal.SIGTERM:  # told to end while it reads or draws: nothing is lost
            return code, seconds, ""
        if wrong:
            pass
        elif code not in (0, 1, 2):
            wrong = f"exit code {code}"
        elif code != 0 and "trammel: " not in error:
            wrong = f"exit code {code} without a message"
        elif code == 0:
            projected = not re.search(r"^[^#]*drift: (?!projection)", text, re.MULTILINE)
            wrong = what_is_wrong_with(out, projected)
            if "exchanged" in wrong:
                again = [program, "run", str(file), "--no-report", "--quiet", "--out", str(out), "--set", "record.every=step"]
                subprocess.run(again, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit, timeout=SECONDS_TO_END, check=False)
                wrong = what_is_wrong_with(out, projected)
        if wrong and keep:
            keep.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, keep / f"{abs(hash(text)) % 10**8}.yaml")
        return code, seconds, wrong


def main():
    source, program, texts, numbers = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    limit = None if is_sanitized(program) else limit_memory
    keep = pathlib.Path(sys.argv[5]) if len(sys.argv) > 5 else None
    examples = [shortened(file.read_text(encoding="utf-8"), source) for file in sorted((source / "examples").glob("*.yaml"))]
    cases = []
    for seed in range(texts):
        rng = random.Random(seed)
        cases.append((f"text {seed}", with_broken_text(examples[seed % len(examples)], rng)))
    for seed in range(numbers):
        rng = random.Random(1_000_000 + seed)
        cases.append((f"number {seed}", with_broken_number(examples[seed % len(examples)], rng)))
    codes, slowest, failed = {}, 0.0, 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (name, _), (code, seconds, wrong) in zip(cases, pool.map(lambda case: outcome_of(program, limit, case[1], keep), cases)):
            codes[code] = codes.get(code, 0) + 1
            slowest = max(slowest, seconds)
            if wrong:
                failed += 1
                print(f"{name}: {wrong} (exit code {code}, {seconds:.1f} s)", flush=True)
    counts = ", ".join(f"{count} with {code}" for code, count in sorted(codes.items()))
    print(f"{len(cases)} broken examples: {counts}; the slowest took {slowest:.1f} s; {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
