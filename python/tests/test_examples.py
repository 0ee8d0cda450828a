"""The programs and notebooks of examples/python run, and say what they say."""

from __future__ import annotations

import json
import pathlib
import runpy
import sys
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = ROOT / "examples/python"
PANDA = "lib/python3*/site-packages/cmeel.prefix/share/example-robot-data/robots/panda_description/urdf/panda.urdf"
SAID = {
    "cart_pole_lqr": "finished: from 17°",
    "five_bar": "finished: loop open by",
    "panda_line": "finished: off the line by",
    "pid_1khz": "finished: 59.929°",
    "push_map": "169 places",
    "wire_of_ones_own": "finished: open by",
}
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def test_every_program_is_here_and_in_the_readme() -> None:
    assert {file.stem for file in EXAMPLES.glob("*.py")} == set(SAID)
    readme = (ROOT / "examples/README.md").read_text()
    for file in [*EXAMPLES.glob("*.py"), *NOTEBOOKS]:
        assert f"(python/{file.name})" in readme, file.name


@pytest.mark.parametrize("name", SAID)
def test_a_program_runs(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path) -> None:
    arguments: list[str] = []
    if name == "panda_line":
        robots = sorted((ROOT / "build/venv").glob(PANDA))
        if not robots:
            pytest.skip("other people's robots are not here: tools/test-robots installs them")
        monkeypatch.setenv("MPLBACKEND", "agg")
        arguments = [str(robots[0]), str(tmp_path / "torques.png")]
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert SAID[name] in capsys.readouterr().out
    assert not arguments or (tmp_path / "torques.png").stat().st_size > 10_000


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs_and_is_kept_without_its_outputs(file: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cell by cell in one namespace, as a kernel does; what a cell ends with is shown as a notebook would."""
    monkeypatch.setenv("MPLBACKEND", "agg")
    import matplotlib.pyplot as plt

    cells = [cell for cell in json.loads(file.read_text())["cells"] if cell["cell_type"] == "code"]
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells)
    names: dict[str, Any] = {"__name__": "__main__"}
    for i, cell in enumerate(cells):
        exec(compile("".join(cell["source"]), f"{file.name}[{i}]", "exec"), names)
    assert len(plt.get_fignums()) >= 2
    plt.close("all")
    if "run" in names and hasattr(names["run"], "_repr_html_"):
        assert "<iframe" in names["run"]._repr_html_() or "<pre" in names["run"]._repr_html_()
