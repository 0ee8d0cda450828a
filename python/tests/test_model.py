"""The tree, against formulas of NumPy: finite differences, energies, and algorithms that check each other."""

import pathlib
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pytrammel

Array = NDArray[np.float64]
ROBOTS = pathlib.Path(__file__).parents[2] / "robots"

# every joint of URDF that moves, with springs of none; a tool fixed to the last link
ROVER = """<robot name="rover">
  <link name="ground"/>
  <link name="hull"><inertial><origin xyz="0.1 0 0.2" rpy="0.1 0.2 0.3"/><mass value="5"/>
    <inertia ixx="0.2" iyy="0.3" izz="0.4" ixy="0.01" ixz="0.02" iyz="0.03"/></inertial></link>
  <link name="plate"><inertial><origin xyz="0 0.1 0"/><mass value="2"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.15" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="arm"><inertial><origin xyz="0.3 0 0"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="slide"><inertial><origin xyz="0 0 0.1"/><mass value="0.5"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tool"/>
  <joint name="base" type="floating"><parent link="ground"/><child link="hull"/></joint>
  <joint name="table" type="planar"><parent link="hull"/><child link="plate"/><origin xyz="0 0 0.3" rpy="0.4 0 0"/>
    <axis xyz="0 1 0"/></joint>
  <joint name="elbow" type="revolute"><parent link="plate"/><child link="arm"/><origin xyz="0.2 0 0" rpy="0 0.5 0"/>
    <axis xyz="1 1 0"/><limit lower="-1" upper="2" effort="10" velocity="1"/></joint>
  <joint name="rail" type="prismatic"><parent link="arm"/><child link="slide"/><origin xyz="0.6 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-0.2" upper="0.3" effort="10" velocity="1"/><dynamics damping="0.7"/></joint>
  <joint name="mount" type="fixed"><parent link="slide"/><child link="tool"/><origin xyz="0 0.1 0.2" rpy="1 2 3"/></joint>
</robot>"""


def robots() -> list[pytrammel.Robot]:
    files = [pytrammel.read_robot(ROBOTS / f"{name}.urdf") for name in ("scara", "parallel", "serial", "two-link")]
    return [*files, pytrammel.Robot(ROVER, "rover.urdf", gravity=(1, -2, -9))]


def states(robot: pytrammel.Robot, count: int = 5) -> list[tuple[Array, Array]]:
    rng = np.random.default_rng(7)
    return [(robot.random(rng), rng.normal(size=robot.nv)) for _ in range(count)]


CASES = [
    pytest.param(robot, q, v, id=f"{robot.name}{i}") for robot in robots() for i, (q, v) in enumerate(states(robot))
]
each_state = pytest.mark.parametrize(("robot", "q", "v"), CASES)


def rotation_vector(R: Array) -> Array:
    """Of a rotation by a small angle."""
    return np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2


def rate(f, robot: pytrammel.Robot, q: Array, v: Array, h: float = 1e-6):  # type: ignore[no-untyped-def]
    """Of f(q), where the robot moves with v: by central differences."""
    return (f(robot.integrate(q, h * v)) - f(robot.integrate(q, -h * v))) / (2 * h)


@each_state
def test_jacobian_is_the_derivative_of_the_pose(robot: pytrammel.Robot, q: Array, v: Array) -> None:
    h = 1e-5
    for frame in robot.frame_names:
        J = robot.jacobian(q, frame)
        assert J.shape == (6, robot.nv)
        for i, direction in enumerate(np.eye(robot.nv)):
            ahead, behind = (robot.pose(robot.integrate(q, s * direction), frame) for s in (h, -h))
            turn = rotation_vector(ahead[:3, :3] @ behind[:3, :3].T) / (2 * h)
            move = (ahead[:3, 3] - behind[:3, 3]) / (2 * h)
            np.testing.assert_allclose(J[:, i], [*turn, *move], atol=1e-9)
        np.testing.assert_allclose(robot.frame_velocity(q, v, frame), J @ v, atol=1e-13)
        along = rate(lambda x: robot.jacobian(x, frame), robot, q, v) @ v
        np.testing.assert_allclose(robot.frame_bias_acceleration(q, v, frame), along, atol=1e-7)


