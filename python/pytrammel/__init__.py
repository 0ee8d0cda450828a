"""Constrained robot dynamics: say what must hold, get the motion and the force that makes it hold."""

from __future__ import annotations

from ._core import version as __version__
from ._error import Error

__all__ = ["Error", "__version__"]
