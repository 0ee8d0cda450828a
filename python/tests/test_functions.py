"""Laws as Python functions: exact rows, forces, and what happens where a function is wrong."""

import gc
import math
import pathlib
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
from pytrammel import _core

ROOT = pathlib.Path(__file__).parents[2]
SCARA = ROOT / "robots" / "scara.urdf"
MATRICES = getattr(_core, "_matrices")
SEEDS = 200


def free_body() -> tm.System:
    """A floating body with an arm on it, frames on both and on the world."""
    system = tm.System()
    system.input("push", 0.5)
    system.body("box", 2, [0.1, 0.2, 0.3], com=[0.1, 0, 0])
    system.body("arm", 1, [0.1, 0.1, 0.1], com=[0, 0.1, 0])
    system.joint("free", "world", "box", floating=True)
    system.joint("turn", "box", "arm", [0.3, 0, 0], revolute="z")
    system.frame("tip", "arm", {"xyz": [0.1, 0.2, 0.3], "rpy": [0.1, 0.2, 0.3]})
    system.frame("wall", "world", {"xyz": [1, 0, 0], "rpy": [0.3, 0.1, 0]})
    return system


def state(system: _core.System, seed: int) -> tuple[Any, Any, float]:
    random = np.random.default_rng(seed)
    q = random.uniform(-1, 1, len(system.coordinates))
    if "free[3]" in system.coordinates:
        q[3:7] /= np.linalg.norm(q[3:7])
    return q, random.uniform(-2, 2, len(system.velocities)), random.uniform(0, 2)


def worst_difference(mine: tm.System, other: tm.System) -> float:
    """Of Q, A and b over seeded states, beside the size of each."""
    a, b = mine.read(), other.read()
    worst = 0.0
    for seed in range(SEEDS):
        at = state(a, seed)
        for x, y in zip(MATRICES(a, *at)[1:], MATRICES(b, *at)[1:], strict=True):
            assert x.shape == y.shape
            worst = max(worst, float(np.max(np.abs(x - y), initial=0) / max(1.0, float(np.max(np.abs(y), initial=0)))))
    print(f"worst difference {worst:.2g}")
    return worst


CENTER = np.array([0.1, -0.2, 0.3])


def on_sphere(x: tm.Moment) -> Any:
    return np.linalg.norm(x.position("tip") - CENTER) - 0.4


def on_cylinder(x: tm.Moment) -> Any:
    p = x.position("tip") - CENTER
    return tm.sqrt(p[0] * p[0] + p[1] ** 2) - 0.4


def on_path(x: tm.Moment) -> Any:
    p = x.position("tip")
    return [p[0] - 0.2 * tm.sin(x.t), p[2] - 0.1 * tm.exp(-x.t) * tm.cycloid(x.t / 3)]


def knife_edge(x: tm.Moment) -> Any:
    return x.velocity("tip") @ x.axes("tip")[:, 1]


def welded(x: tm.Moment) -> Any:
    A, B = x.axes("wall"), x.axes("tip")
    return A.T @ (x.position("tip") - x.position("wall"))


def axis_across(x: tm.Moment) -> Any:
    return x.axes("tip")[:, 2] @ x.axes("wall")[:, 0]


def in_text(x: tm.Moment) -> Any:
    return tm.atan2(x.q("turn"), 2 + x.position("tip")[0] ** 2) * x.input("push") - tm.log(3 + x.t) / tm.tan(1 + 0.1 * x.q("turn"))


def speeds_in_text(x: tm.Moment) -> Any:
    return x.v("turn") * x.velocity("tip")[0] + 3**x.v("turn") - x.position("tip")[2] * x.t


LAWS: list[tuple[Callable[[tm.Moment], Any], tm.kinds.Kind]] = [
    (on_sphere, tm.point("tip", on=tm.sphere(0.4, CENTER))),
    (on_cylinder, tm.point("tip", on=tm.cylinder(0.4, CENTER))),
    (on_path, tm.point("tip", x="0.2*sin(t)", z="0.1*exp(-t)*cycloid(t/3)")),
    (knife_edge, tm.knife_edge("tip")),
    (welded, tm.point("tip", x=0, y=0, z=0, in_="wall")),
    (in_text, tm.equation("atan2(turn, 2 + tip.x^2)*push = log(3 + t)/tan(1 + 0.1*turn)")),
    (speeds_in_text, tm.equation("v(turn)*tip.vx + 3^v(turn) = tip.z*t")),
]


