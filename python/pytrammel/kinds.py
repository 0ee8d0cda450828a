"""The kinds of constraints, surfaces and forces, each a function of its own.

Each returns the map that a scenario has in its place (docs/scenario.md), without its name: ``weld("hand", "handle")`` is
``{"weld": ["hand", "handle"]}``, and such a map may be given itself. Numbers are in SI units; a text is an expression, with units if
wanted: ``0.3``, ``"30 deg"``, ``"0.35 + r*cos(w*t)"``. What is wrong is told when the system is compiled.

Signs: a multiplier λ > 0 pushes, or turns, the last of the frames along the directions named below, which is where φ grows.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping, Sequence

import numpy.typing as npt

Expression = typing.Union[float, str]
"""A number in SI units, or an expression as a text."""
Vector = typing.Union[Sequence[Expression], npt.NDArray[typing.Any]]
"""Three of them, as a list or an array."""
Direction = typing.Union[str, Vector]
"""An axis, 'x' or '-z', or three numbers."""
Kind = dict[str, typing.Any]
"""What a scenario has in the place of a constraint, a surface or a force."""


def _given(kind: str, what: object, **others: object) -> Kind:
    return {kind: what} | {key.rstrip("_"): value for key, value in others.items() if value is not None}


def _surface(kind: str, **parts: object) -> Kind:
    return {kind: {key: value for key, value in parts.items() if value is not None}}


def point(
    frame: str,
    x: Expression | None = None,
    y: Expression | None = None,
    z: Expression | None = None,
    in_: str | None = None,
    on: Kind | None = None,
) -> Kind:
    """Holds the origin of a frame at x, y, z (m, any of them), or on a surface.

    Rows: one for each of x, y, z that is given, along the axes of the world, or of the frame ``in_``; on a plane, cylinder or sphere
    one, the distance from it (λ > 0 pushes along the normal, outward); on a line two, across it.
    """
    return _given("point", frame, x=x, y=y, z=z, in_=in_, on=on)


def coincide(*frames: str, axes: str | None = None) -> Kind:
    """Lets the origins of frames meet, along some axes of the world: "xy"; all three if not given.

    Rows: one (m) for each axis and frame behind the first; λ > 0 pushes that frame along the axis.
    """
    return _given("coincide", list(frames), axes=axes)


def hinge(a: str, b: str) -> Kind:
    """Lets the origins and the z axes of two frames meet.

    Five rows: B's origin along x, y, z of A (m); B's z axis along x, y of A (rad).
    """
    return _given("hinge", [a, b])


def slide(a: str, b: str) -> Kind:
    """Keeps B oriented as A is, and its origin on the z axis of A.

    Five rows: B's origin along x, y of A (m); the turn about x, y, z of A (rad).
    """
    return _given("slide", [a, b])


def weld(a: str, b: str) -> Kind:
    """Lets two frames meet.

    Six rows: B's origin along x, y, z of A (m); the turn about x, y, z of A (rad).
    """
    return _given("weld", [a, b])


def distance(a: str, b: str, length: Expression) -> Kind:
    """Keeps the origins of two frames a length (m) apart, which may be an expression of time, joints and frames.

    One row: the distance less the length, m; λ > 0 pushes them apart.
    """
    return _given("distance", [a, b], length=length)


def equation(equation: str) -> Kind:
    """Holds left = right, anything; with a velocity in it, it holds at velocity level.

    One row, left − right, in its own unit; λ > 0 makes it grow. ``System.constrain`` takes such a text itself.
    """
    return _given("equation", equation)


def orientation(
    frame: str,
    zyz: Vector | None = None,
    rpy: Vector | None = None,
    axis: Direction | None = None,
    along: Direction | None = None,
) -> Kind:
    """Orients a frame: by three angles (rad), or an axis of it ("z") along a direction of the world ("-z", or expressions of time).

    Rows: three, the turn about x, y, z of where it should be (rad); with an axis two, across it.
    """
    return _given("orientation", frame, zyz=zyz, rpy=rpy, axis=axis, along=along)


def rolls(
    frame: str,
    radius: Expression,
    on: Kind | None = None,
    shape: str | None = None,
    axis: Direction | None = None,
    tyre: Expression | None = None,
    inside: Kind | None = None,
) -> Kind:
    """Lets a disc about the frame's z axis (or ``axis``), with a round tyre (m), or a sphere (``shape="sphere"``), roll.

    It rolls on a plane or a sphere, or ``inside`` a sphere; a sphere also on or inside a cylinder. Three rows: the height (m; λ > 0
    pushes along the normal), and the slip along two directions across it (m/s).
    """
    return _given("rolls", frame, radius=radius, shape=shape, axis=axis, tyre=tyre, on=on, inside=inside)


def knife_edge(frame: str, axis: Direction | None = None) -> Kind:
    """Allows the origin of a frame no velocity along its y axis (or ``axis``).

    One row at velocity level, m/s; λ > 0 pushes along that axis.
    """
    return _given("knife_edge", frame, axis=axis)


def gear(a: str, b: str, ratio: Expression, offset: Expression | None = None) -> Kind:
    """Makes joint ``a`` go ``ratio`` times as far as joint ``b``, but for an offset: a = ratio·b + offset.

    One row: a less what b says; λ > 0 drives a along its own direction.
    """
    return _given("gear", [a, b], ratio=ratio, offset=offset)


def rack(a: str, b: str, radius: Expression, offset: Expression | None = None) -> Kind:
    """Makes joint ``a`` slide as a pinion of a radius (m) on joint ``b`` turns: a = radius·b + offset.

    One row, m: a less what b says; λ > 0 pushes a along its own direction.
    """
    return _given("rack", [a, b], radius=radius, offset=offset)


def plane(
    through: Vector | None = None, normal: Direction | None = None, of: str | None = None
) -> Kind:
    """A plane through a point (m; the origin) with a normal (z), in the world or in the frame ``of``, moving with it."""
    return _surface("plane", through=through, normal=normal, of=of)


def line(through: Vector | None = None, along: Direction | None = None, of: str | None = None) -> Kind:
    """A line through a point (m; the origin) along a direction (z), in the world or in the frame ``of``, moving with it."""
    return _surface("line", through=through, along=along, of=of)


def cylinder(
    radius: Expression,
    through: Vector | None = None,
    along: Direction | None = None,
    of: str | None = None,
) -> Kind:
    """A cylinder of a radius (m) about such a line."""
    return _surface("cylinder", through=through, along=along, radius=radius, of=of)


def sphere(radius: Expression, center: Vector | None = None, of: str | None = None) -> Kind:
    """A sphere of a radius (m) about a point (m; the origin), in the world or in the frame ``of``, moving with it."""
    return _surface("sphere", center=center, radius=radius, of=of)


def joint_force(joint: str, torque: Expression | None = None, force: Expression | None = None) -> Kind:
    """A torque (N·m) on a joint that turns, or a force (N) on one that slides."""
    return _given("joint", joint, torque=torque, force=force)


def point_force(frame: str, force: Vector, in_: str | None = None) -> Kind:
    """A force (N) on the origin of a frame, along the axes of the world, or of the frame ``in_``."""
    return _given("point", frame, force=force, in_=in_)


def body_torque(body: str, torque: Vector, in_: str | None = None) -> Kind:
    """A torque (N·m) on the body that a frame is on, along the axes of the world, or of the frame ``in_``."""
    return _given("body", body, torque=torque, in_=in_)


def spring(
    a: str,
    b: str,
    stiffness: Expression | None = None,
    damping: Expression | None = None,
    length: Expression | None = None,
) -> Kind:
    """A spring (N/m) with a damper (N·s/m) between the origins of two frames, without force at a length (m; 0)."""
    return _given("spring", [a, b], stiffness=stiffness, damping=damping, length=length)


CONSTRAINTS: Mapping[str, Callable[..., Kind]] = {
    kind.__name__: kind
    for kind in (point, coincide, hinge, slide, weld, distance, equation, orientation, rolls, knife_edge, gear, rack)
}
SURFACES: Mapping[str, Callable[..., Kind]] = {kind.__name__: kind for kind in (plane, line, cylinder, sphere)}
FORCES: Mapping[str, Callable[..., Kind]] = {
    "joint": joint_force,
    "point": point_force,
    "body": body_torque,
    "spring": spring,
}
