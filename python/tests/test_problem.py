"""A problem at a state, against the formulas of the papers in NumPy, over states of the shipped examples."""

import pathlib
import pickle

import numpy as np
import pytest
from numpy.typing import NDArray

import pytrammel

Array = NDArray[np.float64]
ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("[0-9]*.yaml"))
FRICTION = """
trammel: 1
bodies:
  bead: {mass: 0.5}
  carrier: {mass: 0.1}
joints:
  - {name: across, prismatic: x, from: world, to: carrier}
  - {name: up, prismatic: z, from: carrier, to: bead}
constraints:
  - {name: wire, point: bead, on: {plane: {through: [0, 0, 0], normal: [0.3, 0, -1]}}, friction: 0.2}
"""
PUSHED = """
trammel: 1
inputs: {push: 2, hold: 0}
bodies:
  cart: {mass: 2}
  bob: {mass: 1, com: [0, 0, -0.5], inertia: [0.01, 0.01, 0.01]}
joints:
  - {name: rail, prismatic: x, from: world, to: cart}
  - {name: hinge, revolute: y, from: cart, to: bob}
forces:
  - {joint: rail, force: push - hold*rail}
simulate: {duration: 0.5}
"""


def problems() -> list[pytrammel.Problem]:
    return [pytrammel.Scenario(path).problem() for path in EXAMPLES]


def states(problem: pytrammel.Problem, count: int) -> list[tuple[Array, Array, float]]:
    """About the start, on the constraints: assembled from random steps, at random times, with random velocities before."""
    rng = np.random.default_rng(11)
    start = problem.start
    assert start is not None
    out = []
    for _ in range(count):
        q = problem.model.integrate(start.q, rng.normal(scale=0.05, size=problem.nv))
        v = np.asarray(start.v) + rng.normal(scale=0.3, size=problem.nv)
        at = problem.assemble(q, v, start.t)
        if at.closed:
            out.append((at.q, at.v, start.t))
    return out


PROBLEMS = problems()
each_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=[path.stem for path in EXAMPLES])


def root_inverse(M: Array) -> Array:
    values, vectors = np.linalg.eigh(M)
    result: Array = vectors @ np.diag(values**-0.5) @ vectors.T
    return result


def udwadia_kalaba(M: Array, Q: Array, A: Array, b: Array) -> tuple[Array, Array]:
    """v̇ and Qc as printed: Qc = M^{1/2} (A M^{−1/2})⁺ (b − A M⁻¹ Q)."""
    a = np.linalg.solve(M, Q)
    W = root_inverse(M)
    y = np.linalg.pinv(A @ W, rcond=1e-9) @ (b - A @ a)
    return a + W @ y, np.asarray(np.linalg.solve(W, y), dtype=np.float64)


def motors(problem: pytrammel.Problem) -> Array:
    """S: which velocity each motor drives."""
    names = problem.model.velocity_names
    S = np.zeros((problem.nv, len(problem.motors)))
    for j, motor in enumerate(problem.motors):
        S[names.index(motor), j] = 1
    return S


@each_problem
def test_motion_is_that_of_the_formula_in_numpy(problem: pytrammel.Problem) -> None:
    found = states(problem, 10)
    assert found
    for q, v, t in found:
        M, Q, A, b = problem.matrices(q, v, t)
        motion = problem.solve(q, v, t)
        assert motion.has_motion and motion.why == ""
        held = len(motion.residual)  # rows that motors track come last
        if problem.driven:
            Q = Q + motors(problem) @ motion.torques
        vdot, Qc = udwadia_kalaba(M, Q, A[:held], b[:held])
        scale, force = 1 + np.abs(vdot).max(), 1 + np.abs(Qc).max() + np.abs(Q).max()
        np.testing.assert_allclose(motion.vdot, vdot, atol=1e-8 * scale)
        np.testing.assert_allclose(motion.Qc, Qc, atol=1e-8 * force)
        np.testing.assert_allclose(M @ motion.vdot, Q + motion.Qc, atol=1e-10 * force)
        np.testing.assert_allclose(motion.residual, A[:held] @ motion.vdot - b[:held], atol=1e-9 * scale)
        assert motion.rank <= np.linalg.matrix_rank(A @ root_inverse(M), tol=1e-9) or problem.driven


@each_problem
def test_tracked_rows_hold_under_the_torques(problem: pytrammel.Problem) -> None:
    if not problem.driven:
        with pytest.raises(pytrammel.Error, match="actuator|motor"):
            problem.torques(*states(problem, 1)[0])
        return
    for q, v, t in states(problem, 5):
        torques = problem.torques(q, v, t)
        M, Q, A, b = problem.matrices(q, v, t)
        motion = problem.solve(q, v, t)
        np.testing.assert_array_equal(torques.u, motion.torques)
        assert torques.motors == problem.motors and torques[torques.motors[0]] == torques.u[0]
        if torques.status == "realised":
            scale = 1 + np.abs(motion.vdot).max()
            np.testing.assert_allclose(A @ motion.vdot, b, atol=1e-7 * scale)
            assert torques.what == ""
        with pytest.raises(pytrammel.Error, match="motor 'nobody'"):
            torques["nobody"]


