"""Robots as trees: poses, Jacobians, dynamics."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

STANDARD_GRAVITY = (0.0, 0.0, -9.81)


class Robot(_core.Model):
    """A robot: a tree of links and joints. Immutable; threads may share it.

    A configuration q (nq,) has angles in rad, lengths in m and unit quaternions (w, x, y, z); velocities v (nv,)
    are rates of these, and angular velocities in the joint's own frame where q has a quaternion. Spatial vectors
    have their angular part first, along the world's axes.
    """

    def __init__(
        self, text: str | bytes, file: str = "", gravity: ArrayLike = STANDARD_GRAVITY, strict: bool = False
    ) -> None:
        """From the text of a file in URDF or MJCF; `file` stands in messages and tells where meshes are. Gravity in m/s².

        What no robot can have is refused if `strict`, otherwise told in `warnings` where a robot is meant.
        """
        if isinstance(text, str):
            text = text.encode()
        super().__init__(text, file, gravity, strict)
        self.file, self.strict = file, strict
        self._source = (text, file, tuple(float(g) for g in self.gravity), strict)

    def __reduce__(self) -> tuple[Callable[..., Robot], tuple[Any, ...]]:
        return Robot, self._source

    def random(self, seed: int | np.random.Generator | None = None) -> NDArray[np.float64]:
        """(nq,): a random configuration, within the joints' limits.

        Angles without limits are within ±π, lengths without limits within ±1 m, orientations are uniform.
        """
        rng = np.random.default_rng(seed)
        lower, upper = self.lower, self.upper
        q = self.neutral()
        for joint in self.joints:
            for i in range(joint.nq if joint.nq == joint.nv else joint.nq - 4):
                span = np.pi if joint.angular[i] else 1.0
                low, high = lower[joint.v + i], upper[joint.v + i]
                low = low if np.isfinite(low) else min(-span, high - span)
                high = high if np.isfinite(high) else max(span, low + span)
                q[joint.q + i] = rng.uniform(low, high)
            if joint.nq != joint.nv:
                quaternion = rng.normal(size=4)
                q[joint.q + joint.nq - 4 : joint.q + joint.nq] = quaternion / np.linalg.norm(quaternion)
        return q


def read_robot(
    path: str | os.PathLike[str], gravity: ArrayLike = STANDARD_GRAVITY, strict: bool = False
) -> Robot:
    """Reads a robot from a file in URDF or MJCF; gravity (3,) in m/s², along the axes of its root link.

    A Robot is the tree alone: ``System(path)`` also has the loops, couplings and motors of the file.
    What no robot can have is refused if `strict`, otherwise told in `warnings` where a robot is meant.
    """
    file = os.fspath(path)
    return Robot(_core.read_robot_file(file), file, gravity, strict)
