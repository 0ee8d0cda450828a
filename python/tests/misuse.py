"""Wrong calls from a seeded generator, over the whole API: each must end in an exception with a message.

A call has arguments of sorts; each sort has a value that is right and values that are all wrong. One argument is replaced by a wrong one,
left out, or another is put beside it. ``python misuse.py COUNT SEED`` tries them without pytest, as tools/test-python-memory does under the
address sanitizer.
"""

from __future__ import annotations

import collections
import functools
import math
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import pytrammel as tm
from misuse_sorts import (
    ALLOWED, HUGE, INF, INPUTS, NAN, NEEDED, NO_ARRAY, NO_NUMBER, SCENARIO, SET, UNREADABLE, Sort, count,
    expression, length, name, number, quaternion, vector, vectors, words,
)


@dataclass(frozen=True)
class Call:
    name: str
    function: Callable[..., Any]
    arguments: dict[str, Sort]
    takes_others: bool = False  # any keyword


def law(result: Callable[[tm.Moment], Any], called: Any = "mine", **options: Any) -> tm.Problem:
    system = tm.System("robots/scara.urdf")
    system.constrain(called, result, **options)
    return system.compile()


def force(result: Callable[[tm.Moment], Any], at: str | None = None) -> Any:
    system = tm.System("robots/scara.urdf")
    system.apply("mine", result, at=at)
    motion = system.compile().solve(np.zeros(4), np.zeros(4))
    if not np.isfinite(motion.vdot).all():
        raise tm.Error(motion.why)  # a value, with its reason
    return motion


LAWS = Sort(lambda at: at.q("q1") - 0.1, [
    lambda at: None, lambda at: "text", lambda at: at, lambda at: [], lambda at: at.q("nobody"), lambda at: at.position("nobody"),
    lambda at: at.position(3), lambda at: float(at.q("q1")), lambda at: math.sin(at.q("q1")), lambda at: at.q("q1") > 0, lambda: 0,
    lambda at, more: 0, lambda at: at.q("q1") if at.q("q1") else 0, lambda at: abs(at.q("q1")), lambda at: {"a": 1}, lambda at: at.input("no"),
    lambda at: [at.q("q1"), None], lambda at: object(), lambda at: at.q(None), lambda at: at.q("q1") + "1", lambda at: np.array(["1"]),
    lambda at: at.nobody, lambda at: at.q("q1")[0], lambda at: at.q("q1") ** object(), 3, None, "nobody = 3", "tool.z =", {"weld": 3}, {},
    {"weld": ["tool", "nobody"]}, {"nobody": 1}, {"point": "tool"}, object(), np.zeros(3), tm.weld("tool", "tool").items(), b"tool.z = 1",
    {"equation": "tool.z = 1", "weld": ["tool", "world"]}, tm.System, lambda at: HUGE,
])  # fmt: skip
FORCES = Sort(lambda at: {"q1": 1.0}, [
    lambda at: None, lambda at: "text", lambda at: [1.0], lambda at: {"nobody": 1.0}, lambda at: {"q1": None}, lambda at: {"q1": NAN},
    lambda at: [NAN] * 4, lambda at: [1j] * 4, lambda at: {3: 4.0}, lambda: 0, lambda at: object(), lambda at: np.zeros((3, 3)), 3, None, "q1",
    lambda at: {"q1": [1.0, 2.0]}, lambda at: at.velocity("nobody"), lambda at: [INF, 0, 0, 0], lambda at: 10**400, {"spring": 3}, {},
    {"nobody": 1}, {"joint": "q1"}, {"joint": "nobody", "torque": 1}, {"joint": "q1", "force": 1}, object(), lambda at: {"q1": HUGE},
])  # fmt: skip


