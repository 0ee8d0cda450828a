"""Sorts of arguments of the wrong calls in misuse.py: of each a value that is right, and values that are all wrong."""

from __future__ import annotations

import math
import pathlib
from dataclasses import dataclass
from typing import Any

import numpy as np

import pytrammel as tm


NAN, INF = math.nan, math.inf
HUGE = 10**400
NEEDED = ("q", "v", "what", "frame", "a", "u", "key")
ALLOWED = (tm.Error, TypeError, ValueError, KeyError, AttributeError, OverflowError, IndexError)
NO_NUMBER: list[Any] = ["a", "", [1.0, 2.0], {}, object(), 1j, np.zeros(3), lambda: 0, b"1", np.datetime64("2026-01-01"), Ellipsis]
NO_ARRAY: list[Any] = [
    "text", b"bytes", {}, {"a": 1.0}, object(), 3.0, lambda: 0, 1j, [1.0, [2.0, 3.0]], ["a", "b"], [None, None], [HUGE] * 4, {1.0, 2.0},
    iter([1.0]), np.array(["1", "2"]), np.array([1j, 2]), np.array([True, False]), np.array([None, 1.0]),
    np.datetime64("2026-01-01"), np.zeros((2, 2, 2)), np.zeros((3, 0)), np.float64(1), Ellipsis, type,
]  # fmt: skip
NO_NAME: list[Any] = ["nobody", "", "a\0b", "\ud800", "x" * 20000, 3, 2.5, b"tool", ["tool"], {}, object(), True, ("tool", 1)]


@dataclass(frozen=True)
class Sort:
    right: Any
    wrong: list[Any]
    optional: bool = False


def vector(n: int, fill: float = 0.0, optional: bool = False) -> Sort:
    right = np.full(n, fill)
    numbers = [NAN, INF, -INF]
    holes = [np.where(np.arange(n) == i % max(n, 1), numbers[i % 3], right) for i in range(3)]
    shapes = [np.zeros(n + 1), np.zeros(n - 1), np.zeros((n, 1)), np.zeros((1, n)), np.zeros(0), list(holes[0])]
    return Sort(right, [*NO_ARRAY, *holes, *shapes, *([] if optional else [None])], optional)


def vectors(count: int, n: int) -> Sort:
    right = np.zeros((count, n))
    hole = right.copy()
    hole[count // 2, n - 1] = NAN
    shapes = [np.zeros((count, n + 1)), np.zeros(n), np.zeros((n, count + n)), hole, [hole.tolist()], None, [[0.0] * n, [0.0]]]
    return Sort(right, [*NO_ARRAY, *shapes])


def quaternion(n: int) -> Sort:
    right = np.zeros(n)
    right[3] = 1
    return Sort(right, [*vector(n).wrong, np.zeros(n), np.full(n, 1e-300)])


def number(right: float, *wrong: Any, optional: bool = False) -> Sort:
    return Sort(right, [*NO_NUMBER, NAN, INF, -INF, HUGE, *wrong, *([] if optional else [None])], optional)


def length(right: float, *, optional: bool = False) -> Sort:
    return number(right, -1.0, -1e-300, optional=optional)


def count(right: int, optional: bool = False) -> Sort:
    return Sort(right, [0, -1, -(2**31), 2**31, 2**63, HUGE, 10**9, 1.5, "2", [2], NAN, object(), b"2"], optional)


def name(right: str, optional: bool = False) -> Sort:
    return Sort(right, [*NO_NAME, *([] if optional else [None])], optional)


def words(right: list[str]) -> Sort:
    return Sort(right, [["nobody"], [3], [None], [""], 3, {"nobody": 1}, [right], object(), ["\ud800"]], True)


def expression(right: float | str, optional: bool = False) -> Sort:
    wrong = [object(), [1.0, 2.0], {"a": 1}, NAN, INF, "2 +", "nobody*2", "sin(", b"1", 1j, "1 kg*", lambda: 0, "\0", "2; 3"]
    return Sort(right, [*wrong, *([] if optional else [None])], optional)


INPUTS = Sort({"push": 1.0}, [
    3.0, "push", {"nobody": 1.0}, {"push": NAN}, {"push": "x"}, {"push": None}, {"push": HUGE}, {1: 2.0}, {None: 1.0}, [1.0, 2.0, 3.0],
    [NAN, 0.0], object(), [[1.0, 2.0]], {"push": [1.0]}, {"": 1.0}, {"\ud800": 1.0},
], True)  # fmt: skip
SCENARIO = Sort("examples/03-four-bar.yaml", [
    None, 3, "nowhere.yaml", "", "a: [\n", {}, {"robot": 3}, {"robot": "nowhere.urdf"}, {"robot": object()}, {3: 4}, b"examples", object(),
    "\0", pathlib.Path("examples"), "robot: robots/scara.urdf\n", [1, 2], {"robot": "robots/scara.urdf", "simulate": {"duration": NAN}},
    "simulate: {duration: 1}\n", "\ud800\n", {"robot": {"robot": {}}}, NAN, "- 1\n- 2\n", "?\n", "a: &a [*a]\n", {"robot": "\0"},
    {"trammel": 99, "robot": "robots/scara.urdf"}, "x" * 5000, tm.System, np.zeros(3),
])  # fmt: skip
UNREADABLE = [s for s in SCENARIO.wrong if not (isinstance(s, dict) and "simulate" in s) and not str(s).startswith("robot: robots")]
SET = Sort({"simulate.duration": 0.01}, [
    3, "simulate.duration=1", {"nobody.at.home": 1}, {"simulate.duration": NAN}, {"simulate.duration": -1}, {"simulate.duration": "2 kg"},
    {"simulate.duration": object()}, {"simulate": 3}, {"": 1}, {3: 4}, ["simulate.duration"], {"simulate.duration": [1, 2]},
    {"simulate.integrator": "euler?"}, {"constraints.nobody.scale": 1}, object(), {"simulate.duration": HUGE}, {"\ud800": 1},
], True)  # fmt: skip
