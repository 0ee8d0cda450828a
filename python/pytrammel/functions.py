"""Laws as Python functions, and the functions that they compute with.

The law of a constraint is a function of a ``Moment`` that returns what must be zero, one jet a row:

    def on_sphere(x):
        return np.linalg.norm(x.position("tool") - center) - 0.3

    system.constrain("ball", on_sphere)

A jet is a number with its derivatives, so that the rows A v̇ = b are exact. It adds, multiplies and so on with floats, jets and numpy
arrays; functions of it are those below and numpy's. It is not compared and not turned into a float, so that functions of ``math``,
branches that the state decides, and code that knows floats alone are refused with a message. Such a law can still be a force. As a constraint it
must give its derivatives (``explicit``).

The law of a force is a function of a ``Moment`` of floats (``System.apply``).
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Jet, Moment

Number = typing.TypeVar("Number", float, Jet, npt.NDArray[typing.Any])
Row = typing.Union[float, Jet]
Law = Callable[[Moment], typing.Union[Row, Sequence[Row], npt.NDArray[typing.Any]]]
"""The law of a constraint: what must be zero, one jet a row."""
FloatLaw = Callable[[Moment], typing.Union[float, Sequence[typing.Any], npt.NDArray[typing.Any]]]
"""A law that knows floats alone."""
ForceLaw = Callable[[Moment], typing.Union[Mapping[str, float], float, Sequence[float], npt.NDArray[typing.Any]]]
"""The law of a force: generalised forces by joint, all in the order of v, or three numbers."""


def _elementwise(function: Callable[..., typing.Any], *arguments: typing.Any) -> typing.Any:
    if not any(isinstance(argument, np.ndarray) for argument in arguments):
        return function(*arguments)
    result = np.frompyfunc(function, len(arguments), 1)(*arguments)
    jets = any(np.asarray(argument).dtype == object for argument in arguments) or not isinstance(result, np.ndarray)
    return result if jets else result.astype(float)


def sin(u: Number) -> Number:
    """The sine of a float, a jet or an array of them (rad)."""
    return typing.cast(Number, _elementwise(_core.sin, u))


def cos(u: Number) -> Number:
    """The cosine of a float, a jet or an array of them (rad)."""
    return typing.cast(Number, _elementwise(_core.cos, u))


def tan(u: Number) -> Number:
    """The tangent of a float, a jet or an array of them (rad)."""
    return typing.cast(Number, _elementwise(_core.tan, u))


def asin(u: Number) -> Number:
    """The angle (rad, −π/2 to π/2) of a sine."""
    return typing.cast(Number, _elementwise(_core.asin, u))


def acos(u: Number) -> Number:
    """The angle (rad, 0 to π) of a cosine."""
    return typing.cast(Number, _elementwise(_core.acos, u))


def atan(u: Number) -> Number:
    """The angle (rad, −π/2 to π/2) of a tangent."""
    return typing.cast(Number, _elementwise(_core.atan, u))


def atan2(y: typing.Any, x: typing.Any) -> typing.Any:
    """The angle (rad, −π to π) of the point (x, y): floats, jets or arrays."""
    return _elementwise(_core.atan2, y, x)


def sinh(u: Number) -> Number:
    """The hyperbolic sine of a float, a jet or an array of them."""
    return typing.cast(Number, _elementwise(_core.sinh, u))


def cosh(u: Number) -> Number:
    """The hyperbolic cosine of a float, a jet or an array of them."""
    return typing.cast(Number, _elementwise(_core.cosh, u))


def tanh(u: Number) -> Number:
    """The hyperbolic tangent of a float, a jet or an array of them: a smooth sign."""
    return typing.cast(Number, _elementwise(_core.tanh, u))


def hypot(x: typing.Any, y: typing.Any) -> typing.Any:
    """√(x² + y²) of floats, jets or arrays, without overflow. It has no derivative at the origin."""
    return _elementwise(_core.hypot, x, y)


def sqrt(u: Number) -> Number:
    """The square root. It has no derivative at 0."""
    return typing.cast(Number, _elementwise(_core.sqrt, u))


def exp(u: Number) -> Number:
    """e to the power of a float, a jet or an array of them."""
    return typing.cast(Number, _elementwise(_core.exp, u))


def log(u: Number) -> Number:
    """The natural logarithm."""
    return typing.cast(Number, _elementwise(_core.log, u))


def cycloid(u: Number) -> Number:
    """A smooth step from 0 to 1 for u from 0 to 1, held at both ends: u − sin(2πu)/2π."""
    return typing.cast(Number, _elementwise(_core.cycloid, u))


def minjerk(u: Number) -> Number:
    """A smooth step from 0 to 1 for u from 0 to 1, held at both ends: 10u³ − 15u⁴ + 6u⁵."""
    return typing.cast(Number, _elementwise(_core.minjerk, u))


def smoothstep(u: Number) -> Number:
    """A step from 0 to 1 for u from 0 to 1, held at both ends, that can be derived any number of times: 1/(1 + eʰ), h = 1/u − 1/(1 − u)."""
    return typing.cast(Number, _elementwise(_core.smoothstep, u))


@dataclasses.dataclass(frozen=True)
class Explicit:
    """The law of a constraint by functions of floats that give its derivatives (``explicit``)."""

    phi: FloatLaw
    A: FloatLaw
    b: FloatLaw
    rate: FloatLaw | None = None
    velocity_level: bool = False


def explicit(
    phi: FloatLaw, A: FloatLaw, b: FloatLaw, rate: FloatLaw | None = None, *, velocity_level: bool = False
) -> Explicit:
    """A constraint's law by functions of floats, with the derivatives that nobody can take of them: φ = 0 with φ̈ = A v̇ − b.

    Args:
        phi: φ, one number a row; at velocity level ψ, of which ψ̇ = A v̇ − b.
        A: rows × nv numbers, a column for each velocity.
        b: one number a row.
        rate: φ̇, one number a row, of a law that moves with the time; A v if not given.
        velocity_level: whether φ looks at velocities.

    Derivatives that are wrong make a wrong motion: nothing checks them. A law on jets needs none.
    """
    return Explicit(phi, A, b, rate, velocity_level)


@dataclasses.dataclass(frozen=True)
class FunctionConstraint:
    """A constraint of a system whose law is in Python: what the extension module reads."""

    name: str
    law: Law | Explicit
    rows: int = 0  # 0: as many as the function returns
    unit: str = ""
    control: bool = False
    scale: float = 1.0
    baumgarte: tuple[float, float] | None = None
    compliance: tuple[float, float] | None = None


@dataclasses.dataclass(frozen=True)
class FunctionForce:
    """A force of a system whose law is in Python: what the extension module reads."""

    name: str
    law: ForceLaw
    at: str | None = None