@each_state
def test_poses_are_rigid(robot: pytrammel.Robot, q: Array, v: Array) -> None:
    for frame in robot.frame_names:
        X = robot.pose(q, frame)
        np.testing.assert_allclose(X[:3, :3] @ X[:3, :3].T, np.eye(3), atol=1e-14)
        np.testing.assert_array_equal(X[3], [0, 0, 0, 1])


@each_state
def test_mass_matrix_gives_the_kinetic_energy_and_the_columns_of_inverse_dynamics(
    robot: pytrammel.Robot, q: Array, v: Array
) -> None:
    M = robot.mass_matrix(q)
    assert M.shape == (robot.nv, robot.nv)
    np.testing.assert_allclose(robot.kinetic_energy(q, v), float(v @ M @ v) / 2, rtol=1e-13)
    at_rest = robot.inverse_dynamics(q, v, np.zeros(robot.nv))
    columns = [robot.inverse_dynamics(q, v, unit) - at_rest for unit in np.eye(robot.nv)]
    np.testing.assert_allclose(M, np.transpose(columns), atol=1e-12)


@each_state
def test_gravity_forces_are_the_gradient_of_the_potential(robot: pytrammel.Robot, q: Array, v: Array) -> None:
    gradient = [rate(robot.potential_energy, robot, q, unit) for unit in np.eye(robot.nv)]
    np.testing.assert_allclose(robot.gravity_forces(q), gradient, atol=1e-7)
    weight = float(-robot.mass * robot.gravity @ robot.mass_centre(q))
    np.testing.assert_allclose(robot.potential_energy(q), weight, atol=1e-12)


@each_state
def test_coriolis_matrix_makes_the_bias_and_a_skew_rate(robot: pytrammel.Robot, q: Array, v: Array) -> None:
    C = robot.coriolis_matrix(q, v)
    np.testing.assert_allclose(robot.bias_forces(q, v), C @ v + robot.gravity_forces(q), atol=1e-12)
    skew = rate(robot.mass_matrix, robot, q, v) - 2 * C
    np.testing.assert_allclose(skew, -skew.T, atol=1e-7)


@each_state
def test_forward_dynamics_solves_the_equation_of_motion(robot: pytrammel.Robot, q: Array, v: Array) -> None:
    tau = np.random.default_rng(3).normal(size=robot.nv)
    vdot = robot.forward_dynamics(q, v, tau)
    rest = robot.mass_matrix(q) @ vdot + robot.bias_forces(q, v) - tau - robot.passive_forces(q, v)
    np.testing.assert_allclose(rest, 0, atol=1e-11)
    np.testing.assert_allclose(robot.inverse_dynamics(q, v, vdot), tau, atol=1e-11)


@each_state
def test_energy_grows_by_the_power_of_the_joint_forces(robot: pytrammel.Robot, q: Array, v: Array) -> None:
    tau, h = np.random.default_rng(4).normal(size=robot.nv), 1e-5
    vdot = robot.forward_dynamics(q, v, tau)

    def energy(t: float) -> float:
        place, speed = robot.integrate(q, v * t + vdot * t**2 / 2), v + vdot * t
        return robot.kinetic_energy(place, speed) + robot.potential_energy(place)

    power = float((tau + robot.passive_forces(q, v)) @ v)
    np.testing.assert_allclose((energy(h) - energy(-h)) / (2 * h), power, atol=1e-6 * (1 + abs(power)))


@each_state
def test_momentum_is_mass_times_the_speed_of_the_mass_centre(robot: pytrammel.Robot, q: Array, v: Array) -> None:
    momentum = robot.momentum(q, v)
    assert momentum.shape == (6,)
    np.testing.assert_allclose(momentum[3:], robot.mass * rate(robot.mass_centre, robot, q, v), atol=1e-8)


@each_state
def test_difference_undoes_integrate_and_rates_are_its_derivative(robot: pytrammel.Robot, q: Array, v: Array) -> None:
    np.testing.assert_allclose(robot.difference(q, robot.integrate(q, v / 2)), v / 2, atol=1e-13)
    h = 1e-6
    along = (robot.integrate(q, h * v) - robot.integrate(q, -h * v)) / (2 * h)
    np.testing.assert_allclose(robot.coordinate_rates(q, v), along, atol=1e-9)


