"""A run from Python is the program's run."""

from __future__ import annotations

import csv
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import pytrammel as tm

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))
PROGRAM = pathlib.Path(os.environ.get("TRAMMEL_PROGRAM", ROOT / "build/dev/bin/trammel"))
HELIX = "examples/01-scara-helix.yaml"
PENDULUM = """
bodies:
  bob: {mass: 2, com: [0, 0, -1.5], inertia: [1e-3, 1e-3, 1e-3]}
joints:
  - {name: hinge, revolute: y, from: world, to: bob}
initial: {q: {hinge: 0.5}}
simulate: {duration: 1 s}
"""


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_equals_the_programs_recording_to_the_bit(example: pathlib.Path, tmp_path: pathlib.Path) -> None:
    file = str(example.relative_to(ROOT))
    code = subprocess.run([PROGRAM, "run", file, "--quiet", "--no-report", "--out", tmp_path]).returncode
    with open(tmp_path / "recording.csv", newline="") as stream:
        names, *rows = csv.reader(stream)
    program = np.array([[float(number) for number in row] for row in rows])

    run = tm.run(file)
    assert run.columns == names
    assert run.values.tobytes() == program.tobytes()
    assert run.ok == (code == 0)
    summary = json.loads((tmp_path / "summary.json").read_text())
    mine = run.summary.to_dict()
    for timed in ("files", "seconds"):
        summary.pop(timed)
        mine.pop(timed, None)
    assert mine == summary


def test_save_leaves_what_the_program_leaves(tmp_path: pathlib.Path) -> None:
    subprocess.run([PROGRAM, "run", HELIX, "--quiet", "--out", tmp_path / "program"], check=True)
    run = tm.run(HELIX)
    pickle.loads(pickle.dumps(run)).save(tmp_path / "pickled")
    run.save(tmp_path / "python")
    names = sorted(path.name for path in (tmp_path / "program").iterdir())
    assert "recording.csv" in names and "coordinates.svg" in names
    for folder in ("python", "pickled"):
        assert sorted(path.name for path in (tmp_path / folder).iterdir()) == names
        for name in names:
            if name not in ("summary.json", "report.html"):  # which tell how long it took
                assert (tmp_path / folder / name).read_bytes() == (tmp_path / "program" / name).read_bytes(), name


def test_text_dictionary_and_path_give_the_same_run(tmp_path: pathlib.Path) -> None:
    import yaml  # type: ignore[import-untyped]

    file = tmp_path / "pendulum.yaml"
    file.write_text(PENDULUM)
    runs = [tm.run(file), tm.run(str(file)), tm.run(PENDULUM), tm.run(yaml.safe_load(PENDULUM)), tm.run(tm.Scenario(PENDULUM))]
    assert all(run.values.tobytes() == runs[0].values.tobytes() for run in runs)


def test_values_can_be_set() -> None:
    assert tm.run(HELIX, set={"simulate.duration": 0.5}).t[-1] == 0.5
    assert tm.run(HELIX, {"simulate.duration": "500 ms", "gravity": np.array([0, 0, -1.62])}).t[-1] == 0.5
    scenario = tm.Scenario(HELIX, {"simulate.duration": 3})
    assert tm.run(scenario, {"record.every": 0.5}).t.tolist() == [0, 0.5, 1, 1.5, 2, 2.5, 3]


def test_columns_are_read_only_views_that_outlive_the_run() -> None:
    run = tm.run(PENDULUM)
    q, t = run["q.hinge"], run.t
    assert q.base is not None and np.shares_memory(q, run["v.hinge"].base)
    assert not q.flags.writeable and not run.values.flags.writeable
    before = q.copy()
    del run
    for _ in range(20):
        tm.run(PENDULUM)
    assert q.tobytes() == before.tobytes()
    assert len(t) == len(q)


def test_a_pendulum_pulls_as_the_textbook_says() -> None:
    run = tm.run(PENDULUM, {"record.reactions": "all"})
    angle, speed = run["q.hinge"], run["v.hinge"]
    pull = 2 * 9.81 * np.cos(angle) + 2 * 1.5 * speed**2
    radial = np.einsum("ij,ij->i", run.reactions["hinge"].force, np.stack([np.sin(angle), 0 * angle, np.cos(angle)], 1))
    print("worst difference", np.abs(radial - pull).max(), "N")
    assert np.abs(radial - pull).max() < 1e-12 * 60  # eps times the largest pull times some operations
    assert run.reactions["hinge"].axes == "world"
    assert run.units["q.hinge"] == "rad" and run.units["energy"] == "J"


