"""What is told where a function of a law or a force is wrong."""

import math
import traceback
from collections.abc import Callable
from typing import Any

import pytest

import pytrammel as tm
from pytrammel import _core
from test_functions import MATRICES, free_body, state


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
