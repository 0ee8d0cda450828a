"""Scenarios: what one YAML file, its text, or a dictionary says about a run."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Union

from . import _core
from ._core import State
from ._error import Error
from .problem import Problem

Source = Union[str, "os.PathLike[str]", Mapping[str, Any], "Scenario"]
"""A path, the text of a scenario (a str with a line break), a dictionary of the same keys, or a Scenario."""


def _plain(value: Any) -> Any:
    """What JSON has no word for: arrays and scalars of numpy, tuples, other mappings."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"found a {type(value).__name__}; allowed: numbers, text, lists, arrays, dictionaries")


def _yaml(value: Any) -> str:
    """As YAML, of which JSON is a part."""
    return json.dumps(value, default=_plain, ensure_ascii=False)


def _overrides(set: Mapping[str, Any] | None) -> list[str]:
    return [f"{key}={value if isinstance(value, str) else _yaml(value)}" for key, value in (set or {}).items()]


class Scenario:
    """A scenario that was read: its robots, what must hold, what acts, and its start, brought onto the constraints.

    Attributes:
        name: of the scenario.
        file: where it was read from, or None.
        duration: of its run, s; 0 where it does not say.
        warnings: what its robots' files were warned of.
    """

    def __init__(self, what: Source, set: Mapping[str, Any] | None = None) -> None:
        self._text, self._file, self._folder = _read(what)
        self._set: list[str] = (what._set if isinstance(what, Scenario) else []) + _overrides(set)
        self._core: _core.Scenario = _core.read_text(self._text, self._file, self._folder, self._set)

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def file(self) -> str | None:
        return None if self._file in ("<text>", "<dict>") else self._file

    @property
    def text(self) -> str:
        """The YAML, as it was given."""
        return self._text

    @property
    def duration(self) -> float:
        return self._core.duration

    @property
    def warnings(self) -> list[str]:
        return self._core.warnings

    @property
    def system(self) -> _core.System:
        """The robot, what acts on it, what must hold, and what drives it."""
        return self._core.system

    @property
    def start(self) -> State:
        """Where its run begins: assembled, unless it says otherwise."""
        start = self.problem().start
        assert start is not None
        return start

    def problem(self) -> Problem:
        """What a run of it solves, with the options of the run."""
        return Problem.of_scenario(self._core, self._text, self._file, self._folder, self._set)

    def __repr__(self) -> str:
        return f"<Scenario {self.name!r}>"

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_core"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._core = _core.read_text(self._text, self._file, self._folder, self._set)


def _read(what: Any) -> tuple[str, str, str]:
    """The text, the name of its file, and the folder in which its robots are looked for."""
    if isinstance(what, Scenario):
        return what._text, what._file, what._folder
    if isinstance(what, Mapping):
        return json.dumps(what, default=_plain, ensure_ascii=False, indent=1), "<dict>", os.getcwd()
    if isinstance(what, str) and "\n" in what:
        return what, "<text>", os.getcwd()
    if isinstance(what, (str, os.PathLike)):
        file = os.fspath(what)
        return _core.read_file(file), file, os.path.dirname(os.path.abspath(file))
    raise Error(
        f"found a scenario of type {type(what).__name__}; allowed: a path, text with a line break, a dictionary",
        found=f"a scenario of type {type(what).__name__}",
        allowed="a path, text with a line break, a dictionary",
    )


def as_scenario(what: Source, set: Mapping[str, Any] | None) -> Scenario:
    """The scenario itself, where nothing is set in it; else a new one."""
    return what if isinstance(what, Scenario) and not set else Scenario(what, set)
