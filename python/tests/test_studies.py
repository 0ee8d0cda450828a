"""check, torques, compare, reproduce and the verbs are the program's."""

from __future__ import annotations

import csv
import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import pytrammel as tm

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = pathlib.Path(os.environ.get("TRAMMEL_PROGRAM", ROOT / "build/dev/bin/trammel"))
FIVE_BAR = "examples/07-five-bar.yaml"


def told(*words: str | pathlib.Path) -> Any:
    """What the program tells as JSON."""
    return json.loads(subprocess.run([PROGRAM, *words, "--json"], capture_output=True, check=True).stdout)


def test_check_tells_what_the_program_tells() -> None:
    found = tm.check("examples/03-four-bar.yaml")
    assert found.to_dict() == told("check", "examples/03-four-bar.yaml")
    assert found.runs and found.diagnosis.status == "redundant"
    assert [row.row for row in found.diagnosis.redundant] == ["loop[2]", "loop[3]", "loop[4]"]


def test_torques_are_the_programs_to_the_bit(tmp_path: pathlib.Path) -> None:
    summary = told("torques", FIVE_BAR, "--out", tmp_path)
    torques = tm.torques(FIVE_BAR)
    assert torques.ok and torques.status == "finished"
    assert torques.summary.to_dict() == summary
    names, *rows = csv.reader((tmp_path / "torques.csv").read_text().splitlines())
    assert torques.columns == names
    assert torques.values.tobytes() == np.array([[float(number) for number in row] for row in rows]).tobytes()
    assert torques.units["u.left motor"] == "N·m"


def test_compare_tells_what_the_program_tells(tmp_path: pathlib.Path) -> None:
    mine, theirs = tm.compare(FIVE_BAR), told("compare", FIVE_BAR, "--out", tmp_path)
    assert [f.name for f in mine.formulations] == [f["name"] for f in theirs["formulations"]]
    assert [f.disagreement for f in mine.formulations] == [f["disagreement"] for f in theirs["formulations"]]


def test_reproduce_has_the_studies_of_the_package(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = told("reproduce", "two-link", "--out", tmp_path)
    monkeypatch.chdir(tmp_path)  # nothing is looked for in the current directory
    mine = tm.reproduce("two-link").to_dict()
    assert mine["two-link"]["numbers"] == theirs["two-link"]["numbers"]


@pytest.mark.parametrize(
    "words", [["check", "examples/03-four-bar.yaml"], ["info", "robots/scara.urdf"], ["--version"], ["words"], ["run", "nowhere.yaml"], ["rum"]]
)
def test_python_m_pytrammel_is_the_program(words: list[str]) -> None:
    program = subprocess.run([PROGRAM, *words], capture_output=True)
    module = subprocess.run([sys.executable, "-m", "pytrammel", *words], capture_output=True)
    assert (module.returncode, module.stdout, module.stderr) == (program.returncode, program.stdout, program.stderr)


def test_python_m_pytrammel_runs(tmp_path: pathlib.Path) -> None:
    words = ["run", "examples/01-scara-helix.yaml", "--quiet", "--set", "simulate.duration=1", "--out"]
    subprocess.run([PROGRAM, *words, tmp_path / "a"], check=True)
    subprocess.run([sys.executable, "-m", "pytrammel", *words, tmp_path / "b"], check=True)
    assert (tmp_path / "a/recording.csv").read_bytes() == (tmp_path / "b/recording.csv").read_bytes()
