"""Problems in threads and other processes, pickles, and the memory that they leave."""

import gc
import multiprocessing
import pathlib
import pickle
import threading

import numpy as np
import pytest

import pytrammel
from test_problem import EXAMPLES, PROBLEMS, Array, each_problem, states


@each_problem
def test_problems_pickle_to_the_bit(problem: pytrammel.Problem) -> None:
    again = pickle.loads(pickle.dumps(problem))
    for q, v, t in states(problem, 2):
        np.testing.assert_array_equal(again.solve(q, v, t).vdot, problem.solve(q, v, t).vdot)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_problems_go_to_other_processes(method: str) -> None:
    problem = PROBLEMS[6]
    q, v, t = states(problem, 1)[0]
    problem.solve_batch([q] * 20, [v] * 20, t)  # threads before the fork
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.apply(solve_there, (problem, q, v, t)) == problem.solve(q, v, t).vdot.tobytes()


def solve_there(problem: pytrammel.Problem, q: Array, v: Array, t: float) -> bytes:
    problem.solve_batch([q] * 20, [v] * 20, t)
    return problem.solve(q, v, t).vdot.tobytes()


def test_changed_problems_pickle_with_their_changes() -> None:
    problem = PROBLEMS[6].with_parameters({"bodies.left rod.mass": 0.7})
    assert pickle.loads(pickle.dumps(problem)).parameters["bodies.left rod.mass"] == 0.7


@each_problem
def test_eight_threads_share_a_problem(problem: pytrammel.Problem) -> None:
    found = states(problem, 8)
    serial = [problem.solve(*state).vdot.copy() for state in found]
    wrong: list[object] = []

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for i in rng.integers(len(found), size=100):
            motion = problem.solve(*found[i])
            if not np.array_equal(motion.vdot, serial[i]):
                wrong.append((seed, i, motion.vdot - serial[i]))
            if i == 0 and seed < 2:
                motion.forces, motion.reactions  # noqa: B018

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_arrays_outlive_motion_and_problem() -> None:
    problem = pytrammel.Scenario(EXAMPLES[0]).problem()
    start = problem.start
    assert start is not None
    motion = problem.solve(start.q, start.v)
    vdot, Qc, expected = motion.vdot, motion.Qc, motion.vdot.copy()
    with pytest.raises(ValueError, match="read-only"):
        vdot[0] = 1
    del motion, problem
    gc.collect()
    junk = [np.ones(len(vdot)) for _ in range(1000)]
    np.testing.assert_array_equal(vdot, expected)
    assert np.isfinite(Qc).all() and len(junk) == 1000


def resident() -> int:
    """kB."""
    return 4 * int(pathlib.Path("/proc/self/statm").read_text().split()[1])


def test_memory_does_not_grow() -> None:
    problem = PROBLEMS[6]
    q, v, t = states(problem, 1)[0]

    def work(count: int) -> None:
        for i in range(count):
            motion = problem.solve(q, v, t)
            assert motion.vdot[0] == motion.vdot[0]
            if i % 20 == 0:
                motion.forces["loop"].wrench, motion.reactions["left elbow"].force  # noqa: B018
                problem.matrices(q, v, t), problem.torques(q, v, t), problem.diagnose(q, v, t)
                with pytest.raises(pytrammel.Error):
                    problem.solve(q[:2], v)

    work(2000)
    before = resident()
    work(20000)
    assert resident() - before < 500
