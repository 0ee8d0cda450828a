"""How far a computation is: a bar in terminals and notebooks, nothing in pipes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Union

Progress = Union[bool, None, Callable[[float], None]]
"""True or False: a bar or none; None: a bar where somebody looks; or a function of the part that is done, 0 to 1."""


def _somebody_looks() -> bool:
    return sys.stderr is not None and sys.stderr.isatty() or "ipykernel" in sys.modules


@contextmanager
def shown(progress: Progress) -> Iterator[Callable[[float], None] | None]:
    """The function to call with the part that is done; the bar is gone when the block ends."""
    if callable(progress):
        yield progress
        return
    if progress is not None and not isinstance(progress, bool):
        raise TypeError(f"progress: found {progress!r:.60}; allowed: True, False, None or a function of the part that is done")
    if progress is False or (progress is None and not _somebody_looks()):
        yield None
        return
    start = time.monotonic()
    drawn = False

    def draw(part: float) -> None:
        nonlocal drawn
        seconds = time.monotonic() - start
        if seconds < 0.2:
            return
        left = f"{seconds * (1 / part - 1):.0f} s left" if part > 0 else ""
        sys.stderr.write(f"\r[{'#' * int(30 * part):<30}] {100 * part:3.0f} %  {left:<20}")
        sys.stderr.flush()
        drawn = True

    try:
        yield draw
    finally:
        if drawn:
            sys.stderr.write("\r" + " " * 60 + "\r")
            sys.stderr.flush()
