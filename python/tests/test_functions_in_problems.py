"""Functions in compiled problems: runs, exceptions, pickles, lifetimes, threads."""

import gc
import pickle
import signal
import threading
import traceback
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pytrammel as tm
from test_functions import MATRICES, free_body, on_sphere, state
from test_wrong_functions import Broken


def pendulum(function: Callable[[tm.Moment], Any]) -> tm.System:
    """A point mass in the plane, held on a circle by a function."""
    system = tm.System(gravity=[0, -9.81, 0])
    system.body("bob", 1, [0.001, 0.001, 0.001])
    system.joint("at", "world", "bob", planar="z")
    system.constrain("rod", function, unit="m")
    system.constrain("upright", "at[2] = 0")
    return system


def on_circle(x: tm.Moment) -> Any:
    return np.linalg.norm(x.position("bob")) - 1.0


START = np.array([1.0, 0.0, 0.0]), np.zeros(3)


def test_a_run_on_a_function_is_that_on_the_kind() -> None:
    other = pendulum(on_circle)
    other._constraints.clear()
    other.frame("pivot", "world")
    other.constrain("rod", tm.distance("pivot", "bob", 1.0))
    mine, theirs = (s.compile().simulate(START, duration=1.0) for s in (pendulum(on_circle), other))
    worst = max(float(np.max(np.abs(mine[name] - theirs[name]))) for name in ("q.at[0]", "q.at[1]", "lambda.rod"))
    print(f"worst difference {worst:.2g}")
    assert worst < 1e-8  # a run at a tolerance of 1e-10


def test_an_exception_arrives_from_solve_batches_and_runs() -> None:
    armed = False

    def law(x: tm.Moment) -> Any:
        if armed:
            raise Broken("in the law")
        return on_circle(x)

    problem = pendulum(law).compile()
    wanted = problem.solve(*START).vdot.tobytes()
    many = np.tile(START[0], (64, 1)), np.zeros((64, 3))
    calls: list[Callable[[], object]] = [
        lambda: problem.solve(*START),
        lambda: problem.solve_batch(*many),
        lambda: problem.simulate(START, duration=1.0),
        lambda: problem.simulate_batch(*many, duration=0.1),
        lambda: problem.assemble(START[0] + 0.1),
    ]
    for call in calls:
        armed = True
        with pytest.raises(Broken, match="in the law") as caught:
            call()
        assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "law"
        armed = False
        assert problem.solve(*START).vdot.tobytes() == wanted


def test_ctrl_c_in_a_function_ends_a_run() -> None:
    calls = 0

    def law(x: tm.Moment) -> Any:
        nonlocal calls
        calls += 1
        if calls == 500:
            signal.raise_signal(signal.SIGINT)
        return on_circle(x)

    problem = pendulum(law).compile()
    try:
        run = problem.simulate(START, duration=1000.0)
        assert run.status == "stopped"
    except KeyboardInterrupt:
        pass
    assert calls < 10_000


def test_a_problem_keeps_its_functions_and_pickles_with_them() -> None:
    problem = pendulum(on_circle).compile()
    gc.collect()
    wanted = problem.solve(*START).vdot.tobytes()
    assert pickle.loads(pickle.dumps(problem)).solve(*START).vdot.tobytes() == wanted
    heavier = problem.with_parameters({"bodies.bob.mass": 2.0})
    del problem
    gc.collect()
    below = heavier.solve([0, -1, 0], [3, 0, 0])  # at the lowest place of the circle of 1 m: m (g + v²/r) upwards
    np.testing.assert_allclose(below.forces["rod"].force, [0, 2 * (9.81 + 9), 0], atol=1e-12)


def test_a_batch_is_the_single_solves() -> None:
    problem = pendulum(on_circle).compile()
    random = np.random.default_rng(1)
    q, v = random.uniform(0.5, 1, (50, 3)), random.uniform(-1, 1, (50, 3))
    many = problem.solve_batch(q, v)
    for i in range(50):
        assert np.max(np.abs(many.vdot[i] - problem.solve(q[i], v[i]).vdot)) < 1e-12


# -- lifetimes and threads -----------------------------------------------------------------------------------------------


def test_functions_pickle_by_reference_and_to_the_bit() -> None:
    system = free_body()
    system.constrain("mine", on_sphere)
    again = pickle.loads(pickle.dumps(system))
    assert again == system
    a, b = system.read(), again.read()
    for seed in range(5):
        for x, y in zip(MATRICES(a, *state(a, seed)), MATRICES(b, *state(b, seed)), strict=True):
            assert x.tobytes() == y.tobytes()
    system.constrain("other", lambda x: x.q("turn"))
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(system)


def test_functions_have_no_text() -> None:
    system = free_body()
    system.constrain("mine", on_sphere)
    with pytest.raises(tm.Error, match="mine"):
        system.to_yaml()


def test_a_circle_through_a_function_is_collected() -> None:
    class Owner:
        def __init__(self) -> None:
            system = free_body()
            system.constrain("mine", self.law)
            self.built = system.read()

        def law(self, x: tm.Moment) -> Any:
            return x.q("turn")

    owner = Owner()
    seen = weakref.ref(owner)
    MATRICES(owner.built, *state(owner.built, 0))
    del owner
    gc.collect()
    assert seen() is None


def test_threads_share_a_system_with_functions() -> None:
    system = free_body()
    system.constrain("mine", on_sphere)
    built = system.read()
    wanted = MATRICES(built, *state(built, 0))
    wrong: list[object] = []

    def ask() -> None:
        for _ in range(200):
            got = MATRICES(built, *state(built, 0))
            if any(x.tobytes() != y.tobytes() for x, y in zip(got, wanted, strict=True)):
                wrong.append(got)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