@pytest.mark.parametrize(("function", "kind"), LAWS, ids=lambda law: getattr(law, "__name__", ""))
def test_a_function_has_the_rows_of_the_kind(function: Callable[[tm.Moment], Any], kind: tm.kinds.Kind) -> None:
    mine, other = free_body(), free_body()
    mine.constrain("it", function, baumgarte=(3, 5))
    other.constrain("it", kind, baumgarte=(3, 5))
    # a hundred roundings of numbers of size 10
    assert worst_difference(mine, other) < 1e-13


def test_axes_turn_with_the_rows_of_differences() -> None:
    """φ of axes has no built-in twin: its A and b against differences of φ along the motion."""
    system = free_body()
    system.constrain("across", axis_across)
    built = system.read()
    h = 1e-4
    for seed in range(20):
        q, v, t = state(built, seed)

        def phi(step: float) -> float:
            moved = q.copy()  # the floating joint: velocity along the world's axes, angular velocity along its own
            half = 0.5 * step * v[3:6]
            angle = np.linalg.norm(half)
            turn = np.concatenate([[math.cos(angle)], math.sin(angle) / angle * half]) if angle else np.array([1.0, 0, 0, 0])
            w, x, y, z = q[3:7]
            left = np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]])
            moved[3:7] = left @ turn
            moved[:3] += step * v[:3]
            moved[7] += step * v[6]
            # b of a Baumgarte law with β alone is b − φ
            return float(MATRICES(stiff, moved, 0 * v, t)[3][0])

        gains = free_body()
        gains.constrain("across", axis_across, baumgarte=(0, 1))
        stiff = gains.read()
        _, _, A, b = MATRICES(built, q, v, t)
        rate, second = -(phi(h) - phi(-h)) / (2 * h), -(phi(h) - 2 * phi(0) + phi(-h)) / h**2
        assert A[0] @ v == pytest.approx(rate, abs=1e-7)
        assert -b[0] == pytest.approx(second, abs=1e-5)


def test_layers_scales_and_names_reach_the_system() -> None:
    system = tm.System(SCARA)
    system.constrain("mine", lambda x: [x.q("q1") - x.t, x.q("q2")], rows=2, unit="rad", compliance={"torque": 1e-6}, scale=0.5)
    system.control("led", lambda x: x.position("tool")[2] - 0.3)
    system.constrain("text", "q3 = 0")
    assert system.functions == ("mine", "led")
    built = system.read()
    assert sorted(built.constraints) == ["led", "mine", "text"]
    assert MATRICES(built, *state(built, 0))[2].shape == (4, 4)


def test_numbers_change_by_name_beside_functions() -> None:
    system = tm.System(SCARA)
    system.constants(r=0.3)
    system.constrain("text", "tool.z = r")
    system.constrain("mine", on_joint)
    assert set(system.read().constraints) == {"text", "mine"}


def on_joint(x: tm.Moment) -> Any:
    return x.q("q1") - 0.1


# -- explicit derivatives ------------------------------------------------------------------------------------------------


def test_explicit_derivatives_are_taken_as_they_are() -> None:
    mine, other = tm.System(SCARA), tm.System(SCARA)
    mine.constrain(
        "it",
        tm.explicit(
            phi=lambda x: math.sin(x.q("q1")) - 0.1 * x.t,
            A=lambda x: [[math.cos(x.q("q1")), 0, 0, 0]],
            b=lambda x: math.sin(x.q("q1")) * x.v("q1") ** 2,
            rate=lambda x: math.cos(x.q("q1")) * x.v("q1") - 0.1,
        ),
        rows=1,
        baumgarte=(3, 5),
    )
    other.constrain("it", "sin(q1) = 0.1*t", baumgarte=(3, 5))
    assert worst_difference(mine, other) < 1e-14


# -- forces --------------------------------------------------------------------------------------------------------------


def wind(x: tm.Moment) -> Any:
    return [-5 * x.velocity("tool")[0], math.sin(x.t), x.input("push") * x.q("q4")]