@each_problem
def test_named_forces_add_up_and_do_on_bodies_what_they_do_on_joints(problem: pytrammel.Problem) -> None:
    for q, v, t in states(problem, 3):
        motion = problem.solve(q, v, t)
        forces = motion.forces
        A = problem.matrices(q, v, t).A
        scale = 1 + sum(np.abs(force.generalised).max() for force in forces.values())
        total = sum((force.generalised for force in forces.values()), np.zeros(problem.nv))
        np.testing.assert_allclose(total, motion.Qc, atol=1e-9 * scale)
        multipliers = np.concatenate([force.multipliers for force in forces.values()] or [np.zeros(0)])
        np.testing.assert_allclose(A[: len(multipliers)].T @ multipliers, motion.Qc, atol=1e-9 * scale)
        for name, force in forces.items():
            assert force.name == name and name in repr(force)
            assert force.unique == (force.uniqueness == "unique")
            np.testing.assert_array_equal(force.wrench, [*force.moment, *force.force])
            np.testing.assert_allclose(force.power, force.generalised @ v, atol=1e-9 * scale)
            if force.body is None or list(force.wrenches) != [force.body] or name in ("high x", "high z", "low x", "low z"):
                continue  # these equations also speak of coordinates, on which they act without a wrench
            # one body alone feels it: its wrench, through the Jacobian of the link, is the generalised force
            J, X = problem.model.jacobian(q, force.body), problem.model.pose(q, force.body)
            moment = force.moment + np.cross(force.place - X[:3, 3], force.force)
            by_wrench = J.T @ np.array([*moment, *force.force])
            np.testing.assert_allclose(by_wrench, force.generalised, atol=1e-9 * scale)


def test_some_forces_are_checked_by_their_wrench() -> None:
    found = 0
    for problem in PROBLEMS:
        q, v, t = states(problem, 1)[0]
        found += sum(list(f.wrenches) == [f.body] for f in problem.ledger(q, v, t).values())
    assert found > 5


def test_reaction_at_the_foot_carries_what_changes_the_momentum() -> None:
    problem = pytrammel.Scenario(ROOT / "examples/18-serial-forward.yaml").problem()
    robot, h = problem.model, 1e-6
    for q, v, t in states(problem, 5):
        motion = problem.solve(q, v, t)

        def momentum(s: float, q: Array = q, v: Array = v, vdot: Array = motion.vdot) -> Array:
            return robot.momentum(robot.integrate(q, v * s + vdot * s**2 / 2), v + vdot * s)[3:]

        foot = next(joint for joint in robot.joints if joint.parent == "world")
        change = (momentum(h) - momentum(-h)) / (2 * h)
        reaction = motion.reactions[foot.name]
        needed = change - robot.mass * robot.gravity
        if foot.type == "revolute":
            np.testing.assert_allclose(reaction.force, needed, atol=1e-5 * (1 + np.abs(needed).max()))
        np.testing.assert_array_equal(reaction.force, problem.reactions(q, v, t)[foot.name].force)
        turned = robot.pose(q, foot.link)[:3, :3]
        np.testing.assert_allclose(turned @ reaction.force_in_joint, reaction.force, atol=1e-12 * np.abs(needed).max())


@each_problem
def test_diagnosis_has_the_rank_that_numpy_finds(problem: pytrammel.Problem) -> None:
    for q, v, t in states(problem, 3):
        diagnosis = problem.diagnose(q, v, t)
        M, _, A, _ = problem.matrices(q, v, t)
        rank = np.linalg.matrix_rank(A @ root_inverse(M), tol=1e-9) if len(A) else 0
        assert diagnosis.rank == rank
        assert diagnosis.freedoms_before == problem.nv
        assert diagnosis.freedoms_after == problem.nv - rank
        assert len(diagnosis.redundant) == len(A) - rank
        assert diagnosis.contradictory == []
        names = {row.name for row in problem.rows}
        assert {row.row for row in diagnosis.redundant} <= names
        assert max((phi for phi, _ in diagnosis.residuals.values()), default=0) < 1e-9
        assert max((rate for _, rate in diagnosis.residuals.values()), default=0) < 1e-9


