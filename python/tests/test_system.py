"""System: the words of scenarios from Python, with the same rows, the same checks, and messages that name the key."""

import copy
import inspect
import pathlib
import pickle
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

import pytrammel as tm
from pytrammel import _core, kinds

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))
SCARA = ROOT / "robots" / "scara.urdf"
MATRICES = getattr(_core, "_matrices")


def matrices(system: _core.System, seed: int, t: float = 0.3) -> list[np.ndarray]:
    """M, Q, A, b at a seeded state; quaternions as they come, which A and b do not mind."""
    random = np.random.default_rng(seed)
    q = random.uniform(-1, 1, len(system.coordinates))
    for i, name in enumerate(system.coordinates):
        if name.endswith("[3]") and f"{name[:-3]}[6]" in system.coordinates:
            q[i : i + 4] /= np.linalg.norm(q[i : i + 4])
    return list(MATRICES(system, q, random.uniform(-1, 1, len(system.velocities)), t))


def same_to_the_bit(a: _core.System, b: _core.System) -> None:
    assert (a.constraints, a.forces, a.actuators, a.inputs) == (b.constraints, b.forces, b.actuators, b.inputs)
    for seed in range(5):
        for mine, other in zip(matrices(a, seed), matrices(b, seed), strict=True):
            assert mine.tobytes() == other.tobytes()


def yaml_system(text: str) -> _core.System:
    return _core.read_system(text, "text", str(ROOT), [], [])


def words(kind: str) -> dict[str, list[str]]:
    return {name: keys for of, name, keys in _core.words() if of == kind}


def keys_of(function: Callable[..., object]) -> list[str]:
    return [name.rstrip("_") for name in inspect.signature(function).parameters]


def test_kinds_are_exactly_those_of_scenarios() -> None:
    assert set(kinds.CONSTRAINTS) == set(words("constraint"))
    assert set(kinds.SURFACES) == set(words("surface"))
    assert set(kinds.FORCES) == set(words("force"))
    frames = {"hinge": 2, "slide": 2, "weld": 2, "distance": 2, "spring": 2, "gear": 2, "rack": 2}  # parameters that are frames; one if not told
    for kind, keys in words("constraint").items():
        others = [] if kind == "equation" else keys_of(kinds.CONSTRAINTS[kind])[frames.get(kind, 1) :]
        assert sorted(others) == sorted(keys), kind
    for kind, keys in words("force").items():
        assert sorted(keys_of(kinds.FORCES[kind])[frames.get(kind, 1) :]) == sorted(keys), kind
    for kind, keys in words("surface").items():
        assert sorted(keys_of(kinds.SURFACES[kind])) == sorted(keys), kind


def test_keys_of_every_constraint_are_parameters_of_constrain() -> None:
    for key in words("every")["constraint"]:
        assert key in inspect.signature(tm.System.constrain).parameters


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_the_same_system(example: pathlib.Path) -> None:
    wanted = _core.read_system(example.read_text(), example.name, str(example.parent), [], [])
    system = tm.System.from_scenario(example)
    same_to_the_bit(system.read(), wanted)
    again = tm.System.from_scenario(system.to_yaml())
    assert again == system
    same_to_the_bit(again.read(), wanted)
    same_to_the_bit(tm.System.from_scenario(system.to_dict()).read(), wanted)


# every kind: as a scenario has it, and as Python does
BODIES = """
constants: {r: 0.2}
inputs: {push: 0.5}
bodies:
  box: {mass: 2, com: [0.1, 0, 0], inertia: [0.1, 0.2, 0.3]}
  arm: {mass: 1, com: [0, 0.1, 0], inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: free, floating: true, from: world, to: box}
  - {name: turn, revolute: z, from: box, to: arm, at: {xyz: [0.3, 0, 0]}, damping: 0.1}
frames:
  tip: {on: arm, at: {xyz: [0.1, 0.2, 0.3], rpy: [0.1, 0.2, 0.3]}}
  wall: {on: world, at: {xyz: [1, 0, 0]}}
  corner: {on: box, at: {xyz: [0, 0.5, 0], rpy: [0, 0.4, 0]}}
"""


