"""What problem.solve costs in Python above the solve in C++, and how fast batches are: python bench/python_overhead.py [FILE …]

C++ is solve_batch on one thread with a time for each state, which calls solve state by state. Of 30 rounds the fastest counts, by the
processor time of this thread, but for the batch on all cores, whose time is that of a clock.
Run it with the Python in which pytrammel is installed, of a library without assertions for figures that mean something.
"""

import pathlib
import sys
import time
import timeit
from collections.abc import Callable

import numpy as np

import pytrammel

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
DEFAULT = ["03-four-bar", "01-scara-helix", "07-five-bar", "11-3-rrr", "12-stewart", "17-tethered-satellites"]


def fastest(*jobs: tuple[Callable[[], object], int, Callable[[], float]]) -> list[float]:
    """µs a call of each job, which is called so many times, by a timer; in turns, since machines have moods."""
    times = [[timeit.timeit(work, number=number, timer=timer) / number for work, number, timer in jobs] for _ in range(30)]
    return [1e6 * min(of_job) for of_job in zip(*times)]


def main() -> None:
    files = sys.argv[1:] or [str(EXAMPLES / f"{name}.yaml") for name in DEFAULT]
    print(f"{'µs a state':<28}{'C++':>8}{'solve':>8}{'.vdot':>8}{'above':>8}{'batch of 4096, all cores':>26}")
    thread = time.thread_time
    for file in files:
        problem = pytrammel.Scenario(file).problem()
        q, v, t = problem.start
        many_q, many_v, times = np.tile(q, (4096, 1)), np.tile(v, (4096, 1)), np.full(4096, t)
        idle, solve, vdot, inside, batch = fastest(
            (lambda: None, 1000, thread),
            (lambda: problem.solve(q, v), 1000, thread),
            (lambda: problem.solve(q, v).vdot, 1000, thread),
            (lambda: problem.solve_batch(many_q, many_v, times, workers=1), 1, thread),
            (lambda: problem.solve_batch(many_q, many_v, t), 1, time.perf_counter),
        )
        solve, vdot, inside, batch = solve - idle, vdot - idle, inside / 4096, batch / 4096
        name = pathlib.Path(file).stem
        print(f"{name:<28}{inside:8.2f}{solve:8.2f}{vdot:8.2f}{vdot - inside:8.2f}{batch:26.2f}")


if __name__ == "__main__":
    main()