def motors(x: tm.Moment) -> Any:
    return {"q1": -3 * x.q("q1"), "q4": 9.81 if x.t < 1 else x.v("q2")}


def test_a_force_is_that_of_the_scenario() -> None:
    mine, other = tm.System(SCARA), tm.System(SCARA)
    for system in (mine, other):
        system.input("push", 0.5)
    mine.apply("wind", wind, at="tool")
    mine.apply("motors", motors)
    mine.apply("all", lambda x: np.array([x.v("q1"), 0, 0, 1]))
    other.apply("wind", tm.point_force("tool", ["-5*tool.vx", "sin(t)", "push*q4"]))
    other.apply("m1", tm.joint_force("q1", torque="-3*q1 + v(q1)"))
    other.apply("m4", tm.joint_force("q4", force="if(t < 1, 9.81, v(q2)) + 1"))
    assert worst_difference(mine, other) < 1e-14


# -- what is wrong -------------------------------------------------------------------------------------------------------


def refused(law: object, **options: Any) -> str:
    system = free_body()
    system.constrain("mine", law, **options)  # type: ignore[arg-type]
    with pytest.raises(tm.Error) as caught:
        system.read()
    return str(caught.value)


@pytest.mark.parametrize(
    ("law", "options", "has"),
    [
        (lambda x: [x.q("turn"), x.t], {}, "row 1 of constraint 'mine'"),
        (lambda x: 0.5, {}, "does not depend on where the robot is"),
        (lambda x: x.q("turn").value, {}, "does not depend on where the robot is"),
        (lambda x: x.q("turn"), {"rows": 2}, "1 row from the function of constraint 'mine'; allowed: 2"),
        (lambda x: None, {}, "NoneType from the function"),
        (lambda x: "turn", {}, "str from the function"),
        (lambda x: x.axes("tip"), {}, "ndarray from the function"),
        (lambda x: [], {}, "no row"),
        (lambda x: x.q("turn"), {"scale": -1}, "scale -1"),
        (lambda x: x.q("turn"), {"compliance": (1e-8, 0)}, "no unit"),
    ],
)
def test_a_wrong_law_is_told_by_its_name(law: object, options: dict[str, Any], has: str) -> None:
    message = refused(law, **options)
    assert message.startswith("constraints.mine: found "), message
    assert has in message, message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("law", "has"),
    [
        (lambda x: x.position("tipp")[0], "frame 'tipp', which does not exist; allowed: one of world, box, arm, tip, wall (did you mean 'tip'?)"),
        (lambda x: x.q("tirn"), "did you mean 'turn'?"),
        (lambda x: x.q("free[4]"), "a component of a quaternion"),
        (lambda x: x.q("turn") * x.input("pull"), "found input 'pull'; allowed: one of push"),
    ],
)
def test_a_wrong_name_is_told_where_the_law_uses_it(law: Callable[[tm.Moment], Any], has: str) -> None:
    system = free_body()
    system.constrain("mine", law)
    with pytest.raises(tm.Error) as caught:
        system.read()
    assert has in str(caught.value), str(caught.value)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].filename == __file__


@pytest.mark.parametrize(
    ("law", "has"),
    [
        (lambda x: math.sin(x.q("turn")), "pytrammel.sin"),
        (lambda x: x.q("turn") if x.q("turn") > 0 else x.t, "not compared"),
        (lambda x: abs(x.q("turn")), "no derivative at 0"),
        (lambda x: max(x.q("turn"), 1.0), "not compared"),
        (lambda: 0.5, "positional argument"),
    ],
)
def test_a_law_on_floats_alone_is_refused(law: Callable[..., Any], has: str) -> None:
    system = free_body()
    system.constrain("mine", law)
    with pytest.raises(TypeError) as caught:
        system.read()
    assert has in str(caught.value)


class Broken(Exception):
    """Of a user."""


def test_an_exception_of_a_function_arrives_with_its_traceback() -> None:
    calls = 0

    def law(x: tm.Moment) -> Any:
        nonlocal calls
        calls += 1
        if calls > 2:
            raise Broken("in the law")
        return x.q("turn")

    system = free_body()
    system.constrain("mine", law)
    system.apply("force", lambda x: {"turn": 1.0})
    built = system.read()
    with pytest.raises(Broken) as caught:
        MATRICES(built, *state(built, 0))
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "law"