def built(**parts: Any) -> tm.Problem:
    """A cart with a pole."""
    given: dict[str, Any] = {"mass": 2.0, "inertia": [0.1, 0.1, 0.1], "com": [0.0, 0.0, 0.5], "axis": "x", "to": "cart", "at": [0.0, 0.0, 0.0], "damping": 0.1}
    given |= parts
    system = tm.System(gravity=given.get("gravity"))
    system.body("cart", mass=given["mass"], inertia=given["inertia"], com=given["com"])
    system.joint("x", "world", given["to"], given["at"], prismatic=given["axis"], damping=given["damping"])
    return system.compile()


def closed(kind: Callable[..., Any], **parts: Any) -> tm.Problem:
    system = tm.System("robots/scara.urdf")
    system.constrain("mine", kind(**parts))
    return system.compile()


def acted(kind: Callable[..., Any], **parts: Any) -> tm.Problem:
    system = tm.System("robots/scara.urdf")
    system.apply("mine", kind(**parts))
    return system.compile()


def led(problem: tm.Problem, method: str, **parts: Any) -> Any:
    return getattr(problem.simulator(([0.0], [0.0]), 1.0), method)(**parts)


def cart() -> tm.System:
    system = tm.System(gravity=[0, 0, 0])
    system.body("cart", mass=2, inertia=[1, 1, 1])
    system.joint("x", "world", "cart", prismatic="x")
    system.input("push", 0)
    system.input("pull", 0)
    system.apply("motor", tm.joint_force("x", force="push - pull"))
    return system


def of_robots() -> Iterator[Call]:
    scara = tm.read_robot("robots/scara.urdf")
    q, v, frame = vector(4), vector(4), name("tool")
    at: dict[str, dict[str, Sort]] = {
        "pose": {"q": q, "frame": frame}, "jacobian": {"q": q, "frame": frame}, "frame_velocity": {"q": q, "v": v, "frame": frame},
        "frame_bias_acceleration": {"q": q, "v": v, "frame": frame}, "mass_centre": {"q": q}, "mass_matrix": {"q": q},
        "coriolis_matrix": {"q": q, "v": v}, "gravity_forces": {"q": q}, "bias_forces": {"q": q, "v": v},
        "passive_forces": {"q": q, "v": v}, "inverse_dynamics": {"q": q, "v": v, "vdot": v}, "forward_dynamics": {"q": q, "v": v, "tau": v},
        "kinetic_energy": {"q": q, "v": v}, "potential_energy": {"q": q}, "momentum": {"q": q, "v": v}, "integrate": {"q": q, "step": v},
        "difference": {"q0": q, "q1": q}, "coordinate_rates": {"q": q, "v": v}, "neutral": {},
    }  # fmt: skip
    for method, arguments in at.items():
        yield Call(f"Robot.{method}", getattr(scara, method), arguments)
    free = tm.System()
    free.body("disc", mass=1, inertia=[1, 2, 3])
    free.joint("base", "world", "disc", floating=True)
    tree = free.compile().model
    for method in ("mass_matrix", "potential_energy", "gravity_forces"):
        yield Call(f"Model.{method}", getattr(tree, method), {"q": quaternion(7)})
    yield Call("Model.integrate", tree.integrate, {"q": quaternion(7), "step": vector(6)})
    seed = Sort(1, [-1, 1.5, "a", object(), [NAN], NAN, [-1]], True)
    yield Call("Robot.random", scara.random, {"seed": seed})
    path = Sort("robots/scara.urdf", [None, 3, "nowhere.urdf", "", "examples", "\0", object(), 1.5, "\ud800", "examples/03-four-bar.yaml"])
    yield Call("read_robot", tm.read_robot, {"path": path, "gravity": vector(3, optional=True)})
    text = Sort("<robot name='a'><link name='b'/></robot>", [None, 3, "", "<", "<robot>", b"\xff\xfe", "<a/>", object(), ["<robot/>"], "\ud800"])
    yield Call("Robot", tm.Robot, {"text": text, "gravity": vector(3, optional=True)})


