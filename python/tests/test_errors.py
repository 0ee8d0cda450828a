"""What is wrong gets one clear message."""

from __future__ import annotations

import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import pytrammel as tm

HELIX = "examples/01-scara-helix.yaml"


def test_an_error_has_its_parts(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text("bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints: [{name: j, revolute: z, from: world, to: a}]\nsimulate: {duration: -3 s}\n")
    with pytest.raises(tm.Error) as caught:
        tm.run(file)
    error = caught.value
    assert (error.file, error.line) == (str(file), 3)
    assert error.column is not None and error.found and error.allowed
    assert str(error).startswith(f"{file}:3:{error.column}: found {error.found}; allowed: {error.allowed}\n")
    assert str(error).endswith("^")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and (again.line, again.allowed) == (error.line, error.allowed)


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("nowhere.yaml", "nowhere.yaml: found no such file"),
        (pathlib.Path("examples"), "examples"),
        ("robot: nowhere.urdf\n", "<text>:1:"),
        ({"robot": "nowhere.urdf"}, "<dict>:2:"),
        ({}, "<dict>"),
        ("", "found"),
        ("a: [\n", "<text>"),
        (5, "a path, text with a line break, a dictionary"),
        (None, "a path, text with a line break, a dictionary"),
        ({"robot": "robots/scara.urdf", "simulate": {"duration": float("nan")}}, "found"),
        ({"robot": "robots/scara.urdf"}, "how long to simulate"),
    ],
)
def test_a_wrong_scenario_is_refused(what: Any, message: str) -> None:
    with pytest.raises(tm.Error) as caught:
        tm.run(what)
    assert message in str(caught.value)


def test_what_json_has_no_word_for_is_refused() -> None:
    with pytest.raises(TypeError, match="found a object"):
        tm.run({"robot": object()})


def test_wrong_names_get_the_nearest() -> None:
    run = tm.run(HELIX, {"simulate.duration": 0.1})
    asked: list[tuple[Callable[[], object], str]] = [
        (lambda: run["q.qq1"], "q.q1"),
        (lambda: run.forces["tool pathh"], "tool path"),
        (lambda: tm.run(HELIX, {"simulate.durration": 1}), "duration"),
        (lambda: tm.reproduce("scaraa"), "scara"),
        (lambda: run.save("build/never", figures="gif"), "svg"),
        (lambda: run.reactions["q1"], "record: {reactions: all}"),
    ]
    for ask, nearest in asked:
        with pytest.raises(tm.Error) as caught:
            ask()
        assert nearest in str(caught.value)
    with pytest.raises(AttributeError, match="energy_balance"):
        run.summary.energy_ballance
    assert "q.q1" in run and "q.qq1" not in run


def test_a_start_that_cannot_be_assembled_is_an_error() -> None:
    with pytest.raises(tm.Error, match="cannot be brought onto the constraints") as caught:
        tm.run("examples/03-four-bar.yaml", {"frames.ground pin.at.xyz": [10, 0, 0]})
    assert (caught.value.file, caught.value.line) == ("examples/03-four-bar.yaml", 17)
    assert not tm.check("examples/03-four-bar.yaml", {"frames.ground pin.at.xyz": [10, 0, 0]}).runs