def force_of(result: object, at: str | None = None) -> _core.System:
    system = free_body()
    system.apply("mine", lambda x: result, at=at)  # type: ignore[arg-type,return-value]
    return system.read()


@pytest.mark.parametrize(
    ("result", "at", "has"),
    [
        ([1, 2], "tip", "2 numbers from the function of force 'mine'; allowed: 3 numbers"),
        ([1, 2], None, "2 numbers from the function of force 'mine'; allowed: 7 numbers"),
        (None, "tip", "from the function of force 'mine'"),
        ("a", "tip", "'a' from the function of force 'mine'"),
        ({"tirn": 1}, None, "did you mean 'turn'?"),
        ({"turn": [1, 2]}, None, "allowed: a number"),
    ],
)
def test_a_wrong_force_is_told_by_its_name(result: object, at: str | None, has: str) -> None:
    built = force_of(result, at)
    with pytest.raises(tm.Error) as caught:
        MATRICES(built, *state(built, 0))
    assert has in str(caught.value), str(caught.value)


def test_forces_on_what_is_not_there_are_refused() -> None:
    for frame, has in (("tipp", "did you mean 'tip'?"), ("wall", "cannot move")):
        with pytest.raises(tm.Error) as caught:
            force_of([0, 0, 0], frame)
        assert str(caught.value).startswith("forces.mine: found ")
        assert has in str(caught.value)


def test_a_moment_that_is_kept_sees_nothing_afterwards() -> None:
    kept: list[tm.Moment] = []
    system = free_body()
    system.apply("mine", lambda x: kept.append(x) or {"turn": 0.0})  # type: ignore[func-returns-value]
    built = system.read()
    MATRICES(built, *state(built, 0))
    with pytest.raises(tm.Error, match="after the call"):
        kept[0].q("turn")


def test_a_law_that_looks_elsewhere_later_is_refused() -> None:
    calls: list[int] = []

    def law(x: tm.Moment) -> Any:
        calls.append(0)
        return x.q("turn") if len(calls) < 3 else x.q("free[0]")

    system = free_body()
    system.constrain("mine", law)
    built = system.read()
    with pytest.raises(tm.Error, match="did not in its first call"):
        MATRICES(built, *state(built, 0))


# -- problems ------------------------------------------------------------------------------------------------------------


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


# -- jets ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sin", "cos", "tan", "asin", "acos", "atan", "sqrt", "exp", "log", "cycloid", "minjerk"])
def test_functions_take_floats_jets_and_arrays(name: str) -> None:
    function, u, h = getattr(tm, name), 0.37, 1e-4
    value = function(u)
    assert isinstance(value, float)
    jet = function(tm.Jet(u, 1.0))
    assert jet.value == value
    assert jet.rate == pytest.approx((function(u + h) - function(u - h)) / (2 * h), rel=1e-6)
    assert jet.second_rate == pytest.approx((function(u + h) - 2 * value + function(u - h)) / h**2, rel=1e-5)
    array = function(np.array([u, 0.5]))
    assert array.dtype == float
    assert array[0] == value
    assert function(np.array([tm.Jet(u), tm.Jet(0.5)], dtype=object))[0].value == value
    with pytest.raises(TypeError, match="a number or a jet"):
        function("u")


def test_numpy_computes_with_jets() -> None:
    u: Any = tm.Jet(0.3, 1.0, 2.0)
    for mine, numpys in ((tm.sin(u), np.sin(u)), (tm.sqrt(u), np.sqrt(u)), (tm.atan2(u, 2.0), np.arctan2(u, 2.0))):
        assert (mine.value, mine.rate, mine.second_rate) == (numpys.value, numpys.rate, numpys.second_rate)
    for product in (np.float64(2) * u, u * np.float32(2), 2 * u, u * 2, u / 0.5):
        assert product.rate == 2.0
    assert (2.0**u).rate == pytest.approx(2**0.3 * math.log(2))
    assert (-u - (+u) + 1 - 1).rate == -2
    assert "0.3" in repr(u)
