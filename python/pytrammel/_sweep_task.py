"""What a worker of a cluster does: a batch of cases becomes a part in the sweep's folder, and only its size goes back."""

from __future__ import annotations

import glob
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from . import _core
from ._error import Error


class Job(NamedTuple):
    """A sweep, and the folder of its table, as any machine finds them that sees the same files."""

    text: str
    file: str  # stands in messages
    folder: str  # where the scenario is looked for
    set: tuple[str, ...]
    out: str
    version: str = _core.version
    instructions: str = _core.instruction_level()

    def read(self) -> _core.Sweep:
        """The sweep; it is read once in each process."""
        key = self._replace(out="")
        if key not in _known:
            _known.clear()  # a worker is at one sweep
            _known[key] = _core.read_sweep(self.text, self.file, self.folder, list(self.set))
        return _known[key]

    def check_machine(self) -> None:
        """Numbers of another version, or other instructions of the processor, would not be the same to the bit."""
        here = f"pytrammel {_core.version}, {_core.instruction_level()}"
        allowed = f"pytrammel {self.version}, {self.instructions}"
        if here != allowed:
            raise Error(f"a worker of the cluster: found {here}; allowed: {allowed}", found=here, allowed=allowed)
        if not os.path.exists(os.path.join(self.out, "parts", "belongs-to.json")):
            found, allowed = f"no sweep in {self.out}", "a folder that the workers see by the same path"
            raise Error(f"a worker of the cluster: found {found}; allowed: {allowed}", found=found, allowed=allowed)


_known: dict[Job, _core.Sweep] = {}


class Cancelled(Exception):
    """Nobody waits for this batch any more."""


def _when_cancelled() -> Callable[[float], None]:
    """A function to call now and then in a task of Dask: it throws Cancelled when the task has been cancelled."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def look(_: float) -> None:
        task = worker.state.tasks.get(key)
        if task is None or task.state == "cancelled":
            raise Cancelled

    return look


def run_batch(job: Job, begin: int, end: int, careful: bool) -> float:
    """Runs the cases from begin on, without end. Returns the seconds of its computing, without those of reading the sweep.

    A batch that has been begun before has ended its worker: then, and where `careful` says so, it runs in a process of its own.
    """
    job.check_machine()
    sweep = job.read()
    start = time.perf_counter()
    if careful or glob.glob(os.path.join(glob.escape(job.out), "parts", f"running-*-{begin}")):
        run_carefully(job, begin, end, _when_cancelled())
    else:
        _core.run_cases(sweep, job.out, begin, end, _when_cancelled())
    return time.perf_counter() - start


def run_carefully(job: Job, begin: int, end: int, look: Callable[[float], None]) -> None:
    """Runs the cases in a child process. Where one ends it, the batch is bisected until the case is alone: its row says so."""
    code, complaint = _in_a_child(job, begin, end, look)
    if code > 0:
        raise RuntimeError(complaint)
    if code == 0:
        return
    if end - begin == 1:
        reason = f"the process that ran it was ended by {signal.Signals(-code).name}"
        _core.quarantine_case(job.read(), job.out, begin, reason)
        return
    middle = (begin + end) // 2
    run_carefully(job, begin, middle, look)
    run_carefully(job, middle, end, look)


def _in_a_child(job: Job, begin: int, end: int, look: Callable[[float], None]) -> tuple[int, str]:
    """The exit code of the child, minus the number of the signal that ended it, and what it said."""
    words = [sys.executable, "-m", __package__ + "._sweep_child"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        try:
            told = pickle.dumps((job, begin, end))
            while True:
                try:
                    _, said = child.communicate(told, timeout=0.1)
                    return child.returncode, said.decode(errors="replace").strip()
                except subprocess.TimeoutExpired:
                    told = b""
                    look(0)
        finally:
            child.kill()