def of_problems() -> Iterator[Call]:
    problem = tm.Scenario("examples/01-scara-helix.yaml").problem()
    pushed = cart().compile()
    driven = tm.Scenario("examples/07-five-bar.yaml").problem()
    state = {"q": vector(4), "v": vector(4), "t": number(0.0)}
    for method in ("solve", "matrices", "diagnose", "ledger", "reactions"):
        yield Call(f"Problem.{method}", getattr(problem, method), state)
        yield Call(f"Problem.{method}, inputs", getattr(pushed, method), {"q": vector(1), "v": vector(1), "inputs": INPUTS})
    start = driven.start
    assert start is not None
    on = {"q": Sort(start.q, vector(len(start.q)).wrong), "v": Sort(start.v, vector(len(start.v)).wrong), "t": number(0.0)}
    yield Call("Problem.torques", driven.torques, {**on, "preload": vector(2, optional=True)})
    joint = words(["q1"])
    guess = {"q": vector(4, 0.3), "v": vector(4, optional=True), "t": number(0.0), "keep": joint, "keep_speeds": joint}
    yield Call("Problem.assemble", problem.assemble, guess)
    many = {"q": vectors(5, 4), "v": vectors(5, 4), "t": Sort(0.0, [NAN, INF, "a", None, [1.0], [NAN] * 5, object(), 1j, [[0.0] * 5]])}
    yield Call("Problem.solve_batch", problem.solve_batch, {**many, "workers": count(2, True)})
    several = Sort(np.zeros((5, 2)), [*INPUTS.wrong, np.zeros((4, 2)), np.zeros((5, 3)), np.full((5, 2), NAN)], True)
    yield Call("Problem.solve_batch, inputs", pushed.solve_batch, {"q": vectors(5, 1), "v": vectors(5, 1), "inputs": several})
    numbers = Sort({"links.link1.mass": 1.0} if "links.link1.mass" in problem.parameters else dict([next(iter(problem.parameters.items()))]), [
        None, 3, {"nobody": 1.0}, {3: 1.0}, {next(iter(problem.parameters)): NAN}, {next(iter(problem.parameters)): "a"}, "a",
        {next(iter(problem.parameters)): INF}, {next(iter(problem.parameters)): None}, [1.0], object(),
    ])  # fmt: skip
    yield Call("Problem.with_parameters", problem.with_parameters, {"parameters": numbers})
    starts = Sort(([0.0], [0.0]), [
        3, "start", ([0.0],), ([0.0], [0.0], NAN), ([0.0], [0.0], "a"), ([NAN], [0.0]), ([0.0, 1.0], [0.0]), (None, None), {}, object(),
        ([0.0], [0.0], 0.0, 0.0), tm.State([0.0, 1.0], [0.0]), start, ([0.0], [INF]), None,
    ])  # fmt: skip
    options = {
        "start": starts, "duration": length(0.01), "record_every": length(0.01, optional=True), "step": length(0.001, optional=True),
        "tolerance": number(1e-9, -1.0, optional=True), "absolute_tolerance": number(1e-9, -1.0, optional=True), "frames": words(["cart"]),
        "integrator": name("dopri5", True), "drift": name("none", True), "reactions": words(["x"]), "reaction_axes": name("world", True),
        "limits": name("warn", True), "inputs": INPUTS, "velocities": words(["cart"]), "orientations": words(["cart"]),
        "expressions": Sort({"fast": "v(x)^2"}, [3, "x", {"a": 3}, {"a": "nobody"}, {"a": "start(x)"}, {3: "x"}, {"a": "x +"}, object()], True),
    }  # fmt: skip
    yield Call("Problem.simulate", pushed.simulate, options)
    yield Call("Problem.simulator", pushed.simulator, options)
    controller = Sort(lambda at: {"push": 1.0}, [
        3, "push", lambda at: {"nobody": 1.0}, lambda at: NAN, lambda at: [NAN, 0.0], lambda at: "a", lambda: 0, lambda at: at.nobody, object(),
        lambda at: {"push": None}, lambda at: at.q[7], lambda at: [1.0],
    ])  # fmt: skip
    period = number(0.005, 0.0, -1.0)
    yield Call("Problem.simulate, controller", pushed.simulate, {"start": starts, "duration": length(0.01), "controller": controller, "period": period})
    batch = {"q": vectors(3, 1), "v": vectors(3, 1), "duration": length(0.01), "t": number(0.0), "inputs": INPUTS, "workers": count(2, True)}
    yield Call("Problem.simulate_batch", pushed.simulate_batch, batch)
    yield Call("Simulator.step", lambda **k: led(pushed, "step", **k), {"period": number(0.1, 0.0, -0.1), "inputs": INPUTS})
    yield Call("Simulator.set_inputs", lambda **k: led(pushed, "set_inputs", **k), {"inputs": Sort({"push": 1.0}, [*INPUTS.wrong, None])})
    yield Call("Simulator.advance_to", lambda **k: led(pushed, "advance_to", **k), {"t": Sort(0.1, [*NO_NUMBER, NAN, -INF, -1.0, HUGE, None])})
    system = Sort(cart().read(), [None, 3, "robots/scara.urdf", object(), problem.model, tm.Scenario("examples/03-four-bar.yaml"), {}])
    gains = Sort((1.0, 1.0), [3, "a", (1.0,), (NAN, 0.0), (1.0, INF), (None, 1.0), (1.0, 2.0, 3.0), {"alpha": 1.0}], True)
    yield Call("Problem", tm.Problem, {"system": system, "rank_tolerance": number(1e-11, -1.0, optional=True), "baumgarte": gains})
    motion, torques = problem.solve(np.zeros(4), np.zeros(4)), driven.torques(*start)
    run = pushed.simulate(([0.0], [0.0]), 0.01)
    yield Call("Motion.forces[]", lambda key: motion.forces[key], {"key": name("tool path")})
    yield Call("Motion.reactions[]", lambda key: motion.reactions[key], {"key": name("q1")})
    yield Call("Torques[]", lambda key: torques[key], {"key": name(torques.motors[0])})
    yield Call("Simulation[]", lambda key: run[key], {"key": name("q.x")})
    yield Call("Simulation.forces[]", lambda key: run.forces[key] if key != "motor" else None, {"key": name("motor")})
    blank = Sort(None, [tm.Problem, tm.Robot, tm.State, tm.Simulator, tm._core.Motion, tm._core.Simulation, tm._core.System])
    yield Call("without __init__", lambda kind: kind and [getattr(kind.__new__(kind), a) for a in ("nq", "nv", "q", "vdot", "end", "state", "forces")], {"kind": blank})
    yield Call("State", tm.State, {"q": Sort([0.0], [*NO_ARRAY, [NAN], None, [[1.0]]]), "v": Sort([0.0], [*NO_ARRAY, [INF], None]), "t": number(0.0)})
    yield Call("State.__setstate__", lambda parts: tm.State.__new__(tm.State).__setstate__(parts), {"parts": Sort(([0.0], [0.0], 0.0), [(), ([0.0],), None, 3, ([0.0], [0.0], "t"), ([NAN], [0.0], 0.0)])})


