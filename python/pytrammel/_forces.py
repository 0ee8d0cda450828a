"""Forces of constraints and reactions in joints over the rows of a recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import _core
from ._named import Named
from ._recording import Array


@dataclass(frozen=True)
class Force:
    """What a constraint does, at each recorded row. Its friction, which acts besides, is not in it.

    Attributes:
        name: of the constraint.
        body: the link that feels it, or None where the constraint acts on joints alone; then place, force and moment are zero.
        place: where the force acts, m, in the world: (rows, 3).
        force: N, along the world's axes: (rows, 3).
        moment: N·m about that place, along the world's axes: (rows, 3).
        multipliers: λ of the constraint's own rows, N or N·m: (rows, rows of the constraint).
        uniqueness: "unique"; "shared" where other constraints could take a part of it, and the least one is given;
            "undecided" where rounding decides.
    """

    name: str
    body: str | None
    place: Array
    force: Array
    moment: Array
    multipliers: Array
    uniqueness: str

    @property
    def unique(self) -> bool:
        """Whether the motion determines it."""
        return self.uniqueness == "unique"


@dataclass(frozen=True)
class Reaction:
    """What the bearings of a joint put on its outer body, at the joint.

    Attributes:
        joint: its name.
        force: N: (rows, 3).
        moment: N·m: (rows, 3).
        axes: "world", or "joint" for the axes of the joint's outer link.
    """

    joint: str
    force: Array
    moment: Array
    axes: str


def forces_of(histories: Sequence[_core.ForceHistory], values: Array) -> Named[Force]:
    """The force of each constraint, by its name."""
    return Named("force", {history.name: _force(history, values) for history in histories})


def _force(history: _core.ForceHistory, values: Array) -> Force:
    wrenches, first = history.wrenches, history.first_multiplier
    return Force(
        history.name,
        history.body,
        wrenches[:, 0:3],
        wrenches[:, 3:6],
        wrenches[:, 6:9],
        values[:, first : first + history.rows],
        history.uniqueness,
    )


def reactions_of(first_columns: Sequence[tuple[str, int]], axes: str, values: Array) -> Named[Reaction]:
    """The reaction in each recorded joint, by its name."""
    none = "" if first_columns else "none was recorded: the scenario's record: {reactions: all} does, or reactions=[…] of a run"
    of_joint = {joint: Reaction(joint, values[:, c : c + 3], values[:, c + 3 : c + 6], axes) for joint, c in first_columns}
    return Named("reaction in", of_joint, none)
