"""What can be said of a scenario besides its run."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from typing import Any

from . import _core
from ._facts import Facts
from ._progress import Progress, shown
from ._recording import Recording
from ._scenario import Source, as_scenario

STUDIES = pathlib.Path(__file__).parent / "share" / "reproduce"
"""The studies of papers that come with the package."""


def check(what: Source, set: Mapping[str, Any] | None = None, *, progress: Progress = None) -> Facts:
    """What can be said before a run: freedoms, rank, redundant rows by name, singular constraints, whether a run can start.

    ``found.runs`` tells the last, ``found.why_not`` the reason, ``found.diagnosis`` the rest; the same as ``trammel check --json``.
    The arguments are those of :func:`run`.
    """
    with shown(progress) as told:
        return Facts.from_json(_core.check(as_scenario(what, set)._core, told))


class Torques(Recording):
    """The torques of motors along the motion that is asked of them: columns ``t``, s, and ``u.MOTOR``, N·m or N.

    Attributes:
        summary: the same as ``trammel torques --json``: peaks of each motor, with their times.
        ok: whether the motors give the motion, to its end.
    """

    def __init__(self, core: _core.TorqueStudy) -> None:
        super().__init__(core.columns, core.units, core.values, core.columns[1:])
        self.summary = Facts.from_json(core.json)
        self.ok = core.realised

    @property
    def status(self) -> str:
        """``"finished"``, or why the motion ended before its time."""
        return str(self.summary["status"])

    def __repr__(self) -> str:
        return f"<Torques of {self.summary['name']!r}: {self.status}, {len(self)} rows>"


def torques(what: Source, set: Mapping[str, Any] | None = None, *, progress: Progress = None) -> Torques:
    """What the motors must give for the prescribed motion, or for the control rows. The arguments are those of :func:`run`."""
    with shown(progress) as told:
        return Torques(_core.torques(as_scenario(what, set)._core, told))


def compare(what: Source, set: Mapping[str, Any] | None = None) -> Facts:
    """The formulations of the equation of motion and the drift controls side by side, as ``trammel compare --json`` tells them."""
    return Facts.from_json(_core.compare(as_scenario(what, set)._core, None))


def reproduce(study: str) -> Facts:
    """What papers printed beside what comes out, as ``trammel reproduce --json`` tells it.

    Args:
        study: the name of a study that comes with the package ("scara", "two-link", …), "all", or a file NAME.yaml of your own.
    """
    return Facts.from_json(_core.reproduce(study, str(STUDIES)))
