"""Constrained robot dynamics: say what must hold, get the motion and the force that makes it hold.

    import pytrammel as tm

    run = tm.run("01-scara-helix.yaml", set={"simulate.duration": 5})
    run["q.q1"], run.forces["tool path"].force, run.summary.energy_balance
"""

from __future__ import annotations

from . import _level

_LEVEL = _level.load()  # before anything imports _core

from ._core import Jet, Model, Moment, State
from ._core import version as __version__
from ._error import Error
from ._facts import Facts
from ._forces import Force, Reaction
from ._recording import Recording
from ._run import Run, run
from ._scenario import Scenario
from ._studies import Torques, check, compare, reproduce, torques
from ._sweep import Sweep, sweep
from .functions import (
    acos,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    cycloid,
    exp,
    explicit,
    hypot,
    log,
    minjerk,
    sin,
    sinh,
    smoothstep,
    sqrt,
    tan,
    tanh,
)
from .kinds import (
    body_torque,
    coincide,
    cylinder,
    distance,
    equation,
    gear,
    hinge,
    joint_force,
    knife_edge,
    line,
    orientation,
    plane,
    point,
    point_force,
    rack,
    rolls,
    slide,
    sphere,
    spring,
    weld,
)
from .model import Robot, read_robot
from .problem import Matrices, Problem, Simulator
from .simulation import Simulation
from .system import System

__all__ = [
    "Error",
    "Facts",
    "Force",
    "Jet",
    "Matrices",
    "Model",
    "Moment",
    "Problem",
    "Reaction",
    "Recording",
    "Robot",
    "Run",
    "Scenario",
    "Simulation",
    "Simulator",
    "State",
    "Sweep",
    "System",
    "Torques",
    "__version__",
    "acos",
    "asin",
    "atan",
    "atan2",
    "body_torque",
    "check",
    "coincide",
    "compare",
    "cos",
    "cosh",
    "cycloid",
    "cylinder",
    "distance",
    "equation",
    "exp",
    "explicit",
    "gear",
    "hinge",
    "hypot",
    "joint_force",
    "knife_edge",
    "line",
    "log",
    "minjerk",
    "orientation",
    "plane",
    "point",
    "point_force",
    "rack",
    "read_robot",
    "reproduce",
    "rolls",
    "run",
    "sin",
    "sinh",
    "slide",
    "smoothstep",
    "sphere",
    "spring",
    "sqrt",
    "sweep",
    "tan",
    "tanh",
    "torques",
    "weld",
]
