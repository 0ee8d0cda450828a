"""A robot, what acts on it, what must hold and what drives it, built up in Python."""

from __future__ import annotations

import os
import typing
from collections.abc import Callable, Mapping, Sequence

from . import _core
from ._error import Error
from ._scenario_text import Plain, lines, plain, wrong, yaml
from .functions import Explicit, ForceLaw, FunctionConstraint, FunctionForce, Law
from .kinds import Expression, Kind, Vector
from .model import Robot
from .problem import Problem

Path = typing.Union[str, os.PathLike[str]]
RobotPart = Mapping[str, typing.Any]
"""A robot as a scenario has it: {file, name, base, at, strict}, or {bodies, joints, frames}."""

_FILE = "system"  # what stands for a file in the library's messages, until the key takes its place


class System:
    """What a person states about a mechanism: robots, constraints in layers, forces, motors, inputs; by name.

    It has the words of scenarios (docs/scenario.md), and their checks: what is wrong is told by ``compile``, with the key under which it
    stands. Numbers are in SI units; a text is an expression.

        system = tm.System("panda.urdf")
        system.constrain("line", "tool.z = 0.3")
        system.constrain("grip", tm.weld("hand", "handle"))
        problem = system.compile()

    Args:
        robot: the path of a file in URDF or MJCF (from the current folder), what ``read_robot`` gives, a map as a scenario has it ({"file": …, "name":
            …, "base": "floating", "at": {"xyz": …}}, or {"bodies": …, "joints": …}), several of these in a list, or None for what
            ``body`` and ``joint`` add.
        gravity: m/s², along the axes of the world; if not given, that of the ``Robot``, or [0, 0, −9.81].
        name: of the system.
        parts: any other part of a scenario under its key.
    """

    def __init__(
        self,
        robot: Path | Robot | RobotPart | Sequence[RobotPart] | None = None,
        *,
        gravity: Vector | None = None,
        name: str | None = None,
        **parts: object,
    ) -> None:
        self._data: dict[str, Plain] = {}
        self._constraints: list[FunctionConstraint] = []
        self._forces: list[FunctionForce] = []
        if name is not None:
            self._put("name", name)
        if isinstance(robot, Robot):
            if not robot.file:
                raise wrong("robot", "a Robot that was made of text", "one of a file, which read_robot reads")
            self._put("robot", {"file": robot.file, "strict": True} if robot.strict else robot.file)
            gravity = robot.gravity if gravity is None else gravity
        elif isinstance(robot, str | os.PathLike):
            self._put("robot", robot)
        elif isinstance(robot, Mapping):
            for key, value in robot.items() if "bodies" in robot or "joints" in robot else [("robot", robot)]:
                self._put(key, value)
        elif robot is not None:
            self._put("robots", list(robot))
        if gravity is not None:
            self._put("gravity", gravity)
        for key, value in parts.items():
            self._put(key, value)

    # -- what moves ---------------------------------------------------------------------------------------------------

    def body(
        self, name: str, mass: Expression, inertia: Vector, com: Vector | None = None
    ) -> None:
        """Adds a body of a mass (kg), a mass centre (m) and the inertia about it (kg·m²): [xx, yy, zz], or with [xy, xz, yz] behind."""
        self._named("bodies", name, {"mass": mass, "inertia": inertia} | ({} if com is None else {"com": com}))

    def joint(
        self,
        name: str,
        from_: str,
        to: str,
        at: Vector | Mapping[str, typing.Any] | None = None,
        **kind: object,
    ) -> None:
        """Adds a joint between two bodies (or "world"): ``joint("q1", "world", "crank", revolute="z")``.

        Args:
            name: of the joint and its coordinate.
            from_, to: the bodies.
            at: where the second body's frame is on the first at zero: [x, y, z] (m), or {"xyz": …, "rpy": …}.
            kind: one type, such as revolute="z", floating=True; and limits, damping, friction, stiffness and so on.
        """
        self._item("joints", {"name": name, "from": from_, "to": to} | _place(at) | kind)

    def frame(self, name: str, on: str, at: Vector | Mapping[str, typing.Any] | None = None) -> None:
        """Names a place on a body, a link or the world: at [x, y, z] (m), or {"xyz": …, "rpy": …}."""
        self._named("frames", name, {"on": on} | _place(at))

    # -- what must hold -----------------------------------------------------------------------------------------------

    def constrain(
        self,
        name: str,
        what: str | Kind | Law | Explicit,
        *,
        layer: typing.Literal["physical", "control"] = "physical",
        scale: Expression | None = None,
        baumgarte: Mapping[str, Expression] | tuple[float, float] | None = None,
        compliance: Mapping[str, Expression] | tuple[float, float] | None = None,
        friction: Expression | Mapping[str, Expression] | None = None,
        rows: int | None = None,
        unit: typing.Literal["m", "rad", ""] = "",
    ) -> None:
        """Adds a constraint.

        Args:
            name: under which its force and its rows are told.
            what: an equation as a text, "tool.z = 0.3"; a kind, ``weld("hand", "handle")``; a function on jets, which returns what must be
                zero (pytrammel.functions); or ``explicit(phi, A, b)``, functions of floats.
            layer: "physical" constraints hold whatever happens, "control" acts inside the motions that those leave free.
            scale: what a unit of its rows counts beside other rows where they contradict each other, m.
            baumgarte: α (1/s) and β (1/s²) of φ̈ + α φ̇ + β φ = 0, instead of the run's.
            compliance: force (m/N) and torque (rad/(N·m)), for forces that are not unique.
            friction: μ of a point on a surface, or a law of one's own, {"force": "0.1*normal + 0.02*speed"}.
            rows: how many a function returns; as many as it does if not given. ``explicit`` needs it.
            unit: of the φ of a function, "m" or "rad".
        """
        _check_name("constraints", name)
        if layer not in ("physical", "control"):
            raise wrong(f"constraints.{name}", f"layer {layer!r}", "'physical' or 'control'")
        key = "constraints" if layer == "physical" else "control"
        where = f"{key}.{name}"
        if callable(what) or isinstance(what, Explicit):
            if friction is not None:
                raise wrong(where, "friction of a function", "friction of a point on a surface: point(…, on=…)")
            if unit not in ("m", "rad", ""):
                raise wrong(f"{where}.unit", f"{unit!r:.60}", "'m', 'rad' or ''")
            law = FunctionConstraint(
                name,
                what,
                _rows(rows, what, where),
                unit,
                layer == "control",
                1.0 if scale is None else _number(scale, f"{where}.scale"),
                _two(baumgarte, ("alpha", "beta"), f"{where}.baumgarte"),
                _two(compliance, ("force", "torque"), f"{where}.compliance"),
            )
            self._constraints.append(law)
            return
        if rows is not None or unit:
            raise wrong(where, "rows or unit", "rows and unit of functions alone: kinds have their own")
        kind: Mapping[str, object] = {"equation": what} if isinstance(what, str) else what
        if not isinstance(kind, Mapping):
            raise wrong(where, f"{what!r:.60} ({type(what).__name__})", "an equation, a kind such as weld(a, b), or a function")
        extras = {
            "scale": scale,
            "baumgarte": _by_name(baumgarte, ("alpha", "beta")),
            "compliance": _by_name(compliance, ("force", "torque")),
            "friction": friction,
        }
        self._item(key, {"name": name} | dict(kind) | {k: value for k, value in extras.items() if value is not None})

    def control(self, name: str, what: str | Kind | Law | Explicit, **options: typing.Any) -> None:
        """Adds a control row: ``constrain`` with layer="control"."""
        self.constrain(name, what, layer="control", **options)

    def move(self, paths: Mapping[str, Expression] | None = None, **more: Expression) -> None:
        """Leads joints along expressions of time: ``move(q1="pi/2*cycloid(t/5)")``, control rows "motion q1"."""
        for joint, path in {**(paths or {}), **more}.items():
            self._named("motion", joint, path)

    # -- what acts and drives -----------------------------------------------------------------------------------------

    def apply(self, name: str, what: Kind | ForceLaw, *, at: str | None = None) -> None:
        """Adds a force.

        Args:
            name: under which its work is told.
            what: a kind, ``spring("wall", "tool", stiffness=800)``; or a function of a Moment of floats. It returns the generalised forces, by joint
                {"q1": 2.0} or all in the order of v (N·m, N); with ``at`` the force [x, y, z] (N, along the axes of the world).
            at: the frame on whose origin a function's force acts.
        """
        _check_name("forces", name)
        if callable(what):
            if at is not None:
                _check_name(f"forces.{name}.at", at)
            self._forces.append(FunctionForce(name, what, at))
            return
        if not isinstance(what, Mapping):
            raise wrong(f"forces.{name}", f"{what!r:.60} ({type(what).__name__})", "a kind such as spring(a, b, …), or a function")
        if at is not None:
            raise wrong(f"forces.{name}", "at", "at of functions alone: point_force(frame, force)")
        self._item("forces", dict(what) | {"name": name})

    def drive(
        self,
        joint: str,
        *,
        limit: Expression | None = None,
        weight: Expression | None = None,
        name: str | None = None,
    ) -> None:
        """Puts a motor on a joint: what it can give (N·m or N; the joint's effort limit if not given), and the weight of its effort (1)."""
        given = {"limit": limit, "weight": weight, "name": name}
        self._item("actuators", {"joint": joint} | {key: value for key, value in given.items() if value is not None})

    def input(self, name: str, value: Expression = 0.0) -> None:
        """Names a number that is set while it runs; expressions in forces and equations use it. The value, in SI units, holds until then."""
        self._named("inputs", name, value)

    def constants(self, values: Mapping[str, Expression] | None = None, **more: Expression) -> None:
        """Names numbers for expressions; each may use those before it."""
        for name, value in {**(values or {}), **more}.items():
            self._named("constants", name, value)

    def define(self, name: str, expression: Expression) -> None:
        """Names an expression, which may then stand in every other one: ``define("error", "tool.x - 0.3")``."""
        self._named("define", name, expression)

    def initial(
        self,
        q: Mapping[str, typing.Any] | None = None,
        v: Mapping[str, typing.Any] | None = None,
        assemble: bool | Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """The start, for expressions with start(…) and for runs: by joint, rad or m and rad/s or m/s. It replaces an earlier one."""
        given = {"q": q, "v": v, "assemble": assemble}
        self._put("initial", {key: value for key, value in given.items() if value is not None})

    # -- what becomes of it -------------------------------------------------------------------------------------------

    def read(self) -> _core.System:
        """What the library makes of it. Throws Error with the key under which something is wrong."""
        text = list(lines(dict(self._data)))
        made_of = self.copy()
        try:
            out = _core.read_system(
                "\n".join(line for _, line in text), _FILE, os.getcwd(), made_of._constraints, made_of._forces
            )
            setattr(out, "made_of", made_of)  # the library refers to functions weakly
            return out
        except Error as error:
            if error.file != _FILE:
                raise
            path = text[error.line - 1][0] if error.line and error.line <= len(text) else ""
            allowed = error.allowed.replace("the scenario's folder", "the current folder")
            raise wrong(path or _FILE, error.found, allowed) from None

    def compile(self, *, rank_tolerance: float = 1e-11, baumgarte: tuple[float, float] = (0.0, 0.0)) -> Problem:
        """The problem: everything is checked, laid out once, and does not change any more.

        Args:
            rank_tolerance: below which part of the largest pivot a row counts as redundant.
            baumgarte: α (1/s) and β (1/s²) of constraints that have none of their own.
        """
        return Problem(self.read(), rank_tolerance=rank_tolerance, baumgarte=baumgarte)

    def copy(self) -> System:
        """A system of its own that is equal to this one; functions are the same in both."""
        out = System()
        out._data = _copy(self._data)
        out._constraints, out._forces = list(self._constraints), list(self._forces)
        return out

    __copy__ = copy

    def __deepcopy__(self, _: object) -> System:
        return self.copy()

    def to_dict(self) -> dict[str, Plain]:
        """The system as a scenario: maps, lists, texts and numbers. Functions in Python have no text and are refused."""
        self._refuse_functions()
        return _copy(self._data)

    def to_yaml(self) -> str:
        """The same as the text of a scenario's file."""
        return yaml(self.to_dict())

    @classmethod
    def from_scenario(cls, scenario: Path | Mapping[str, typing.Any]) -> System:
        """The system of a scenario: of a file, of a text (with a line break in it), or of a map. Robots of a file are looked for beside it."""
        out = cls()
        if isinstance(scenario, Mapping):
            for key, value in scenario.items():
                out._put(key, value)
            return out
        is_text = isinstance(scenario, str) and "\n" in scenario
        file = "text" if is_text else os.fspath(scenario)
        data = _core.parse_scenario(str(scenario) if is_text else _core.read_file(file), file)
        if not isinstance(data, dict):
            raise wrong(file, "no map", "a scenario")
        for key, value in data.items():
            out._data[key] = value
        if not is_text:
            out._move_robots(os.path.dirname(file))
        return out

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the constraints and forces that are functions in Python."""
        return tuple([law.name for law in self._constraints] + [law.name for law in self._forces])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, System):
            return NotImplemented
        return vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        counts = ((len(items), key) for key, items in self._data.items() if isinstance(items, list | dict))
        name = self._data.get("name") or self._data.get("robot") or ""
        functions = [f"functions: {', '.join(self.functions)}"] if self.functions else []
        return f"System({', '.join([repr(name), *(f'{n} {key}' for n, key in counts), *functions])})"

    # -- how ----------------------------------------------------------------------------------------------------------

    def _put(self, key: str, value: object) -> None:
        self._data[key] = plain(value, key)

    def _named(self, key: str, name: str, value: object) -> None:
        _check_name(key, name)
        given = plain(value, f"{key}.{name}")
        items = self._data.setdefault(key, {})
        if not isinstance(items, dict):
            raise wrong(key, f"a {type(items).__name__}", "a map")
        if name in items:
            raise wrong(f"{key}.{name}", "a second one of this name", "a name that no other has")
        items[name] = given

    def _item(self, key: str, item: Mapping[str, object]) -> None:
        given = plain(item, f"{key}.{item.get('name', item.get('joint'))}")
        items = self._data.setdefault(key, [])
        if not isinstance(items, list):
            raise wrong(key, f"a {type(items).__name__}", "a list")
        items.append(given)

    def _move_robots(self, folder: str) -> None:
        robots, tables = self._data.get("robots"), self._data.get("tables")
        places: list[tuple[object, str]] = [(self._data, "robot"), (self._data.get("robot"), "file")]
        places += [(item, "file") for item in (robots if isinstance(robots, list) else [])]
        places += [(item, "file") for item in (tables.values() if isinstance(tables, dict) else [])]
        for place, key in places:
            if isinstance(place, dict) and isinstance(place.get(key), str):
                place[key] = os.path.normpath(os.path.join(folder, str(place[key])))

    def _refuse_functions(self) -> None:
        if self.functions:
            raise wrong(_FILE, f"functions in Python ({', '.join(self.functions)})", "what a scenario can say, for a scenario")


def _copy(data: dict[str, Plain]) -> dict[str, Plain]:
    return {key: plain(value, key) for key, value in data.items()}


def _check_name(key: str, name: object) -> None:
    if not isinstance(name, str) or not name or any("\ud800" <= letter <= "\udfff" for letter in name):
        raise wrong(key, f"the name {name!r:.60}", "a text that is not empty")


def _place(at: Vector | Mapping[str, typing.Any] | None) -> dict[str, object]:
    return {} if at is None else {"at": at if isinstance(at, Mapping) else {"xyz": at}}


def _number(value: object, path: str) -> float:
    number = plain(value, path)
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise wrong(path, f"{value!r:.60}", "a number, beside a function")
    return float(number)


def _by_name(
    values: Mapping[str, Expression] | tuple[float, float] | None, names: tuple[str, str]
) -> Mapping[str, Expression] | None:
    return dict(zip(names, values, strict=True)) if isinstance(values, tuple) else values


def _two(
    values: Mapping[str, Expression] | tuple[float, float] | None, names: tuple[str, str], path: str
) -> tuple[float, float] | None:
    given = _by_name(values, names)
    if given is None:
        return None
    for key in given:
        if key not in names:
            raise wrong(path, f"key {key!r}", f"{names[0]} and {names[1]}")
    first, second = (_number(given.get(name, 0.0), f"{path}.{name}") for name in names)
    return first, second


def _rows(rows: int | None, what: Callable[..., typing.Any] | Explicit, path: str) -> int:
    if rows is None and isinstance(what, Explicit):
        raise wrong(path, "no rows", "rows=1 or more beside explicit(…)")
    if rows is not None and (isinstance(rows, bool) or not isinstance(rows, int) or not 1 <= rows <= 1000):
        raise wrong(f"{path}.rows", f"{rows!r:.60}", "a whole number, 1 to 1000")
    return rows or 0