def of_systems() -> Iterator[Call]:
    place = Sort([0.0, 0.0, 0.0], [3.0, [0.0], [0.0] * 4, [NAN, 0.0, 0.0], {"xyz": 3}, {"nobody": 1}, "a", object(), np.zeros((3, 3)), ["a", 0, 0]])
    inertia = Sort([0.1, 0.1, 0.1], [3.0, [0.1], [-1.0, 0.1, 0.1], [NAN] * 3, "a", None, [0.1] * 5, [10.0, 0.1, 0.1], object(), [1j] * 3])
    axis = Sort("x", ["w", 3.0, [0.0, 0.0, 0.0], [1.0], None, [NAN, 0, 0], object(), "", True])
    body = {"mass": number(2.0, -1.0), "inertia": inertia, "com": place, "axis": axis, "to": name("cart"), "at": place, "damping": number(0.1, -1.0)}
    yield Call("System.body, joint", built, body, True)
    yield Call("System(gravity)", built, {"gravity": Sort([0.0, 0.0, -9.81], [3.0, [0.0], [NAN] * 3, "a", object(), [1.0] * 4])}, True)
    robots = Sort("robots/scara.urdf", [3, "nowhere.urdf", {"file": 3}, {"nobody": 1}, [3], [], {}, object(), "\0", {"bodies": 3}, b"robots", NAN])
    yield Call("System(robot)", lambda robot: tm.System(robot).compile(), {"robot": robots})
    yield Call("System.constrain", law, {
        "called": Sort("mine", [None, 3, b"mine", object(), ["mine"], ""], True),
        "result": LAWS, "rows": Sort(1, [0, -1, 1.5, "a", 2, HUGE, True, [1], 10**9, 2**31], True), "unit": Sort("m", ["kg", 3, b"m", object()], True),
        "layer": Sort("physical", ["nobody", 3, "", None, object()], True), "scale": number(1.0, 0.0, -1.0, optional=True),
        "baumgarte": Sort((1.0, 1.0), [3, (1.0,), (NAN, 1.0), {"gamma": 1.0}, "a", (1.0, "nobody"), object(), [1, 2, 3]], True),
        "compliance": Sort((1e-6, 1e-6), [3, (1.0,), (NAN, 1.0), {"gamma": 1.0}, (-1.0, 0.0), "a", object()], True),
    })  # fmt: skip
    yield Call("System.apply", force, {"result": FORCES})
    yield Call("System.apply, at", lambda result, at: force(result, at), {"result": Sort(lambda at: [1.0, 0, 0], [lambda at: 1.0, lambda at: [NAN, 0, 0], lambda at: {"q1": 1}, lambda at: [1, 2]]), "at": name("tool")})
    frame, other = name("tool"), name("link1")
    yield Call("weld", lambda **k: closed(tm.weld, **k), {"a": frame, "b": name("world")})
    yield Call("hinge", lambda **k: closed(tm.hinge, **k), {"a": frame, "b": name("world")})
    yield Call("slide", lambda **k: closed(tm.slide, **k), {"a": frame, "b": name("world")})
    yield Call("distance", lambda **k: closed(tm.distance, **k), {"a": frame, "b": name("world"), "length": expression(0.3)})
    yield Call("point", lambda **k: closed(tm.point, **k), {"frame": frame, "x": expression(0.3), "in_": name("link1", True)})
    yield Call("knife_edge", lambda **k: closed(tm.knife_edge, **k), {"frame": frame, "axis": Sort("x", axis.wrong[:4], True)})
    yield Call("gear", lambda **k: closed(tm.gear, **k), {"a": name("q1"), "b": name("q2"), "ratio": expression(-3.0), "offset": expression(0.1, True)})
    yield Call("equation", lambda **k: closed(tm.equation, **k), {"equation": Sort("q1 = 0.1", [3, None, "", "q1", "q1 = ", "nobody = 1", "q1 = = 1", "a" * 9999, "((((", "q1 = 1 furlong", ["q1 = 1"], object(), "q1 = 1\0", "(" * 4000 + "q1 = 1"])})
    yield Call("spring", lambda **k: acted(tm.spring, **k), {"a": frame, "b": other, "stiffness": Sort(3.0, expression(3.0, True).wrong), "damping": expression(1.0, True)})
    yield Call("joint_force", lambda **k: acted(tm.joint_force, **k), {"joint": name("q1"), "torque": expression(1.0)})
    yield Call("point_force", lambda **k: acted(tm.point_force, **k), {"frame": frame, "force": Sort([1.0, 0.0, 0.0], [3, [1.0], None, ["a", 0, 0], [NAN, 0, 0], object(), "abc", {}])})
    yield Call("body_torque", lambda **k: acted(tm.body_torque, **k), {"body": frame, "torque": Sort([1.0, 0.0, 0.0], [3, [1.0], None, ["a", 0, 0], [NAN, 0, 0], object(), "abc", {}]), "in_": name("link1", True)})
    made = {
        "drive": {"joint": name("q1"), "limit": number(1.0, -1.0, optional=True), "weight": number(1.0, -1.0, 0.0, optional=True)},
        "input": {"name": Sort("push", [None, 3, object(), b"a", ["a"], "q1 +", ""]), "value": expression(1.0)},
        "frame": {"name": Sort("spot", [None, 3, object(), b"a", ["a"]]), "on": name("link1"), "at": place},
        "move": {"paths": Sort({"q1": "0.1*t"}, [3, {"nobody": "t"}, {"q1": "nobody"}, {"q1": object()}, {"q1": NAN}, "q1", {3: 4}, {"q1": None}])},
        "constants": {"values": Sort({"r": 0.3}, [3, {"r": "nobody"}, {"r": object()}, {"r": NAN}, "r", {3: 4}, {"r": "2 +"}])},
        "initial": {"q": Sort({"q1": 0.1}, [3, {"nobody": 1.0}, {"q1": "a +"}, {"q1": object()}, "q1", {3: 4}, {"q1": NAN}])},
    }  # fmt: skip
    for method, arguments in made.items():

        def compiled(*extra: Any, _method: str = method, **parts: Any) -> tm.Problem:
            system = tm.System("robots/scara.urdf")
            getattr(system, _method)(*extra, **parts)
            return system.compile()

        yield Call(f"System.{method}", compiled, arguments, method in ("constants", "move"))
    options = {"rank_tolerance": number(1e-11, -1.0, optional=True), "baumgarte": Sort((1.0, 1.0), [3, (NAN, 0.0), (1.0,), "a", (None, 0)], True)}
    yield Call("System.compile", cart().compile, options)
    yield Call("System.from_scenario", lambda scenario: tm.System.from_scenario(scenario).compile(), {"scenario": Sort(SCENARIO.right, [3, None, "nowhere.yaml", "a: [\n", {}, {"robot": object()}, object(), "- 1\n- 2\n", b"a", "\0"])})
    jet = Sort(0.5, ["a", None, object(), [1.0, "b"], {}, 1j, b"a", True])
    for function in (tm.sin, tm.cos, tm.tan, tm.sinh, tm.cosh, tm.tanh, tm.exp, tm.sqrt, tm.log, tm.asin, tm.acos, tm.atan, tm.cycloid, tm.minjerk, tm.smoothstep):
        yield Call(function.__name__, function, {"u": jet})
    yield Call("atan2", tm.atan2, {"y": jet, "x": jet})
    yield Call("hypot", tm.hypot, {"x": jet, "y": jet})
    yield Call("Jet", tm.Jet, {"value": Sort(1.0, NO_NUMBER), "rate": Sort(0.0, NO_NUMBER, True), "second_rate": Sort(0.0, NO_NUMBER, True)})
    yield Call("Jet + ", lambda other: tm.Jet(1.0) + other, {"other": Sort(1.0, ["a", None, object(), {}, b"a", 1j, HUGE])})