def python_system() -> tm.System:
    system = tm.System()
    system.constants(r=0.2)
    system.input("push", 0.5)
    system.body("box", 2, [0.1, 0.2, 0.3], com=[0.1, 0, 0])
    system.body("arm", 1, np.array([0.1, 0.1, 0.1]), com=(0, 0.1, 0))
    system.joint("free", "world", "box", floating=True)
    system.joint("turn", "box", "arm", [0.3, 0, 0], revolute="z", damping=0.1)
    system.frame("tip", "arm", {"xyz": [0.1, 0.2, 0.3], "rpy": [0.1, 0.2, 0.3]})
    system.frame("wall", "world", [1, 0, 0])
    system.frame("corner", "box", {"xyz": [0, 0.5, 0], "rpy": [0, 0.4, 0]})
    return system


CONSTRAINTS = {
    "point: tip, x: r*sin(t), z: 0.3": tm.point("tip", x="r*sin(t)", z=0.3),
    "point: tip, y: 0.1, in: corner": tm.point("tip", y=0.1, in_="corner"),
    "point: tip, on: {plane: {through: [0, 0, r], normal: x, of: corner}}": tm.point(
        "tip", on=tm.plane([0, 0, "r"], "x", of="corner")
    ),
    "point: tip, on: {line: {along: [1, 1, 0]}}": tm.point("tip", on=tm.line(along=[1, 1, 0])),
    "point: tip, on: {cylinder: {radius: r}}": tm.point("tip", on=tm.cylinder("r")),
    "point: tip, on: {sphere: {center: [0, 0, 1], radius: 0.4}}": tm.point("tip", on=tm.sphere(0.4, [0, 0, 1])),
    "coincide: [tip, wall, corner], axes: xy": tm.coincide("tip", "wall", "corner", axes="xy"),
    "hinge: [wall, tip]": tm.hinge("wall", "tip"),
    "slide: [wall, tip]": tm.slide("wall", "tip"),
    "weld: [wall, tip]": tm.weld("wall", "tip"),
    "distance: [wall, tip], length: 0.7": tm.distance("wall", "tip", 0.7),
    "equation: tip.x^2 + turn = push": tm.equation("tip.x^2 + turn = push"),
    "orientation: tip, rpy: [0.1*t, 0, 0.2]": tm.orientation("tip", rpy=["0.1*t", 0, 0.2]),
    "orientation: tip, zyz: [0.1*t, 0.5, 0.2]": tm.orientation("tip", zyz=["0.1*t", 0.5, 0.2]),
    "orientation: tip, axis: z, along: [0, 0.1, 1]": tm.orientation("tip", axis="z", along=[0, 0.1, 1]),
    "rolls: tip, radius: 0.2, tyre: 0.01, on: {plane: {}}": tm.rolls("tip", 0.2, tm.plane(), tyre=0.01),
    "rolls: tip, radius: 0.2, shape: sphere, on: {plane: {}}": tm.rolls("tip", 0.2, tm.plane(), shape="sphere"),
    "knife_edge: tip, axis: x": tm.knife_edge("tip", "x"),
    'gear: [turn, "free[0]"], ratio: -3, offset: 0.1*t': tm.gear("turn", "free[0]", -3, "0.1*t"),
    'rack: ["free[0]", turn], radius: 0.1': tm.rack("free[0]", "turn", 0.1),
    "rolls: tip, radius: 0.1, shape: sphere, inside: {cylinder: {radius: 0.5}}": tm.rolls(
        "tip", 0.1, shape="sphere", inside=tm.cylinder(0.5)
    ),
}


@pytest.mark.parametrize("text", CONSTRAINTS)
def test_a_kind_has_the_rows_of_the_scenario(text: str) -> None:
    system = python_system()
    system.constrain("it", CONSTRAINTS[text], scale=0.5)
    wanted = yaml_system(BODIES + f"constraints:\n  - {{name: it, {text}, scale: 0.5}}\n")
    same_to_the_bit(system.read(), wanted)
    assert matrices(wanted, 1)[2].shape[0] > 0


def test_every_kind_is_among_them() -> None:
    assert {text.split(":")[0] for text in CONSTRAINTS} == set(words("constraint"))


