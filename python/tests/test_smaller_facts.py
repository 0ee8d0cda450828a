"""What the other tests do not ask: each bound value against a formula of its own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import pytrammel as tm
from pytrammel import _core
from test_model import ROVER


def test_effort_limits_are_those_of_the_file() -> None:
    robot = tm.Robot(ROVER, "rover.urdf")
    expected = [math.inf] * 9 + [10.0, 10.0]
    assert robot.effort_limit.tolist() == expected and robot.velocity_names[-2:] == ["elbow", "rail"]


@pytest.mark.parametrize("name", ["arcsin", "arccos", "arctan"])
def test_inverse_functions_of_jets_have_their_derivatives(name: str) -> None:
    function, h = getattr(np, name), 1e-4
    jet = getattr(_core.Jet(0.3, 0.7, -0.2), name)()
    at = [function(0.3 + 0.7 * t - 0.1 * t * t) for t in (-h, 0.0, h)]
    assert jet.value == pytest.approx(at[1], rel=1e-15)
    assert jet.rate == pytest.approx((at[2] - at[0]) / (2 * h), abs=1e-7)
    assert jet.second_rate == pytest.approx((at[2] - 2 * at[1] + at[0]) / h**2, abs=1e-5)
    assert _core.Jet(0.3, 0.7, -0.2).conjugate().rate == 0.7


def test_slopes_are_the_derivatives_by_what_the_law_looks_at() -> None:
    seen: list[Any] = []

    def law(at: tm.Moment) -> Any:
        first, second = at.q("q1"), at.q("q2")
        out = tm.sin(first) * second
        seen.append((first.value, second.value, out.slopes))
        return out - 0.3

    system = tm.System("robots/scara.urdf")
    system.constrain("mine", law)
    problem = system.compile()
    del seen[:]
    _, _, A, _ = problem.matrices([0.4, 0.8, 0, 0], np.zeros(4))
    q1, q2, slopes = next(entry for entry in seen if entry[0] == 0.4 and entry[2])
    np.testing.assert_allclose(slopes, [math.cos(q1) * q2, math.sin(q1)], rtol=1e-14)
    np.testing.assert_allclose(A, [[math.cos(0.4) * 0.8, math.sin(0.4), 0, 0]], rtol=1e-14)


def test_a_force_sees_the_angular_velocity() -> None:
    seen: list[Any] = []
    system = tm.System("robots/scara.urdf")

    def brake(at: tm.Moment) -> list[float]:
        seen.append(at.angular_velocity("tool"))
        return [0.0] * 4

    system.apply("brake", brake)
    problem = system.compile()
    q, v = np.array([0.1, 0.2, 0.3, 0.0]), np.array([1.0, -2.0, 0.5, 0.1])
    problem.solve(q, v)
    np.testing.assert_allclose(seen[-1], problem.model.frame_velocity(q, v, "tool")[:3], atol=1e-14)


def test_the_stabilising_part_is_what_gains_add() -> None:
    system = tm.System("robots/scara.urdf")
    system.constrain("height", "tool.z = 0.02")
    q, v = [0.1, 0.2, 0.3, 0.0], [0.0, 0.0, 0.0, 0.3]
    plain, steered = (system.compile(baumgarte=gains).solve(q, v).forces["height"] for gains in ((0.0, 0.0), (3.0, 50.0)))
    np.testing.assert_allclose(steered.stabilising, steered.multipliers - plain.multipliers, rtol=1e-12)
    assert steered.stabilising[0] == pytest.approx(0.5 * (50 * 0.02 - 3 * 0.3), rel=1e-12)  # 0.5 kg: −m (α φ̇ + β φ)
    assert plain.stabilising.tolist() == [0.0] and steered.determined == [True]


def test_forces_name_those_that_they_share_with() -> None:
    system = tm.System("robots/scara.urdf")
    system.constrain("first", "q1 = 0.1")
    system.constrain("second", "2*q1 = 0.2")
    forces = system.compile().solve([0.1, 0.2, 0.3, 0.0], np.ones(4)).forces
    assert forces["first"].shares_with == ["second"] and forces["second"].shares_with == ["first"]
    assert forces["first"].determined == [False] and not forces["second"].unique


def test_moments_in_joints_are_turned_into_the_axes_of_the_link() -> None:
    problem = tm.Scenario("examples/12-stewart.yaml").problem()
    assert problem.start is not None
    q, v, t = problem.start
    for joint in problem.model.joints[:4]:
        reaction = problem.solve(q, v, t).reactions[joint.name]
        R = problem.model.pose(q, joint.link)[:3, :3]
        np.testing.assert_allclose(R @ reaction.moment_in_joint, reaction.moment, atol=1e-10)
        np.testing.assert_allclose(R @ reaction.force_in_joint, reaction.force, atol=1e-10)


def test_motors_at_their_limits_leave_what_they_cannot_give() -> None:
    limits = {f"actuators.{motor}.limit": 1e-4 for motor in ("qa1", "qa2", "qa3")}
    problem = tm.Scenario("examples/02-parallel-tracking.yaml", limits).problem()
    assert problem.start is not None
    q, v, t = problem.start
    torques, motion = problem.torques(q, v, t), problem.solve(q, v, t)
    assert torques.status == "limited" and any(torques.at_limit) and np.abs(torques.u).max() <= 1e-4 * (1 + 1e-12)
    _, _, A, b = problem.matrices(q, v, t)
    asked = len(motion.residual)  # rows that motors track come last
    np.testing.assert_allclose(torques.shortfall, (b - A @ motion.vdot)[asked:], atol=1e-9)


def test_assembly_counts_its_work() -> None:
    problem = tm.Scenario("examples/03-four-bar.yaml").problem()
    assert problem.start is not None
    there, near = problem.assemble(problem.start.q), problem.assemble(np.asarray(problem.start.q) + 0.05)
    assert there.closed and near.closed and near.iterations > there.iterations and near.attempts >= 1


def redundant(second: str) -> _core.Diagnosis:
    system = tm.System("robots/scara.urdf")
    system.constrain("first", "q1 = 0.1")
    system.constrain("second", second)
    return system.compile().diagnose([0.1, 0.2, 0.3, 0.0], np.zeros(4))


def test_a_redundant_row_follows_from_another_and_agrees_or_not() -> None:
    for second, agrees in (("2*q1 = 0.2", True), ("q1*q1 = 0.01", True)):
        (row,) = redundant(second).redundant
        assert {row.row, *row.follows_from} == {"first", "second"} and row.agrees is agrees
    told = redundant("q1 + 1e-9*q2 = 0.1 + 2e-10")
    assert list(told.nearly_redundant) and told.rank == 2
    assert told.weakest_row in ("first", "second") and 1e-10 < told.weakest_pivot < 1e-8


def test_a_force_that_is_no_number_is_named() -> None:
    system = tm.System("robots/scara.urdf")
    system.input("push", 1)
    system.apply("broken", tm.joint_force("q1", torque="sqrt(push)"))
    problem = system.compile()
    motion = problem.solve(np.zeros(4), np.zeros(4), inputs=[-1.0])
    assert not motion.has_motion and motion.status == "not a number" and "broken" in motion.why
    assert any("broken" in name for name in problem.diagnose(np.zeros(4), np.zeros(4), inputs=[-1.0]).not_numbers)


def test_a_run_counts_its_steps_and_tells_what_it_left_open() -> None:
    problem = tm.Scenario("examples/01-scara-helix.yaml").problem()
    run = problem.simulate(duration=1.0, integrator="rk4", step=0.01, drift="none")
    assert (run.steps, run.rejected_steps) == (100, 0) and run.evaluations >= 400
    opened = [run[name] for name in run.columns if name.startswith("phi.tool")]
    assert run.worst_phi == pytest.approx(np.abs(opened).max(), rel=1e-12)
    assert run.good and run.left_open == []

    loose = tm.Scenario("examples/03-four-bar.yaml").problem().simulate(duration=3.0, integrator="euler", step=0.005, drift="none")
    assert loose.status == "finished" and not loose.good and any("loop" in line for line in loose.left_open)


def test_a_run_of_a_problem_is_a_table_that_pickles_with_its_forces() -> None:
    import pickle

    problem = tm.Scenario("examples/03-four-bar.yaml").problem()
    run = problem.simulate(duration=0.05, reactions=["a"], reaction_axes="joint")
    same = tm.run("examples/03-four-bar.yaml", {"simulate.duration": 0.05})
    np.testing.assert_array_equal(run.forces["loop"].force, same.forces["loop"].force)
    assert run.forces["loop"].uniqueness == same.forces["loop"].uniqueness == "shared"
    assert run.reactions["a"].axes == "joint" and run.reactions["a"].force.shape == (len(run), 3)
    again = pickle.loads(pickle.dumps(run))
    assert again.values.tobytes() == run.values.tobytes() and not again.values.flags.writeable
    np.testing.assert_array_equal(again.forces["loop"].moment, run.forces["loop"].moment)
    assert again.end.q.tolist() == run.end.q.tolist() and again.units == run.units
    assert run.frame().shape == (len(run), len(run.columns) - 1)


def test_velocities_angles_and_expressions_are_recorded() -> None:
    problem = tm.Scenario("examples/01-scara-helix.yaml").problem()
    asked = {"speed": "hypot(tool.vx, tool.vy, tool.vz)", "turned": "q1 + t"}
    run = problem.simulate(duration=0.1, velocities=["tool"], orientations=["tool"], expressions=asked)
    speed = np.sqrt(run["tool.vx"] ** 2 + run["tool.vy"] ** 2 + run["tool.vz"] ** 2)
    np.testing.assert_allclose(run["speed"], speed, rtol=1e-14)
    np.testing.assert_allclose(run["turned"], run["q.q1"] + run["t"], rtol=1e-14)
    np.testing.assert_allclose(run["tool.wz"], run["v.q1"] + run["v.q2"] + run["v.q3"], atol=1e-12)
    assert run.units["tool.yaw"] == "rad"
    with pytest.raises(tm.Error, match="start"):
        problem.simulate(duration=0.1, expressions={"moved": "q1 - start(q1)"})


def test_a_led_run_that_was_concluded_is_asked_nothing() -> None:
    problem = tm.Scenario("examples/03-four-bar.yaml").problem()
    led = problem.simulator(duration=0.1)
    assert led.step(0.05) and not led.ended
    run = led.conclude()
    assert run.status == "stopped" and run.end.t == pytest.approx(0.05) and led.ended
    for ask in (lambda: led.step(0.01), lambda: led.state, led.conclude, lambda: led.set_inputs([])):
        with pytest.raises(tm.Error, match="concluded"):
            ask()


def test_a_run_of_a_problem_tells_its_progress_and_stops_for_what_it_raises() -> None:
    problem = tm.Scenario("examples/12-stewart.yaml").problem()
    parts: list[float] = []
    problem.simulate(duration=5, progress=parts.append)
    assert parts == sorted(parts) and all(0 <= part <= 1 for part in parts)

    def fails(part: float) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        problem.simulate(duration=1000, progress=fails)