def of_runs(folder: str) -> Iterator[Call]:
    run = tm.run("examples/03-four-bar.yaml", {"simulate.duration": 0.02, "record.reactions": "all"})
    progress = Sort(False, [3.5, "yes", [1]], True)
    for verb in (tm.run, tm.check, tm.compare):
        yield Call(verb.__name__, verb, {"what": Sort(SCENARIO.right, UNREADABLE), "set": SET})
    read = Sort(SCENARIO.right, UNREADABLE)
    yield Call("Scenario", tm.Scenario, {"what": read})
    yield Call("run", tm.run, {"what": SCENARIO, "progress": progress})
    driven = Sort("examples/07-five-bar.yaml", [*UNREADABLE, "examples/03-four-bar.yaml"])
    short = Sort({"simulate.duration": 0.01}, [s for s in SET.wrong if not isinstance(s, dict) or "constraints.nobody.scale" not in s], True)
    yield Call("torques", tm.torques, {"what": driven, "set": short})
    yield Call("reproduce", tm.reproduce, {"study": Sort("two-link", [None, 3, "nobody", "", "nowhere.yaml", object(), b"scara", "\0", ["scara"], "\ud800"])})
    column = name("q.a")
    yield Call("Run[]", lambda key: run[key], {"key": column})
    yield Call("Run.forces[]", lambda key: run.forces[key], {"key": name("loop")})
    yield Call("Run.reactions[]", lambda key: run.reactions[key], {"key": name("a")})
    yield Call("Run.summary[]", lambda key: run.summary[key], {"key": name("rank")})
    yield Call("Run.summary.", lambda key: getattr(run.summary, key), {"key": name("rank")})
    yield Call("Run.plot", lambda key, x: run.plot(key, x=x), {"key": column, "x": name("t")})
    figures = Sort("svg", ["gif", "", None, 3, "svg,gif", object(), b"svg", ",", ["svg"]])
    where = Sort(folder, [None, 3, "", "/proc/nowhere", object(), "\0", 1.5, "\ud800"])
    yield Call("Run.save", run.save, {"folder": where, "figures": figures})


