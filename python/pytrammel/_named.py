"""Things by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from . import _core
from ._error import Error

T = TypeVar("T")


class Named(dict[str, T]):
    """Things by name, in their order. An Error names the nearest one, or says why there are none."""

    def __init__(self, kind: str, entries: dict[str, T], none: str = "") -> None:
        super().__init__(entries)
        self._kind = kind
        self._none = none

    def __missing__(self, name: str) -> T:
        if not isinstance(name, str):
            raise TypeError(f"found a {self._kind} {name!r}; allowed: its name")
        if self._none:
            raise Error(f"found {self._kind} '{name}'; allowed: {self._none}", found=name, allowed=self._none)
        _core.find_name(self._kind, name, list(self))
        raise KeyError(name)

    def __reduce__(self) -> tuple[Callable[..., Named[T]], tuple[Any, ...]]:
        return Named, (self._kind, dict(self), self._none)
