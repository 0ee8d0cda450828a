"""Runs of scenarios."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from . import _core
from ._error import Error
from ._facts import Facts
from ._forces import Force, Reaction, forces_of, reactions_of
from ._named import Named
from ._progress import Progress, shown
from ._recording import Recording
from ._scenario import Source, as_scenario


class Run(Recording):
    """A scenario that was run. ``run["q.q1"]`` is a column; a notebook shows the page of the run.

    It pickles with its page and its figures, and needs no files afterwards.
    """

    def __init__(self, core: _core.ScenarioRun, command: str) -> None:
        super().__init__(core.columns, core.units, core.values, core.coordinates)
        self._core: _core.ScenarioRun | None = core
        self._command = command
        self._json = core.json
        self._text = core.text
        self._warnings = core.warnings
        self._ok = core.succeeded
        self._good = core.good
        self._reactions = core.reactions
        self._axes = core.reaction_axes

    @cached_property
    def summary(self) -> Facts:
        """The same as ``summary.json`` of the program: ``run.summary.energy_balance.verdict``, ``run.summary["rank"]``."""
        return Facts.from_json(self._json)

    @property
    def name(self) -> str:
        """Of the scenario."""
        return str(self.summary["name"])

    @property
    def status(self) -> str:
        """``"finished"``; ``"stopped"`` by Ctrl-C; or why else it ended before its time. ``run.why`` says more."""
        return str(self.summary["status"])

    @property
    def why(self) -> str:
        """Why it ended before its time, by name; empty if it did not."""
        return str(self.summary["why"])

    @property
    def ok(self) -> bool:
        """Whether the program would exit with 0: it came to its end, and its energy is not out of balance. ``good`` asks for more."""
        return self._ok

    @property
    def good(self) -> bool:
        """Whether it came to its end, its energy balances, and its constraints and paths were met: the page's headline says the same.

        A path that motors miss at their limits is a warning, and no more.
        """
        return self._good

    @property
    def warnings(self) -> list[str]:
        """Of the robots' files and of the run."""
        return list(self._warnings)

    @cached_property
    def forces(self) -> Named[Force]:
        """What each constraint does, by its name. Those that motors track have no force of their own, and are not here."""
        assert self._core is not None
        return forces_of(self._core.forces(), self._values)

    @cached_property
    def reactions(self) -> Named[Reaction]:
        """What the bearings of the recorded joints carry, by the joint: the scenario's ``record: {reactions: all}``."""
        return reactions_of(self._reactions, self._axes, self._values)

    def page(self) -> str:
        """The page of the run, HTML that needs no other file; empty where the library was built without it."""
        if self._core is None:
            return self._files.get("report.html", "")
        return self._core.page(self._command)

    def save(self, folder: str | os.PathLike[str], figures: str = "svg") -> None:
        """Leaves the files that the program leaves: recording.csv, summary.json, report.html, figures.

        Args:
            folder: is made where it is not there; results of an earlier run there are replaced.
            figures: "svg", "pdf", "png", or several, as in "svg,pdf".
        """
        if self._core is not None:
            self._core.save(os.fspath(folder), figures, self._command)
        elif figures == "svg":
            _core.save_files(self._files, "summary.json", os.fspath(folder))
        else:
            raise Error(f"found figures {figures!r} of a run that was pickled; allowed: 'svg'", found=figures, allowed="svg")

    @cached_property
    def _files(self) -> dict[str, str]:
        assert self._core is not None
        return self._core.files(self._command)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Run of {self.name!r}: {self.status}, {len(self)} rows, {len(self._columns)} columns>"

    def _repr_html_(self) -> str:
        page = self.page()
        if not page:
            return f"<pre>{html.escape(self._text)}</pre>"
        # within the document itself: a notebook's server needs to serve nothing
        return f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: 720px; border: 0"></iframe>'

    def __getstate__(self) -> dict[str, Any]:
        self.forces, self._files  # noqa: B018: made while the library's own object is at hand
        return {**self.__dict__, "_core": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._values.flags.writeable = False
        self.__dict__.pop("reactions", None)


def run(what: Source, set: Mapping[str, Any] | None = None, *, progress: Progress = None) -> Run:
    """Runs a scenario: the motion, the forces of its constraints, the torques of its motors.

    Args:
        what: the path of a scenario, its text (a str with a line break), or a dictionary with the same keys. Files of robots are looked
            for beside the scenario's file; of text and dictionaries, in the current directory.
        set: values in place of those that it has: ``{"simulate.duration": 5, "constraints.path.x": 0}``.
        progress: True or False for a bar or none, None for one in terminals and notebooks, or a function of the part that is done.

    Returns:
        The run. Ctrl-C ends it early: what was computed is kept, and its status is ``"stopped"``. Whatever ends a run before its time
        is a status, and no exception.

    Raises:
        Error: the scenario is wrong, or its start cannot be brought onto its constraints.
    """
    scenario = as_scenario(what, set)
    with shown(progress) as told:
        core = _core.run(scenario._core, told)
    return Run(core, f"pytrammel.run({scenario.file or scenario.name!r})")
