"""Many states and many runs at once, and runs as such."""

import pathlib
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.typing import NDArray

import pytrammel
from test_problem import EXAMPLES, PROBLEMS, PUSHED, each_problem, states

Array = NDArray[np.float64]


def stacked(problem: pytrammel.Problem, count: int) -> tuple[Array, Array, float]:
    found = states(problem, count)
    return np.array([q for q, _, _ in found]), np.array([v for _, v, _ in found]), found[0][2]


@each_problem
def test_batch_is_solve_for_each_state(problem: pytrammel.Problem) -> None:
    q, v, t = stacked(problem, 13)
    batch = problem.solve_batch(q, v, t)
    assert batch.vdot.shape == batch.Qc.shape == (len(q), problem.nv) and len(batch) == len(q)
    assert batch.has_motion.all()
    for i in range(len(q)):
        motion = problem.solve(q[i], v[i], t)
        assert (batch.rank[i], batch.status[i]) == (motion.rank, motion.status)
        exact = 0.0 if problem.driven else 1e-9
        np.testing.assert_allclose(batch.vdot[i], motion.vdot, atol=exact * (1 + np.abs(motion.vdot).max()))
        np.testing.assert_allclose(batch.Qc[i], motion.Qc, atol=exact * (1 + np.abs(motion.Qc).max()))
        np.testing.assert_array_equal(batch.torques[i], motion.torques)


@each_problem
def test_batch_does_not_depend_on_the_number_of_workers(problem: pytrammel.Problem) -> None:
    q, v, t = stacked(problem, 13)
    one = problem.solve_batch(q, v, t, workers=1)
    for workers in (2, 3, 8, 50):
        np.testing.assert_array_equal(problem.solve_batch(q, v, t, workers=workers).vdot, one.vdot)


@each_problem
def test_times_of_each_state_give_what_solve_gives_to_the_bit(problem: pytrammel.Problem) -> None:
    q, v, _ = stacked(problem, 5)
    times = np.linspace(0, 0.4, len(q))
    batch = problem.solve_batch(q, v, times)
    for i in range(len(q)):
        np.testing.assert_array_equal(batch.vdot[i], problem.solve(q[i], v[i], times[i]).vdot)


def test_inputs_of_each_state() -> None:
    problem = pytrammel.Scenario(PUSHED).problem()
    rng = np.random.default_rng(1)
    q, v, inputs = (rng.normal(size=(6, 2)) for _ in range(3))
    batch = problem.solve_batch(q, v, inputs=inputs)
    same = problem.solve_batch(q, v, inputs={"push": 3})
    for i in range(6):
        np.testing.assert_array_equal(batch.vdot[i], problem.solve(q[i], v[i], inputs=inputs[i]).vdot)
        np.testing.assert_array_equal(same.vdot[i], problem.solve(q[i], v[i], inputs={"push": 3}).vdot)


def test_batches_of_wrong_shapes_are_refused() -> None:
    problem = PROBLEMS[0]
    q, v, _ = stacked(problem, 3)
    with pytest.raises(pytrammel.Error, match=r"q of shape \(4,\); allowed: \(n, 4\)"):
        problem.solve_batch(q[0], v[0])
    with pytest.raises(pytrammel.Error, match="v for 2 states; allowed: 3"):
        problem.solve_batch(q, v[:2])
    with pytest.raises(pytrammel.Error, match=r"q\[1, 2\] = nan"):
        problem.solve_batch(np.where(np.arange(12).reshape(3, 4) == 6, np.nan, q), v)
    with pytest.raises(pytrammel.Error, match=r"t of shape \(2,\); allowed: \(3,\)"):
        problem.solve_batch(q, v, [0, 1])
    with pytest.raises(pytrammel.Error, match="workers = 0"):
        problem.solve_batch(q, v, workers=0)
    assert problem.solve_batch(np.zeros((0, 4)), np.zeros((0, 4))).vdot.shape == (0, 4)


def test_arrays_of_batches_and_runs_outlive_them() -> None:
    problem = pytrammel.Scenario(EXAMPLES[0]).problem()
    q, v, t = stacked(problem, 3)
    batch = problem.solve_batch(q, v, t)
    vdot, rank, expected = batch.vdot, batch.rank, batch.vdot.copy()
    run = problem.simulate(duration=0.1)
    column, values, copy = run["q.q1"], run.values, run.values.copy()
    assert column.base is not None and np.shares_memory(column, values) and not column.flags.writeable
    del batch, run, problem
    np.testing.assert_array_equal(vdot, expected)
    np.testing.assert_array_equal(values, copy)
    assert (rank == rank[0]).all()


@each_problem
def test_memory_is_used_again_only_when_nobody_has_it(problem: pytrammel.Problem) -> None:
    q, v, t = stacked(problem, 9)
    expected = problem.solve_batch(q, v, t).vdot.copy()
    other = problem.solve_batch(q, 2 * v, t).vdot.copy()
    kept = problem.solve_batch(q, v, t).vdot  # the array alone
    row = problem.solve_batch(q, v, t).vdot[3]  # a part of one
    places = set()
    for i in range(20):
        batch = problem.solve_batch(q, 2 * v, t)
        np.testing.assert_array_equal(batch.vdot, other)
        places.add(batch.vdot.__array_interface__["data"][0])
        few = problem.solve_batch(q[: i % 4], v[: i % 4], t)
        assert len(few) == i % 4
    np.testing.assert_array_equal(kept, expected)
    np.testing.assert_array_equal(row, expected[3])
    assert kept.__array_interface__["data"][0] not in places
    assert len(places) < 20