def test_forces_have_their_place_and_their_peak() -> None:
    run = tm.run(HELIX)
    force = run.forces["tool path"]
    assert force.body == "link4" and force.unique
    assert force.force.shape == (len(run), 3) and force.multipliers.shape == (len(run), 3)
    peak = run.summary.constraints[0].peak_force
    assert peak["value"] == pytest.approx(np.linalg.norm(force.force, axis=1).max(), rel=1e-12)
    # the point is on the path but for what the constraint is open by, which the run records
    x = 0.05 * np.sin(0.4 * np.pi * run.t) + run["phi.tool path[0]"]
    assert np.abs(force.place[:, 0] - x).max() < 1e-15
    assert list(run.forces) == ["tool path", "heading"]


def test_a_shared_force_says_so() -> None:
    run = tm.run("examples/03-four-bar.yaml", {"simulate.duration": 0.1})
    assert not run.forces["loop"].unique and run.forces["loop"].uniqueness == "shared"


def test_a_run_pickles_to_the_bit() -> None:
    run = tm.run(HELIX)
    again = pickle.loads(pickle.dumps(run))
    assert again.values.tobytes() == run.values.tobytes()
    assert not again.values.flags.writeable and not again["q.q1"].flags.writeable
    assert again.summary == run.summary and again.ok == run.ok and again.warnings == run.warnings
    assert again.page() == run.page()
    assert str(again) == str(run) and repr(again) == repr(run)
    assert again.forces["heading"].multipliers.tobytes() == run.forces["heading"].multipliers.tobytes()
    scenario = pickle.loads(pickle.dumps(tm.Scenario(HELIX, {"simulate.duration": 1})))
    assert scenario.duration == 1


def test_a_notebook_shows_the_page() -> None:
    run = tm.run(HELIX, {"simulate.duration": 1})
    shown = run._repr_html_()
    if not run.page():
        pytest.skip("built without the report page")
    assert shown.startswith('<iframe srcdoc="') and "SCARA on a helix" in shown
    assert '"' not in shown[len('<iframe srcdoc="') : shown.rindex('" style=')]
    assert "<script src=" not in run.page() and "pytrammel.run" in run.page()


def test_ctrl_c_stops_a_run_and_keeps_what_was_computed() -> None:
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    run = tm.run(HELIX, {"simulate.duration": 1e4, "record.every": 0.1})
    assert time.monotonic() - start < 20
    assert run.status == "stopped" and not run.ok
    assert len(run) > 10 and np.isfinite(run["q.q1"]).all()


def test_progress_is_told_and_what_it_raises_comes_out() -> None:
    parts: list[float] = []
    tm.run(HELIX, {"simulate.duration": 100, "simulate.tolerance": 1e-12}, progress=parts.append)
    assert parts and parts == sorted(parts) and 0 <= parts[0] and parts[-1] <= 1

    def fail(part: float) -> None:
        raise ZeroDivisionError("from the callback")

    with pytest.raises(ZeroDivisionError, match="from the callback"):
        tm.run(HELIX, {"simulate.duration": 1e4}, progress=fail)


def test_nothing_is_written_in_a_pipe() -> None:
    script = f"import pytrammel; pytrammel.run({HELIX!r}, {{'simulate.duration': 200}})"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert said.stdout == b"" and said.stderr == b""


def test_other_threads_go_on_while_a_run_computes() -> None:
    thread = threading.Thread(target=tm.run, args=(HELIX, {"simulate.duration": 100}))
    thread.start()
    ticks = 0
    while thread.is_alive():
        ticks += 1
        time.sleep(0.001)
    assert ticks > 20


def test_frame_and_plot() -> None:
    import matplotlib

    matplotlib.use("Agg")
    run = tm.run(PENDULUM)
    frame = run.frame()
    assert frame.index.name == "t" and frame["q.hinge"].tolist() == run["q.hinge"].tolist()
    assert frame.attrs["units"]["q.hinge"] == "rad"
    axes = run.plot("q.hinge", "v.hinge")
    assert [line.get_label() for line in axes.get_lines()] == ["q.hinge", "v.hinge"]
    assert run.plot(x="v.hinge").get_xlabel() == "v.hinge (rad/s)"
    assert run.plot().get_lines()[0].get_label() == "q.hinge" and run.plot().get_ylabel() == "rad"


def test_a_run_that_leaves_its_constraints_open_is_not_good() -> None:
    bars = "examples/03-four-bar.yaml"
    assert tm.run(bars, {"simulate.duration": 0.5}).good
    loose = {"duration": 3, "integrator": "euler", "step": "5 ms", "drift": "none"}
    run = tm.run(bars, {"simulate": loose})
    assert run.status == "finished" and not run.good
