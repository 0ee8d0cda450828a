"""Constrained robot dynamics: say what must hold, get the motion and the force that makes it hold.

    import pytrammel as tm

    run = tm.run("01-scara-helix.yaml", set={"simulate.duration": 5})
    run["q.q1"], run.forces["tool path"].force, run.summary.energy_balance
"""

from __future__ import annotations

from . import _level

_LEVEL = _level.load()  # before anything imports _core

from ._core import version as __version__
from ._error import Error
from ._facts import Facts
from ._recording import Recording
from ._run import Force, Reaction, Run, run
from ._scenario import Scenario
from ._studies import Torques, check, compare, reproduce, torques

__all__ = [
    "Error",
    "Facts",
    "Force",
    "Reaction",
    "Recording",
    "Run",
    "Scenario",
    "Torques",
    "__version__",
    "check",
    "compare",
    "reproduce",
    "run",
    "torques",
]
