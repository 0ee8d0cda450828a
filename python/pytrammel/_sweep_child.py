"""python -m pytrammel._sweep_child: the cases that come pickled on standard input, in a process that may end by them."""

from __future__ import annotations

import os
import pickle
import sys

from . import _core


def main() -> None:
    """Runs them, while the worker lives that wants them."""
    parent = os.getppid()
    job, begin, end = pickle.load(sys.stdin.buffer)

    def look(_: float) -> None:
        if os.getppid() != parent:
            os._exit(1)

    _core.run_cases(job.read(), job.out, begin, end, look)


if __name__ == "__main__":
    main()
