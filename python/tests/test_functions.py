"""Laws as Python functions: exact rows, and forces."""

import math
import pathlib
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
