"""What problem.solve and solve_batch cost in Python above C++: python bench/python_overhead.py [--beside PROGRAM] [FILE …]

Single states: C++ is solve_batch on one thread with a time for each state, which calls solve state by state; the fastest of 30 rounds, by the
processor time of this thread. Batches of 4096 states: C++ is PROGRAM (bench/batch_beside_python.cpp, of a build with the flags of the package),
which reads and writes the same memory each time; Python is given arrays and gives arrays. Both in turns, by the processor
time of all threads, medians of 100.
Run it with the Python in which pytrammel is installed, of a library without assertions for figures that mean something.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import time
import timeit
from collections.abc import Callable

import numpy as np

import pytrammel

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
DEFAULT = ["03-four-bar", "01-scara-helix", "07-five-bar", "11-3-rrr", "12-stewart", "08-bead-on-a-wire", "09-double-pendulum-cartesian", "17-tethered-satellites"]
STATES = 4096


def fastest(*jobs: Callable[[], object]) -> list[float]:
    """µs a call of each job, by this thread's time; in turns, since machines have moods."""
    times = [[timeit.timeit(work, number=1000, timer=time.thread_time) / 1000 for work in jobs] for _ in range(30)]
    return [1e6 * min(of_job) for of_job in zip(*times)]


def single(name: str, problem: pytrammel.Problem) -> None:
    q, v, t = problem.start
    many_q, many_v, times = np.tile(q, (1000, 1)), np.tile(v, (1000, 1)), np.full(1000, t)
    idle, solve, vdot = fastest(lambda: None, lambda: problem.solve(q, v), lambda: problem.solve(q, v).vdot)
    inside = min(timeit.timeit(lambda: problem.solve_batch(many_q, many_v, times, workers=1), number=1, timer=time.thread_time) for _ in range(30))
    inside, solve, vdot = 1e3 * inside, solve - idle, vdot - idle
    print(f"{name:<28}{inside:8.2f}{solve:8.2f}{vdot:8.2f}{vdot - inside:8.2f}", flush=True)


def batches(name: str, file: str, problem: pytrammel.Problem, threads: int, beside: subprocess.Popen[str]) -> None:
    q, v, t = problem.start
    many_q, many_v = np.tile(q, (STATES, 1)), np.tile(v, (STATES, 1))
    assert beside.stdin is not None and beside.stdout is not None

    def in_python() -> float:
        begin = time.process_time()
        many = problem.solve_batch(many_q, many_v, t, workers=threads)
        assert many.vdot.shape == many.Qc.shape
        return time.process_time() - begin

    def in_cpp() -> float:
        beside.stdin.write(f"{file} {threads}\n")
        beside.stdin.flush()
        return float(beside.stdout.readline())

    in_python(), in_cpp()
    pairs = [(in_cpp(), in_python()) for _ in range(100)]
    cpp, python = (1e6 / STATES * statistics.median(of) for of in zip(*pairs))
    ratio = statistics.median(python / cpp for cpp, python in pairs)
    print(f"{name:<28}{threads:8}{cpp:8.3f}{python:8.3f}{ratio:8.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--beside", help="bench/batch_beside_python.cpp, built")
    parser.add_argument("files", nargs="*", default=[str(EXAMPLES / f"{name}.yaml") for name in DEFAULT])
    asked = parser.parse_args()
    problems = {file: pytrammel.Scenario(file).problem() for file in asked.files}
    print(f"{'µs a state':<28}{'C++':>8}{'solve':>8}{'.vdot':>8}{'above':>8}")
    for file, problem in problems.items():
        single(pathlib.Path(file).stem, problem)
    if not asked.beside:
        return
    print(f"\n{'batch of 4096, µs a state':<28}{'threads':>8}{'C++':>8}{'Python':>8}{'ratio':>8}")
    with subprocess.Popen([asked.beside], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as beside:
        for file, problem in problems.items():
            if problem.driven:
                continue  # C++ solves these without their motors
            for threads in sorted({1, os.cpu_count() or 1}):
                batches(pathlib.Path(file).stem, file, problem, threads, beside)


if __name__ == "__main__":
    main()
