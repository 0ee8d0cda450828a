"""A sweep on a cluster of Dask: batches of about a second, so many in flight as keep all workers busy."""

from __future__ import annotations

import queue
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any, NamedTuple

from . import _core
from ._sweep_task import Job, run_batch

Client = Any  # of distributed, most of whose functions have no types
Future = Any
Told = Callable[[float], None]


@contextmanager
def _of_a_scheduler() -> Iterator[None]:
    try:
        yield
    except (OSError, CancelledError) as error:
        raise RuntimeError("the scheduler of the cluster is gone; resume=True goes on where it was") from error


class Batch(NamedTuple):
    """Cases from begin on, without end; careful: in a process of their own, since they may end it."""

    begin: int
    end: int
    careful: bool = False

    def halves(self) -> list[Batch]:
        middle = (self.begin + self.end) // 2
        return [Batch(self.begin, middle, True), Batch(middle, self.end, True)]


class Cases:
    """Cases that are yet to be run, in batches whose size follows from what those before have taken."""

    def __init__(self, missing: list[tuple[int, int]], suspects: list[int], seconds: float) -> None:
        """Suspects are cases at which a process has died."""
        self._first: deque[Batch] = deque()  # to be run as they stand
        self._ranges: deque[tuple[int, int]] = deque()
        for begin, end in missing:
            for i in [i for i in suspects if begin <= i < end]:
                self._first.append(Batch(i, i + 1, True))
                self._add(begin, i)
                begin = i + 1
            self._add(begin, end)
        self._seconds = seconds  # wanted of a batch
        self._wanted = 1  # cases
        self.left = len(self._first) + sum(end - begin for begin, end in self._ranges)

    def _add(self, begin: int, end: int) -> None:
        if begin < end:
            self._ranges.append((begin, end))

    def again(self, batches: list[Batch]) -> None:
        """Those that have ended their worker."""
        self._first.extend(batches)
        self.left += sum(batch.end - batch.begin for batch in batches)

    def learn(self, cases: int, seconds: float) -> None:
        """How long a batch has taken. The size grows by no more than a factor of four at once: the first cases may be quick."""
        self._wanted = max(1, min(int(cases * self._seconds / max(seconds, 1e-6)), 4 * self._wanted))

    def take(self, workers: int) -> Batch:
        """The next batch; smaller ones towards the end, so that no worker is left alone with many."""
        if self._first:
            batch = self._first.popleft()
        else:
            begin, end = self._ranges.popleft()
            most = max(1, self.left // (4 * workers), self._wanted // 20)
            batch = Batch(begin, min(end, begin + min(self._wanted, most)))
            if batch.end < end:
                self._ranges.appendleft((batch.end, end))
        self.left -= batch.end - batch.begin
        return batch


class Cluster:
    """The batches in flight on a client's cluster."""

    def __init__(self, client: Client, job: Job) -> None:
        self._client = client
        self._job = job
        self._name = f"sweep-{uuid.uuid4().hex[:12]}"
        self._flying: dict[Future, Batch] = {}
        self._done: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._asked = -1e9  # when, for the number of workers
        self._workers = 0
        self._submitted = 0

    def workers(self) -> int:
        """How many threads there are to run cases, as of two seconds ago."""
        if time.monotonic() - self._asked > 2:
            with _of_a_scheduler():
                self._workers = sum(self._client.nthreads().values())
            self._asked = time.monotonic()
        return max(1, self._workers)

    def is_idle(self) -> bool:
        return not self._flying

    def has_room(self) -> bool:
        """Two batches for each thread: the one that it runs, and the next."""
        return len(self._flying) < 2 * self.workers() + 2

    def submit(self, batch: Batch) -> None:
        key = f"{self._name}-{self._submitted}"
        self._submitted += 1
        future = self._client.submit(run_batch, self._job, *batch, key=key, pure=False)
        self._flying[future] = batch
        future.add_done_callback(self._done.put)

    def next_done(self) -> tuple[Future, Batch] | None:
        """A batch that has ended, whatever way; None where there is none for a while."""
        try:
            future = self._done.get(timeout=0.2)
        except queue.Empty:
            return None
        if future.status in ("lost", "pending"):  # its worker died before the result was told: the scheduler has it run again
            future.add_done_callback(self._done.put)
            return None
        return future, self._flying.pop(future)

    def cancel(self) -> None:
        """Lets go of all that is in flight: tasks that run keep the cases which they have done."""
        if self._flying and self._client.status == "running":
            self._client.cancel(list(self._flying), force=True)
        self._flying.clear()


def run_on(client: Client, job: Job, sweep: _core.Sweep, resume: bool, batch_seconds: float, told: Told | None) -> None:
    """Runs the cases of a sweep that its folder has not yet. Ctrl-C ends it early; whatever ends it leaves what has been computed."""
    _core.open_sweep(sweep, job.out, resume)
    cases = Cases(_core.missing_cases(sweep, job.out), _core.abandoned_cases(job.out), batch_seconds)
    cluster = Cluster(client, job)
    try:
        _run(cluster, cases, job, sweep, told)
    except KeyboardInterrupt:
        pass  # the table tells how far it has come
    finally:
        cluster.cancel()
        _core.finish_sweep(sweep, job.out, None)


def _run(cluster: Cluster, cases: Cases, job: Job, sweep: _core.Sweep, told: Told | None) -> None:
    all_cases = max(1, cases.left)
    done = 0
    while cases.left or not cluster.is_idle():
        while cases.left and cluster.has_room():
            cluster.submit(cases.take(cluster.workers()))
        if told is not None:
            told(done / all_cases)
        ended = cluster.next_done()
        if ended is None:
            continue
        future, batch = ended
        if _is_done(future, batch, cases, job, sweep):
            done += batch.end - batch.begin


def _is_done(future: Future, batch: Batch, cases: Cases, job: Job, sweep: _core.Sweep) -> bool:
    """Whether the rows are there. A batch that has ended its workers is tried again with care, then in halves."""
    from distributed import KilledWorker

    if future.status == "finished":
        with _of_a_scheduler():
            seconds = future.result()
        if not batch.careful:
            cases.learn(batch.end - batch.begin, seconds)
        return True
    with _of_a_scheduler():
        if future.status != "error":
            raise CancelledError(future.status)  # the client has lost its scheduler, and let go of all futures
        problem = future.exception()
    if not isinstance(problem, KilledWorker):
        raise problem
    if not batch.careful:
        cases.again([batch._replace(careful=True)])
    elif batch.end - batch.begin > 1:
        cases.again(batch.halves())
    else:
        _core.quarantine_case(sweep, job.out, batch.begin, "the process that ran it was ended, and the worker with it")
        return True
    return False