def test_batches_of_eight_threads_do_not_share_memory() -> None:
    problem = PROBLEMS[0]
    q, v, t = stacked(problem, 64)
    expected = [problem.solve_batch(q, i * v, t).vdot.copy() for i in range(8)]

    def differ(i: int) -> bool:
        return all(np.array_equal(problem.solve_batch(q, i * v, t).vdot, expected[i]) for _ in range(50))

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(differ, range(8)))


@each_problem
def test_runs_record_what_solve_gives_and_keep_the_constraints(problem: pytrammel.Problem) -> None:
    run = problem.simulate(duration=0.2, record_every=0.1)
    assert run.status == "finished" and run.why == "" and len(run) == 3
    assert len(run.columns) == len(run.units) == run.values.shape[1]
    names = run.columns
    for i, name in enumerate(names):
        np.testing.assert_array_equal(run[name], run.values[:, i])
    place, speed = (
        [names.index(f"{letter}.{name}") for name in listed]
        for letter, listed in (("q", problem.model.coordinate_names), ("v", problem.model.velocity_names))
    )
    rates = [names.index(f"vdot.{name}") for name in problem.model.velocity_names]
    for row in run.values:
        motion = problem.solve(row[place], row[speed], row[names.index("t")])
        scale = 1 + np.abs(motion.vdot).max()
        np.testing.assert_allclose(row[rates], motion.vdot, atol=1e-7 * scale)
    np.testing.assert_allclose(run.end.q, run.values[-1][place], atol=1e-12)
    assert run.end.t == pytest.approx(0.2, rel=1e-12)
    assert run.energy_error <= 1e-5 * run.energy_exchanged + 1e-9


def test_runs_in_a_batch_are_those_of_simulate_to_the_bit() -> None:
    for problem in (PROBLEMS[0], PROBLEMS[6]):
        q, v, t = stacked(problem, 4)
        options = {"record_every": 0.02, "drift": "projection"}
        runs = problem.simulate_batch(q, v, 0.1, t=t, workers=3, **options)  # type: ignore[arg-type]
        for i, run in enumerate(runs):
            alone = problem.simulate((q[i], v[i], t), 0.1, **options)  # type: ignore[arg-type]
            np.testing.assert_array_equal(run.values, alone.values)


def test_a_pendulum_keeps_its_energy_and_pushed_carts_go_further() -> None:
    problem = pytrammel.Scenario(PUSHED).problem()
    start = pytrammel.State([0, 0.5], [0, 0])
    free = problem.simulate(start, inputs=[0, 0])
    robot = problem.model
    end = free.end
    first, last = robot.potential_energy(start.q), robot.potential_energy(end.q) + robot.kinetic_energy(end.q, end.v)
    assert last == pytest.approx(first, abs=1e-8)
    pushed = problem.simulate(start, inputs={"push": 10})
    assert pushed["q.rail"][-1] > free["q.rail"][-1] + 0.1
    assert len(problem.simulate(start, 0.1, record_every=0.05)) == 3


def test_wrong_options_of_runs_are_refused() -> None:
    problem = PROBLEMS[0]
    with pytest.raises(pytrammel.Error, match="option of a run 'tolerence'.*tolerance"):
        problem.simulate(tolerence=1e-8)  # type: ignore[call-arg]
    with pytest.raises(pytrammel.Error, match="drift 'projektion'.*projection"):
        problem.simulate(drift="projektion")
    with pytest.raises(pytrammel.Error, match="integrator 'dopri'"):
        problem.simulate(integrator="dopri")
    with pytest.raises(pytrammel.Error, match="limits 'halt'"):
        problem.simulate(limits="halt")
    with pytest.raises(pytrammel.Error, match="toool|tool"):
        problem.simulate(frames=["toool"])
    with pytest.raises(pytrammel.Error):
        problem.simulate(duration=-1)
    with pytest.raises(TypeError, match="start: found int"):
        problem.simulate(3)  # type: ignore[arg-type]
    with pytest.raises(pytrammel.Error, match=r"q of shape \(1,\)"):
        problem.simulate(([1], [2]))
    with pytest.raises(pytrammel.Error, match="column"):
        problem.simulate(duration=0.01)["q.nobody"]


def test_an_interrupted_run_keeps_what_it_has() -> None:
    problem = PROBLEMS[6]
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    run = problem.simulate(duration=1e6, record_every=1)
    assert run.status == "stopped" and run.end.t > 0


def test_drift_controls() -> None:
    problem = PROBLEMS[2]
    for drift in ("none", "velocity", "projection", "baumgarte"):
        assert problem.simulate(duration=0.1, drift=drift).status == "finished"


def test_a_scenario_is_read_from_text_with_values_set(tmp_path: pathlib.Path) -> None:
    scenario = pytrammel.Scenario(PUSHED, set={"bodies.cart.mass": 3, "inputs.push": 4})
    assert scenario.problem().inputs["push"] == 4
    assert scenario.problem().model.mass == pytest.approx(4)
    with pytest.raises(pytrammel.Error, match="the name 'two'") as caught:
        pytrammel.Scenario(PUSHED.replace("{mass: 2}", "{mass: two}"))
    assert (caught.value.line, caught.value.column) == (5, 16)

    with pytest.raises(pytrammel.Error):
        pytrammel.Scenario(tmp_path / "nowhere.yaml")