def test_extras_layers_forces_motors_and_motions_are_those_of_the_scenario() -> None:
    system = python_system()
    system.constrain("pin", tm.hinge("wall", "tip"), compliance={"force": 1e-8, "torque": 1e-6})
    system.constrain("floor", tm.point("corner", on=tm.plane()), friction=0.2, baumgarte=(10, 25))
    system.control("heading", "turn = 0.3*t", baumgarte={"alpha": 10, "beta": 25})
    system.constrain("also", "corner.x = 0.1", layer="control")
    system.move({"turn": "start + 0.1*cycloid(t)"})
    system.apply("push it", tm.joint_force("turn", torque="push*cos(t)"))
    system.apply("wind", tm.point_force("tip", [0, "-5*t", 1]))
    system.define("gust", "3*sin(t)")
    system.apply("jet", tm.point_force("tip", [0, "gust", 1], in_="tip"))
    system.apply("twist", tm.body_torque("tip", [0, 0, "2*gust"], in_="wall"))
    system.apply("coil", tm.spring("wall", "tip", stiffness=800, damping=5, length=0.2))
    system.drive("turn", limit=12, weight=2, name="motor")
    system.initial(q={"turn": "10 deg"}, assemble=False)
    wanted = yaml_system(
        BODIES
        + """
constraints:
  - {name: pin, hinge: [wall, tip], compliance: {force: 1e-8, torque: 1e-6}}
  - {name: floor, point: corner, on: {plane: {}}, friction: 0.2, baumgarte: {alpha: 10, beta: 25}}
define: {gust: 3*sin(t)}
control:
  - {name: heading, equation: turn = 0.3*t, baumgarte: {alpha: 10, beta: 25}}
  - {name: also, equation: corner.x = 0.1}
motion: {turn: start + 0.1*cycloid(t)}
forces:
  - {joint: turn, torque: push*cos(t), name: push it}
  - {point: tip, force: [0, -5*t, 1], name: wind}
  - {point: tip, force: [0, gust, 1], in: tip, name: jet}
  - {body: tip, torque: [0, 0, 2*gust], in: wall, name: twist}
  - {spring: [wall, tip], stiffness: 800, damping: 5, length: 0.2, name: coil}
actuators:
  - {joint: turn, limit: 12, weight: 2, name: motor}
initial: {q: {turn: 10 deg}, assemble: false}
"""
    )
    same_to_the_bit(system.read(), wanted)


def test_several_robots_and_robots_from_read_robot() -> None:
    left = {"file": SCARA, "name": "left", "base": "floating", "at": {"xyz": [0.5, 0, 0]}}
    both = tm.System([left, {"file": SCARA, "name": "right"}], gravity=[0, 0, 0])
    assert both.read().coordinates[-1] == "right.q4"
    one = tm.System(tm.read_robot(SCARA)).read()
    same_to_the_bit(one, tm.System(str(SCARA)).read())
    weightless = tm.System(tm.read_robot(SCARA, gravity=[0, 0, 0]))
    assert weightless.to_dict()["gravity"] == [0, 0, 0]
    inline = tm.System({"bodies": {"a": {"mass": 1, "inertia": [1, 1, 1]}}, "joints": [{"name": "q", "revolute": "z", "from": "world", "to": "a"}]})
    assert inline.read().coordinates == ["q"]


def test_copies_are_equal_and_pickle_keeps_every_bit() -> None:
    system = python_system()
    system.constrain("pin", tm.hinge("wall", "tip"))
    for other in (copy.deepcopy(system), pickle.loads(pickle.dumps(system))):
        assert other == system
        same_to_the_bit(other.read(), system.read())
        other.constrain("more", "turn = 0")
        assert other != system
        assert system.read().constraints == ["pin"]


def test_numbers_arrive_to_the_last_bit() -> None:
    for value in (0.1, 1 / 3, 1e-300, 123456789.123456789, 5e-324, 1e22):
        system = python_system()
        system.constrain("it", tm.distance("wall", "tip", value))
        built = system.read()
        state = np.zeros(len(built.coordinates)), np.zeros(len(built.velocities))
        state[0][3] = 1
        assert MATRICES(built, *state, 0.0)[3].shape == (1,)
    system = python_system()
    system.input("u", 1 / 3)
    system.apply("f", tm.joint_force("turn", torque="u"))
    other = python_system()
    other.apply("f", tm.joint_force("turn", torque=1 / 3))
    assert matrices(system.read(), 3)[1].tobytes() == matrices(other.read(), 3)[1].tobytes()


def refused(system: tm.System) -> str:
    with pytest.raises(tm.Error) as caught:
        system.read()
    assert caught.value.found
    assert caught.value.allowed
    return str(caught.value)


def with_constraint(what: object, **options: object) -> tm.System:
    system = python_system()
    system.constrain("grip", what, **options)  # type: ignore[arg-type]
    return system


