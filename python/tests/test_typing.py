"""The package is typed: mypy --strict accepts it, its tests and a user's script; stubtest finds the stub of _core true."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]

SCRIPT = """
import pytrammel as tm

run = tm.run("scenario.yaml", set={"simulate.duration": 5})
height = float(run["q.q4"].max())
push: tm.Force = run.forces["tool path"]
reveal_type(push.force.shape)
run["q.q1"] = 3  # error: columns are read-only
"""


def mypy(*words: str | pathlib.Path, module: str = "mypy") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MYPYPATH": "", "MYPY_CACHE_DIR": str(ROOT / "build/mypy")}
    return subprocess.run([sys.executable, "-m", module, *words], capture_output=True, text=True, cwd=ROOT, env=environment)


def test_mypy_strict_accepts_the_package_its_tests_and_the_examples() -> None:
    said = mypy("--strict", "-p", "pytrammel")
    assert said.returncode == 0, said.stdout
    for folder in ("python/tests", "examples/python"):
        said = mypy("--strict", folder)
        assert said.returncode == 0, said.stdout


def test_mypy_strict_understands_a_users_script(tmp_path: pathlib.Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    said = mypy("--strict", script).stdout
    assert 'Unsupported target for indexed assignment' in said and "Found 1 error" in said, said


def test_stubtest_finds_the_stubs_true() -> None:
    # what functions and classes of nanobind are like, in every package
    nanobind = ("is not a function", "metaclass differs", "is a disjoint base", '__init__ is inconsistent, stub does not have *args')
    said = mypy("--concise", "pytrammel", module="mypy.stubtest")
    complaints = [line for line in said.stdout.splitlines() if not any(known in line for known in nanobind)]
    assert not complaints and "pytrammel._core.run is not a function" in said.stdout, (complaints, said.stderr)
