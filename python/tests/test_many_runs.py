"""Many runs: in one process, in threads, in other processes."""

from __future__ import annotations

import multiprocessing
import os
import pathlib
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

import pytrammel as tm

PENDULUM = """
bodies:
  bob: {mass: 2, com: [0, 0, -1.5], inertia: [1e-3, 1e-3, 1e-3]}
joints:
  - {name: hinge, revolute: y, from: world, to: bob}
constraints:
  - {name: brake, equation: hinge = 0.3*sin(t)}
simulate: {duration: 0.1 s}
"""
MANY = int(os.environ.get("PYTRAMMEL_MANY", "1000"))


def resident() -> int:
    """Bytes of this process that are in memory."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def run_and_fail() -> None:
    run = tm.run(PENDULUM)
    assert run.forces["brake"].multipliers.shape == (len(run), 1)
    with pytest.raises(tm.Error):
        run["no such column"]
    with pytest.raises(tm.Error):
        tm.run(PENDULUM, {"simulate.duration": "-1 s"})


def test_runs_and_errors_leave_no_memory_behind() -> None:
    for _ in range(MANY // 5):
        run_and_fail()
    before = resident()
    for _ in range(MANY):
        run_and_fail()
    grown = resident() - before
    print(f"{MANY} runs: grown by {grown / 1e3:.0f} kB")
    assert grown < 1e6 + 10 * MANY


def values(duration: float) -> bytes:
    return tm.run(PENDULUM, {"simulate.duration": duration}).values.tobytes()


def test_threads_and_processes_give_the_same_to_the_bit() -> None:
    durations = [0.1 + 0.01 * i for i in range(16)]
    here = [values(duration) for duration in durations]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(values, durations)) == here
    for method in ("fork", "spawn"):
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as processes:
            assert list(processes.map(values, durations)) == here


def test_one_scenario_runs_in_eight_threads() -> None:
    scenario = tm.Scenario(PENDULUM)
    with ThreadPoolExecutor(8) as threads:
        runs = list(threads.map(tm.run, [scenario] * 32))
    assert len({run.values.tobytes() for run in runs}) == 1


def test_a_run_comes_back_from_another_process() -> None:
    with ProcessPoolExecutor(1) as processes:
        run = processes.submit(tm.run, PENDULUM).result()
    assert run.values.tobytes() == tm.run(PENDULUM).values.tobytes()
    assert run.forces["brake"].unique and run.ok