def test_contradictory_rows_are_named() -> None:
    text = (ROOT / "examples/07-five-bar.yaml").read_text()
    text = text.replace("control:", "  - {name: first, equation: '`left motor` = 2'}\n  - {name: second, equation: '`left motor` = 2 + t^2'}\ncontrol:")
    scenario = pytrammel.Scenario(text, set={"initial.assemble": "false", "simulate.drift": "none"})
    problem = scenario.problem()
    start = scenario.start
    diagnosis = problem.diagnose(start.q, start.v)
    assert diagnosis.status == "contradictory"
    assert set(diagnosis.contradictory) & {"first", "second"}
    assert "contradict" in str(diagnosis) or "agree" in str(diagnosis)


def test_layout_of_rows() -> None:
    problem = PROBLEMS[6]  # the five-bar
    assert [row.name for row in problem.rows] == ["loop[0]", "loop[1]", "eight[0]", "eight[1]"]
    assert [row.layer for row in problem.rows] == ["physical"] * 2 + ["control"] * 2
    assert [row.role for row in problem.rows] == ["constraint"] * 2 + ["control"] * 2
    assert {row.unit for row in problem.rows} == {"m"} and {row.level for row in problem.rows} == {"position"}
    assert problem.constraints == ["loop", "eight"]
    assert problem.motors == ["left motor", "right motor"] and problem.driven
    assert (problem.nq, problem.nv) == (4, 4)
    assert "4 rows" in repr(problem)


def test_assembly_keeps_what_it_is_told_and_closes() -> None:
    problem = PROBLEMS[6]
    guess = np.array([2.0, -1.0, 1.0, 1.0])
    at = problem.assemble(guess)
    assert at.closed and at.status == "closed" and at.open == ""
    assert at.moved == pytest.approx(np.abs(at.q - guess).max(), rel=1e-12)
    assert max(phi for phi, _ in problem.diagnose(at.q, at.v).residuals.values()) < 1e-12
    kept = problem.with_parameters({}).assemble(at.q + [0, 0.01, 0, 0], keep=["left motor"])
    assert kept.closed and kept.q[0] == at.q[0]
    with pytest.raises(pytrammel.Error, match="left motor"):
        problem.assemble(guess, keep=["left moter"])


def test_inputs_by_name_and_as_an_array() -> None:
    problem = pytrammel.Scenario(PUSHED).problem()
    assert problem.inputs == {"push": 2, "hold": 0}
    q, v = np.array([0.5, 0.3]), np.array([0.1, -0.2])
    for inputs, push in [(None, 2.0), ({"push": 5}, 5.0), ([1, 4], -1.0), ({"hold": 2.0}, 1.0), (None, 2.0)]:
        motion = problem.solve(q, v, inputs=inputs)
        robot = problem.model
        expected = robot.forward_dynamics(q, v, [push, 0])
        np.testing.assert_allclose(motion.vdot, expected, atol=1e-13)
        M, Q, _, _ = problem.matrices(q, v, inputs=inputs)
        np.testing.assert_allclose(np.linalg.solve(M, Q), expected, atol=1e-12)
        assert motion.forces == {}
    with pytest.raises(pytrammel.Error, match="push"):
        problem.solve(q, v, inputs={"pusch": 1})
    with pytest.raises(pytrammel.Error, match=r"inputs of shape \(1,\); allowed: \(2,\)"):
        problem.solve(q, v, inputs=[1])
    with pytest.raises(pytrammel.Error, match=r"inputs\['push'\] = nan"):
        problem.solve(q, v, inputs={"push": np.nan})
    with pytest.raises(TypeError, match=r"inputs\['push'\]: found 'a'"):
        problem.solve(q, v, inputs={"push": "a"})  # type: ignore[dict-item]


def test_friction_of_constraints_is_in_the_forces() -> None:
    problem = pytrammel.Scenario(FRICTION).problem()
    q, v = np.array([1.0, 0.3]), np.array([1.0, 0.3])
    motion = problem.solve(q, v)
    M, Q, A, b = problem.matrices(q, v)
    force = motion.forces["wire"]
    assert force.power < 0 and np.abs(force.working).max() > 0.1
    np.testing.assert_allclose(A @ motion.vdot, b, atol=1e-12)
    np.testing.assert_allclose(M @ motion.vdot, Q + A.T @ force.multipliers + force.working, atol=1e-12)


def test_parameters_are_changed_by_name() -> None:
    path = ROOT / "examples/07-five-bar.yaml"
    problem = pytrammel.Scenario(path).problem()
    assert problem.parameters["bodies.left rod.mass"] == 0.35 and problem.changes == {}
    heavy = problem.with_parameters({"bodies.left rod.mass": 0.7})
    assert heavy.parameters["bodies.left rod.mass"] == 0.7 and heavy.changes == {"bodies.left rod.mass": 0.7}
    written = pytrammel.Scenario(path, set={"bodies.left rod.mass": 0.7}).problem()
    for q, v, t in states(problem, 3):
        np.testing.assert_array_equal(heavy.solve(q, v, t).vdot, written.solve(q, v, t).vdot)
        assert not np.array_equal(heavy.solve(q, v, t).torques, problem.solve(q, v, t).torques)
    with pytest.raises(pytrammel.Error, match="left rod.mass"):
        problem.with_parameters({"bodies.left rod.mas": 1})


