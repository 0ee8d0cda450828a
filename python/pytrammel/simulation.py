"""Runs of problems."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from . import _core
from ._core import State
from ._forces import Force, Reaction, forces_of, reactions_of
from ._named import Named
from ._recording import Recording


class Simulation(Recording):
    """A run of a problem: what it recorded, and how it ended. ``run["q.x"]`` is a column.

    Columns are named as the program names them: ``q.x``, ``v.x``, ``vdot.x``, ``Qc.x``, ``lambda.loop[0]``, ``u.motor``, ``tool.x`` of a
    recorded frame.
    It pickles, and needs its problem no more.

    Attributes:
        status: ``"finished"``, ``"stopped"`` (Ctrl-C), or what ended it before its time.
        why: why it ended before its time, by name; else empty.
        good: whether it came to its end, its energy balances, and its constraints and paths were met. A path that motors miss at their
            limits is in `warnings` alone.
        end: the last state.
        warnings: joints and motors at their limits, singular constraints, with the time.
        left_open: constraints that a run without projection has left far open.
        steps, rejected_steps, evaluations: what it took.
        worst_phi, worst_rate: over the recording, m and m/s.
        energy_error, energy_exchanged: what the energy balance leaves unaccounted for, beside what was exchanged, J.
    """

    def __init__(self, core: _core.Simulation, problem: _core.Problem, options: _core.RunOptions) -> None:
        super().__init__(core.columns, core.units, core.values, core.coordinates)
        self._core: _core.Simulation | None = core
        self._problem: _core.Problem | None = problem
        self._reactions, self._axes = problem.reactions_of(core, options)
        self.status: str = core.status
        self.why: str = core.what
        self.good: bool = core.good
        self.end: State = core.end
        self.warnings: list[str] = core.warnings
        self.left_open: list[str] = core.left_open
        self.steps: int = core.steps
        self.rejected_steps: int = core.rejected_steps
        self.evaluations: int = core.evaluations
        self.worst_phi: float = core.worst_phi
        self.worst_rate: float = core.worst_rate
        self.energy_error: float = core.energy_error
        self.energy_exchanged: float = core.energy_exchanged

    @cached_property
    def forces(self) -> Named[Force]:
        """What each constraint does at each row, by its name. Those that motors track have no force of their own, and are not here."""
        assert self._core is not None and self._problem is not None
        return forces_of(self._problem.forces_of(self._core), self._values)

    @cached_property
    def reactions(self) -> Named[Reaction]:
        """What the bearings of the recorded joints carry, by the joint: those of the option ``reactions``."""
        return reactions_of(self._reactions, self._axes, self._values)

    def __repr__(self) -> str:
        return f"<Simulation: {self.status}, {len(self)} rows, {len(self._columns)} columns>"

    def __getstate__(self) -> dict[str, Any]:
        self.forces  # noqa: B018: made while the library's own objects are at hand
        return {**self.__dict__, "_core": None, "_problem": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._values.flags.writeable = False
        self.__dict__.pop("reactions", None)