def calls(folder: str) -> list[Call]:
    return [*of_robots(), *of_problems(), *of_systems(), *of_runs(folder)]


def wrong_calls(all_calls: list[Call], number: int, seed: int) -> Iterator[tuple[str, Callable[[], Any]]]:
    """What is called, in words, and the call."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        call = all_calls[rng.integers(len(all_calls))]
        arguments = {key: sort.right for key, sort in call.arguments.items() if not sort.optional or rng.random() < 0.5}
        way = rng.random()
        needed = [key for key, sort in call.arguments.items() if not sort.optional and key in NEEDED and "initial" not in call.name]
        extra: tuple[Any, ...] = ()
        said = ""
        if way < 0.05 and needed:
            said = needed[rng.integers(len(needed))]
            del arguments[said]
            said = f"without {said}"
        elif (way < 0.1 and not call.takes_others) or not call.arguments:
            arguments["nobody"] = 1
            said = "nobody=1"
        elif way < 0.15:
            extra = tuple(arguments.values()) + tuple(range(20))
            arguments = {}
            said = "20 arguments too many"
        else:
            keys = list(call.arguments)
            key = keys[rng.integers(len(keys))]
            wrong = call.arguments[key].wrong
            value = wrong[rng.integers(len(wrong))]
            arguments[key] = value
            said = f"{key}={value!r:.80}"
        yield f"{call.name}({said})", functools.partial(call.function, *extra, **arguments)


def complaints(number: int, seed: int) -> list[str]:
    """What went wrong with these calls: no exception, or one without a message or of another kind."""
    out = []
    kinds: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        all_calls = calls(folder)
        for call in all_calls:  # with what is right nothing is wrong
            try:
                call.function(**{key: sort.right for key, sort in call.arguments.items() if not sort.optional})
            except Exception as error:
                out.append(f"{call.name} with right arguments: {type(error).__name__}: {str(error):.200}")
        for what, function in wrong_calls(all_calls, number, seed):
            print(what, file=sys.stderr, flush=True)
            try:
                result = function()
            except ALLOWED as error:
                kinds[type(error).__name__] += 1
                if not str(error):
                    out.append(f"{what}: {type(error).__name__} without a message")
            except BaseException as error:
                out.append(f"{what}: {type(error).__name__}: {str(error):.200}")
            else:
                out.append(f"{what}: gave {result!r:.80}")
    print(f"{number} wrong calls of {len(all_calls)} kinds, seed {seed}: {dict(kinds)}")
    return out


if __name__ == "__main__":
    found = complaints(int(sys.argv[1]), int(sys.argv[2]))
    print("\n".join(found))
    sys.exit(bool(found))