def test_a_system_is_compiled_with_its_options() -> None:
    scenario = pytrammel.Scenario(ROOT / "examples/03-four-bar.yaml")
    problem = pytrammel.Problem(scenario.system, rank_tolerance=1e-9, baumgarte=(20, 100))
    assert problem.rank_tolerance == 1e-9 and problem.baumgarte == (20, 100) and problem.start is None
    q, v, t = scenario.start
    off = q + 0.01
    M, Q, A, b = problem.matrices(off, v, t)
    plain = pytrammel.Problem(scenario.system).matrices(off, v, t)
    np.testing.assert_array_equal(A, plain.A)
    np.testing.assert_array_equal(M, plain.M)
    np.testing.assert_array_equal(Q, plain.Q)
    h = 1e-6
    model = problem.model
    # what stabilisation adds is −α φ̇ − β φ; A is the derivative of φ, so the rate of that along u is −β A u to first order
    u = np.random.default_rng(2).normal(size=problem.nv)
    added = [
        problem.matrices(at, 0 * v, t).b - pytrammel.Problem(scenario.system).matrices(at, 0 * v, t).b
        for at in (model.integrate(off, h * u), model.integrate(off, -h * u))
    ]
    np.testing.assert_allclose((added[0] - added[1]) / (2 * h), -100 * A @ u, atol=1e-6)
    with pytest.raises(pytrammel.Error):
        pytrammel.Problem(scenario.system, rank_tolerance=-1)
    with pytest.raises(pytrammel.Error):
        pytrammel.Problem(scenario.system, baumgarte=(np.nan, 0))
    with pytest.raises(TypeError):
        pytrammel.Problem("scenario")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="start: found None"):
        problem.simulate(duration=1)
    with pytest.raises(TypeError, match="duration: found None"):
        problem.simulate((q, v))
    assert problem.simulate((q, v, t), 0.05, integrator="rk4", step=1e-3).steps == 50


def test_states_unpack_and_pickle() -> None:
    state = pytrammel.State([1, 2], [3.5], 4)
    q, v, t = pickle.loads(pickle.dumps(state))
    assert (list(q), list(v), t) == ([1, 2], [3.5], 4)
    assert "t=4.0" in repr(state)
    with pytest.raises(pytrammel.Error, match=r"v\[0\] = nan"):
        pytrammel.State([1], [np.nan])


def test_singular_motion_is_a_value_with_a_reason() -> None:
    text = PUSHED.replace("{mass: 2}", "{mass: 0}").replace("com: [0, 0, -0.5], inertia: [0.01, 0.01, 0.01]", "com: [0, 0, -0.5]")
    problem = pytrammel.Scenario(text).problem()
    motion = problem.solve([0, 0], [0, 0])  # the bob below its hinge: cart and bob slide as one
    assert not motion.has_motion
    assert np.isnan(motion.vdot).all() and "mass matrix that is singular" in motion.why
    with pytest.raises(pytrammel.Error, match="without a motion"):
        motion.forces  # noqa: B018


@pytest.mark.parametrize("seed", range(100))
def test_wrong_calls_end_in_messages(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = PROBLEMS[rng.integers(len(PROBLEMS))]
    n = problem.nq
    wrong = [
        None, "text", b"bytes", 3, 1.5, 1j, object(), {}, {"a": 1}, [], [None] * n, ["x"] * n, [[1.0] * n] * 2,
        np.zeros(n + 1), np.zeros((n, 1)), np.full(n, np.nan), np.full(n, np.inf), np.zeros(n, dtype=complex),
        np.array(["a"] * n), np.zeros((2, 2, 2)), np.zeros(0), lambda: 0, np.datetime64("2020-01-01"),
    ]  # fmt: skip
    bad = wrong[rng.integers(len(wrong))]
    good_q, good_v = problem.start.q, problem.start.v  # type: ignore[union-attr]
    name = ["solve", "matrices", "torques", "diagnose", "assemble", "ledger", "reactions", "solve_batch"][rng.integers(8)]
    arguments = [(bad, good_v), (good_q, bad), (bad, bad), (good_q, good_v, bad), (good_q, good_v, 0.0, bad)]
    chosen = arguments[rng.integers(len(arguments))]
    try:
        getattr(problem, name)(*chosen)
    except (pytrammel.Error, TypeError) as error:
        assert len(str(error)) > 10
