"""A system that is compiled: its motion, forces and torques at a state, at many states, and over the time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import State
from ._error import Error
from ._progress import Progress, shown
from .simulation import Simulation

if TYPE_CHECKING:
    from typing_extensions import Unpack

Array = NDArray[np.float64]
Inputs = Union[Mapping[str, float], ArrayLike, None]
Start = Union[State, _core.Assembly, tuple[ArrayLike, ArrayLike], tuple[ArrayLike, ArrayLike, float]]
"""A State, (q, v) or (q, v, t), or what assemble gives, at t = 0."""
Controller = Callable[[State], Inputs]


class Matrices(NamedTuple):
    """M v̇ = Q + Qc under A v̇ = b."""

    M: Array
    Q: Array
    A: Array
    b: Array


class RunOptions(TypedDict, total=False):
    """How a run goes. What is not given is as the scenario has it, or as said here."""

    integrator: str
    """'dopri5', or another of docs/scenario.md."""
    step: float
    """s; of integrators without an error estimate, else the longest if above 0 (0)."""
    tolerance: float
    """Relative, of integrators with an error estimate (1e-10)."""
    absolute_tolerance: float
    """rad, m, rad/s, m/s alike (the relative one times the size of each component)."""
    drift: str
    """'projection' (every step ends on the constraints), 'velocity', 'baumgarte' (with the problem's gains), 'none'."""
    record_every: float
    """s; 0 for every step (0.01)."""
    frames: Sequence[str]
    """Whose places are recorded (none)."""
    reactions: Sequence[str]
    """Joints whose reactions are recorded (none)."""
    reaction_axes: str
    """'world' or 'joint': along which axes these are recorded."""
    limits: str
    """'warn', 'stop' or 'ignore' joints at their limits."""
    velocities: Sequence[str]
    """Frames whose velocities and angular velocities are recorded: 'tool.vx' … 'tool.wz' (none)."""
    orientations: Sequence[str]
    """Frames whose angles are recorded: 'tool.roll', 'tool.pitch', 'tool.yaw', rad (none)."""
    expressions: Mapping[str, str]
    """Expressions of joints, frames, inputs and t that are recorded, by the names of their columns: {'slip': 'tool.vx - 0.1*v(wheel)'}."""


def _check_period(period: float) -> None:
    if not 0 < period < math.inf:
        allowed = "a finite time above 0 s"
        raise Error(f"found period {period!r}; allowed: {allowed}", found=f"period {period!r}", allowed=allowed)


class Simulator(_core.LedRun):
    """A run that its user leads: ``while sim.step(0.001, [u]): u = control(sim.state)``, then ``sim.conclude()``."""

    def __init__(self, problem: Problem, start: State, inputs: Inputs, options: _core.RunOptions) -> None:
        """``problem.simulator(…)`` makes it."""
        super().__init__(problem, start, inputs, options)
        self._problem, self._options = problem, options

    def conclude(self) -> Simulation:
        """What came of it. A run that has not come to its end is 'stopped' there, and goes on no more."""
        return Simulation(self.finish(), self._problem, self._options)

    def step(self, period: float, inputs: Inputs = None) -> bool:
        """Sets inputs, where given, and goes on by a period (s). False where the run has ended, at its time or before."""
        if inputs is not None:
            self.set_inputs(inputs)
        _check_period(period)
        return self.advance_to(self.state.t + period)


class Problem(_core.Problem):
    """A system with the options under which it is solved, checked and laid out once. Immutable; threads may share it."""

    _source: tuple[Any, ...] | None = None  # text, file, folder and overrides of the scenario
    _made_of: Any = None  # the pytrammel.System; it also keeps the functions that the library refers to

    def __init__(
        self,
        system: _core.System,
        *,
        rank_tolerance: float = 1e-11,
        baumgarte: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Compiles a system.

        Args:
            system: the robot with all that acts, holds and drives.
            rank_tolerance: rows whose pivot is below this part of the largest count as redundant.
            baumgarte: gains (α in 1/s, β in 1/s²) of φ̈ + α φ̇ + β φ = 0, for constraints without gains of their own.
        """
        if not 0 <= rank_tolerance < 1:
            found, allowed = f"rank_tolerance {rank_tolerance!r}", "0 or above, below 1"
            raise Error(f"found {found}; allowed: {allowed}", found=found, allowed=allowed)
        super().__init__(system, rank_tolerance, baumgarte)
        self._made_of = getattr(system, "made_of", None)

    @staticmethod
    def of_scenario(scenario: _core.Scenario, *source: Any) -> Problem:
        """What a run of a scenario solves. `source`: its text, file, folder and overrides, from which it is pickled."""
        out = Problem.__new__(Problem)
        _core.Problem.__init__(out, scenario)
        out._source = source or None
        return out

    def with_parameters(self, parameters: Mapping[str, float]) -> Problem:
        """The same problem with other numbers, by name and in SI units, besides those that were changed before.

        It is as if the author had given these. An Error where one is not known, or changes more than numbers.
        """
        out = Problem.__new__(Problem)
        _core.Problem.__init__(out, self, dict(parameters))
        out._source, out._made_of = self._source, self._made_of
        return out

    def __reduce__(self) -> tuple[Callable[..., Problem], tuple[Any, ...]]:
        if self._source is not None:
            return _again_from_scenario, (*self._source, self.changes)
        if self._made_of is None:
            raise TypeError("a problem whose system is neither a scenario's nor a pytrammel.System cannot be pickled")
        return _again_from_system, (self._made_of, self.rank_tolerance, self.baumgarte, self.changes)

    def __repr__(self) -> str:
        rows = len(self.rows)
        return f"Problem(nq={self.nq}, nv={self.nv}, {rows} row{'' if rows == 1 else 's'})"

    def matrices(self, q: ArrayLike, v: ArrayLike, t: float = 0.0, inputs: Inputs = None) -> Matrices:
        """M (nv, nv), Q (nv,), A (rows, nv), b (rows,) of M v̇ = Q + Qc and A v̇ = b.

        Q holds all impressed forces with the velocity terms (−h elsewhere), b its stabilising part. Torques of
        motors and friction of constraints are left out.
        """
        return Matrices(*super().matrices(q, v, t, inputs))

    def ledger(
        self, q: ArrayLike, v: ArrayLike, t: float = 0.0, inputs: Inputs = None
    ) -> dict[str, _core.ConstraintForce]:
        """The force of each constraint at a state, by its name: those of solve(…).forces."""
        return self.solve(q, v, t, inputs).forces

    def reactions(
        self, q: ArrayLike, v: ArrayLike, t: float = 0.0, inputs: Inputs = None
    ) -> dict[str, _core.JointReaction]:
        """The reaction in each joint at a state, by its name: those of solve(…).reactions."""
        return self.solve(q, v, t, inputs).reactions

    def simulate(
        self,
        start: Start | None = None,
        duration: float | None = None,
        *,
        inputs: Inputs = None,
        controller: Controller | None = None,
        period: float | None = None,
        progress: Progress = None,
        **options: Unpack[RunOptions],
    ) -> Simulation:
        """A run from a start, a State, (q, v), (q, v, t) or what assemble gave (at t = 0), over the duration in s.

        Both are the scenario's where they are not given. Inputs stay as they are given, unless there is a controller: a function of a
        State that returns inputs, or None to leave them, called at the start and after every period (s). They hold in between, and
        steps end exactly there. Ctrl-C ends the run, whose recording is kept (status 'stopped'). `progress` is that of :func:`run`. RunOptions
        tells what else may be given.
        """
        if (controller is None) != (period is None):
            raise TypeError("controller, period: found one of them; allowed: both or none")
        asked = self._options(duration, options)
        begin = self._start(start)
        if controller is None or period is None:
            with shown(progress) as told:
                return Simulation(self.run_from(begin, inputs, asked, told), self, asked)
        _check_period(period)
        led, count = Simulator(self, begin, inputs, asked), 0
        while not led.ended:
            wanted = controller(led.state)
            if wanted is not None:
                led.set_inputs(wanted)
            count += 1
            led.advance_to(begin.t + count * period)
        return led.conclude()

    def simulator(
        self,
        start: Start | None = None,
        duration: float | None = None,
        *,
        inputs: Inputs = None,
        **options: Unpack[RunOptions],
    ) -> Simulator:
        """A run that goes on when it is told to, with inputs that hold in between. The duration (s) is the longest that it can get."""
        return Simulator(self, self._start(start), inputs, self._options(duration, options))

    def _start(self, start: Start | None) -> State:
        at = self.start if start is None else _state(start)
        if at is None:
            raise TypeError("start: found None, and a problem of no scenario; allowed: a State, (q, v) or (q, v, t)")
        return at

    def simulate_batch(
        self,
        q: ArrayLike,
        v: ArrayLike,
        duration: float | None = None,
        *,
        t: float = 0.0,
        inputs: Inputs = None,
        workers: int | None = None,
        **options: Unpack[RunOptions],
    ) -> list[Simulation]:
        """Runs from n starts, q (n, nq) and v (n, nv), on all cores or as many threads as there are workers.

        Each is what simulate gives for its start, to the bit.
        """
        asked = self._options(duration, options)
        return [Simulation(run, self, asked) for run in self.run_all(q, v, t, inputs, workers, asked)]

    def _options(self, duration: float | None, options: RunOptions) -> _core.RunOptions:
        for name in options:
            _core.find_name("option of a run", name, list(RunOptions.__annotations__))
        if duration is None and self.start is None:
            raise TypeError("duration: found None, and a problem of no scenario; allowed: a time in s")
        return _core.RunOptions(duration=duration, **options)


def _state(start: object) -> State:
    if isinstance(start, State):
        return start
    if isinstance(start, _core.Assembly):
        if not start.closed:
            raise Error(f"found a start that is {start}; allowed: one that is closed", found=str(start), allowed="closed")
        return State(start.q, start.v)
    if isinstance(start, (tuple, list)) and len(start) in (2, 3):
        return State(*start)
    raise TypeError(f"start: found {type(start).__name__}; allowed: a State, (q, v) or (q, v, t)")


def _again_from_scenario(
    text: str, file: str, folder: str, overrides: list[str], changes: dict[str, float]
) -> Problem:
    scenario = _core.read_text(text, file, folder, overrides)
    return _changed(Problem.of_scenario(scenario, text, file, folder, overrides), changes)


def _again_from_system(
    system: Any, rank_tolerance: float, baumgarte: tuple[float, float], changes: dict[str, float]
) -> Problem:
    return _changed(Problem(system.read(), rank_tolerance=rank_tolerance, baumgarte=baumgarte), changes)


def _changed(problem: Problem, changes: dict[str, float]) -> Problem:
    return problem.with_parameters(changes) if changes else problem