def test_facts() -> None:
    rover = robots()[-1]
    assert (rover.name, rover.nq, rover.nv) == ("rover", 12, 11)
    assert rover.joint_names == ["base", "table", "elbow", "rail"]
    assert [joint.type for joint in rover.joints] == ["floating", "planar", "revolute", "prismatic"]
    assert [joint.parent for joint in rover.joints] == ["world", "hull", "plate", "arm"]
    assert {"tool", "hull", "ground"} <= set(rover.frame_names)
    assert len(rover.coordinate_names) == 12 and len(rover.velocity_names) == 11
    np.testing.assert_array_equal(rover.gravity, [1, -2, -9])
    np.testing.assert_array_equal(rover.lower[-2:], [-1, -0.2])
    np.testing.assert_array_equal(rover.upper[-2:], [2, 0.3])
    assert rover.mass == pytest.approx(8.5, rel=1e-15)
    np.testing.assert_array_equal(rover.neutral(), [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    assert "rover" in repr(rover) and "elbow" in repr(rover.joints[2])


def test_random_configurations_come_from_the_seed_and_keep_the_limits() -> None:
    rover = robots()[-1]
    np.testing.assert_array_equal(rover.random(3), rover.random(3))
    many = np.array([rover.random(seed) for seed in range(200)])
    assert (many[:, -2:] >= rover.lower[-2:]).all() and (many[:, -2:] <= rover.upper[-2:]).all()
    assert many[:, -2].max() > 1.9 and many[:, -2].min() < -0.9
    np.testing.assert_allclose(np.linalg.norm(many[:, 3:7], axis=1), 1, atol=1e-15)


def test_a_robot_pickles() -> None:
    for robot in robots():
        again = pickle.loads(pickle.dumps(robot))
        q, v = states(robot, 1)[0]
        np.testing.assert_array_equal(again.bias_forces(q, v), robot.bias_forces(q, v))


def test_arrays_outlive_the_robot() -> None:
    robot = robots()[0]
    M, expected = robot.mass_matrix(robot.neutral()), robot.mass_matrix(robot.neutral()).copy()
    del robot
    np.testing.assert_array_equal(M, expected)
    M[0, 0] = 1  # and belong to whoever asked


def test_lists_whole_numbers_and_arrays_with_gaps_are_welcome() -> None:
    robot = robots()[0]
    expected = robot.mass_matrix(np.array([1.0, 2.0, 0.0, 1.0]))
    wide = np.zeros((4, 3))
    wide[:, 1] = [1, 2, 0, 1]
    for q in ([1, 2, 0, 1], (1.0, 2, 0, 1), np.array([1, 2, 0, 1]), wide[:, 1], np.array([1, 2, 0, 1], dtype="f4")):
        np.testing.assert_array_equal(robot.mass_matrix(q), expected)


@pytest.mark.parametrize(
    ("q", "error", "message"),
    [
        ([1, 2, 3], pytrammel.Error, r"q of shape \(3,\); allowed: \(4,\)"),
        ([[1, 2, 3, 4]], pytrammel.Error, r"q of shape \(1, 4\); allowed: \(4,\)"),
        (np.zeros((1, 4)), pytrammel.Error, r"q of shape \(1, 4\)"),
        (1.0, pytrammel.Error, r"q of shape \(\)|q of shape \(1,\)"),
        ([1, 2, np.nan, 4], pytrammel.Error, r"q\[2\] = nan; allowed: finite numbers"),
        ([1, -np.inf, 3, 4], pytrammel.Error, r"q\[1\] = -inf"),
        (["a", "b", "c", "d"], TypeError, "q: found list of dtype <U1; allowed: an array of real numbers"),
        ([1j, 0, 0, 0], TypeError, "q: found list of dtype complex128"),
        ([[1], [1, 2]], TypeError, "q: found a list that makes no array"),
        (None, TypeError, "None"),
        (np.datetime64("2020-01-01"), TypeError, "q: found datetime64 of dtype datetime64"),
        (np.array(["2020-01-01"] * 4, dtype="M8[D]"), TypeError, "q: found ndarray of dtype datetime64"),
        (np.zeros(4, dtype=object), TypeError, "q: found ndarray of dtype object"),
        (np.zeros(4, dtype=">f8")[:3], pytrammel.Error, r"q of shape \(3,\)"),
        ({}, TypeError, "q: found dict of dtype object"),
        ([1e300, 0, 0, 0], pytrammel.Error, "too large to compute with"),
    ],
)
def test_wrong_arrays_are_refused_by_name(q: object, error: type[Exception], message: str) -> None:
    robot = robots()[0]
    with pytest.raises(error, match=message):
        robot.mass_matrix(q)  # type: ignore[arg-type]


def test_wrong_names_quaternions_and_files_are_refused(tmp_path: pathlib.Path) -> None:
    rover = robots()[-1]
    with pytest.raises(pytrammel.Error, match="did you mean 'tool'|tool"):
        rover.pose(rover.neutral(), "tol")
    with pytest.raises(pytrammel.Error, match="quaternion of joint 'base'"):
        rover.mass_matrix(2 * rover.neutral())
    with pytest.raises(pytrammel.Error, match="no such file"):
        pytrammel.read_robot(tmp_path / "nowhere.urdf")
    with pytest.raises(pytrammel.Error) as caught:
        pytrammel.Robot(ROVER.replace('value="5"', 'value="-5"'), "rover.urdf")
    assert caught.value.file == "rover.urdf" and caught.value.line == 3
    with pytest.raises(pytrammel.Error, match=r"gravity of shape \(2,\)"):
        pytrammel.Robot(ROVER, gravity=(0, 9))


def kinds_of_arrays(x: Array) -> dict[str, Any]:
    """The same numbers, otherwise in memory."""
    memory = np.zeros(8 * len(x) + 1, np.uint8)
    unaligned = memory[1:].view(np.float64)
    unaligned[:] = x
    fixed = x.copy()
    fixed.setflags(write=False)
    return {
        "list": x.tolist(), "tuple": tuple(x), "swapped": x.astype(">f8"), "gaps": np.repeat(x, 3)[::3], "backwards": x[::-1].copy()[::-1],
        "unaligned": unaligned, "read only": fixed, "subclass": x.view(np.recarray), "memory": x.data, "long": x.astype(np.longdouble),
    }  # fmt: skip


@each_state
def test_any_array_of_the_same_numbers_gives_the_same(robot: pytrammel.Robot, q: Array, v: Array) -> None:
    expected = robot.inverse_dynamics(q, v, v)
    for kind, given in kinds_of_arrays(v).items():
        np.testing.assert_array_equal(robot.inverse_dynamics(q, given, v), expected, kind)
        np.testing.assert_array_equal(robot.inverse_dynamics(q, v, given), expected, kind)
    single = robot.inverse_dynamics(q, v.astype(np.float32), v)
    np.testing.assert_allclose(single, expected, atol=1e-4 * (1 + abs(expected).max()))


def test_answers_are_the_callers_own_and_a_refused_call_leaves_nothing_behind() -> None:
    one, other = (pytrammel.Robot(ROVER, gravity=(0, 0, g)) for g in (-9.81, 3.0))  # of one size
    (q, v), (q2, v2) = states(one, 2)
    first = one.inverse_dynamics(q, v, v)
    assert first.flags.owndata and first.flags.writeable and one.mass_matrix(q).flags.owndata
    copy, mass = first.copy(), one.mass_matrix(q)
    wrongs: list[Any] = [q * 2, np.full(one.nq, 1e9), q[:-1], [None] * one.nq]
    for wrong in wrongs:
        with pytest.raises((pytrammel.Error, TypeError)):
            one.inverse_dynamics(wrong, v, v)
        with pytest.raises((pytrammel.Error, TypeError)):
            one.mass_matrix(wrong)
        assert not np.array_equal(other.inverse_dynamics(q, v, v), copy)
        other.mass_matrix(q2), one.inverse_dynamics(q2, v2, v2)
        np.testing.assert_array_equal(one.inverse_dynamics(q, v, v), copy)
        np.testing.assert_array_equal(one.mass_matrix(q), mass)
    np.testing.assert_array_equal(first, copy)