@pytest.mark.parametrize(
    ("system", "begins", "has"),
    [
        (lambda: with_constraint(tm.weld("tipp", "wall")), "constraints.grip.weld.0", "did you mean 'tip'?"),
        (lambda: with_constraint({"wedl": ["tip", "wall"]}), "constraints.grip.wedl", "did you mean 'weld'?"),
        (lambda: with_constraint({"weld": ["tip", "wall"], "lenght": 3}), "constraints.grip.lenght", "'lenght'"),
        (lambda: with_constraint("tip.x = 0.3 +"), "constraints.grip.equation", "found"),
        (lambda: with_constraint("turm = 0.3"), "constraints.grip.equation", "did you mean 'turn'?"),
        (lambda: with_constraint(tm.weld("tip", "wall"), scale=-1), "constraints.grip.scale", "above 0"),
        (lambda: with_constraint(tm.coincide("tip")), "constraints.grip.coincide", "two frames"),
        (lambda: with_constraint(tm.distance("tip", "wall", "20 deg")), "constraints.grip.length", "m"),
        (lambda: with_constraint(tm.weld("tip", "wall"), friction=1), "constraints.grip.friction", "friction"),
        (lambda: tm.System.from_scenario("bodies:\nconstraints:\n"), "bodies", "nothing"),
        (lambda: tm.System("no.urdf"), "robot", "no such file"),
        (lambda: tm.System(), "system", "no robot"),
        (lambda: tm.System(SCARA, gravty=[0, 0, 0]), "gravty", "gravity"),
    ],
)
def test_what_is_wrong_is_told_by_its_key(system: Callable[[], tm.System], begins: str, has: str) -> None:
    message = refused(system())
    assert message.startswith(begins + ": found "), message
    assert has in message
    assert "\n" not in message


def test_wrong_calls_are_told_at_once() -> None:
    system = python_system()
    calls: list[tuple[Callable[[], None], str]] = [
        (lambda: system.constrain("a", tm.distance("tip", "wall", float("nan"))), "constraints.a.length"),
        (lambda: system.constrain("", "turn = 0"), "constraints"),
        (lambda: system.constrain("a", 3), "constraints.a"),  # type: ignore[arg-type]
        (lambda: system.constrain("a", "turn = 0", layer="top"), "constraints.a"),  # type: ignore[arg-type]
        (lambda: system.constrain("a", "turn = 0", rows=2), "constraints.a"),
        (lambda: system.constrain("a", {"weld": object()}), "constraints.a.weld"),
        (lambda: system.constrain("a", {3: 4}), "constraints.a"),  # type: ignore[dict-item]
        (lambda: system.apply("a", 3), "forces.a"),  # type: ignore[arg-type]
        (lambda: system.apply("a", tm.point_force("tip", [0, float("inf"), 0])), "forces.a.force.1"),
        (lambda: system.body("box", 1, [1, 1, 1]), "bodies.box"),
        (lambda: system.input("push", 2), "inputs.push"),
    ]
    for call, path in calls:
        with pytest.raises(tm.Error) as caught:
            call()
        assert str(caught.value).startswith(path + ": found "), str(caught.value)
    assert system == python_system()


def test_an_error_in_a_robots_file_keeps_its_line(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "bad.urdf"
    file.write_text('<robot name="r">\n  <link nme="a"/>\n</robot>\n')
    with pytest.raises(tm.Error) as caught:
        tm.System(file).read()
    assert caught.value.file == str(file)
    assert caught.value.line == 2


def test_a_problem_of_a_system_is_kept_and_copied_to_the_bit() -> None:
    system = tm.System(SCARA)
    system.constants(r=0.3)
    system.constrain("text", "tool.z = r")
    system.input("push", 2)
    system.apply("f", tm.joint_force("q1", torque="push"))
    problem = system.compile(baumgarte=(3, 5))
    q, v = np.array([0.1, 0.5, 0.3, 0.2]), np.array([1.0, -1, 0.5, 0.2])
    changed = problem.with_parameters({"constants.r": 0.4})
    for one in (problem, changed):
        again = pickle.loads(pickle.dumps(one))
        assert again.solve(q, v).vdot.tobytes() == one.solve(q, v).vdot.tobytes()
    assert changed.solve(q, v).vdot.tobytes() != problem.solve(q, v).vdot.tobytes()
    assert system.compile(baumgarte=(3, 5)).solve(q, v).vdot.tobytes() == problem.solve(q, v).vdot.tobytes()


def test_a_five_bar_of_ones_own_runs() -> None:
    script = ROOT / "examples" / "python" / "five_bar.py"
    assert len(script.read_text().splitlines()) <= 25
    out = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True).stdout
    assert out.startswith("finished: loop open by ")
