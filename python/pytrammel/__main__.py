"""python -m pytrammel VERB …: the verbs of the program trammel; sweep takes --dask ADDRESS or --workers N besides."""

from __future__ import annotations

import sys

from . import _core, _sweep_program
from ._studies import STUDIES


def main() -> int:
    """Runs the verb that was typed, and returns its exit code."""
    if _sweep_program.is_meant(sys.argv[1:]):
        return _sweep_program.main(sys.argv[2:])
    return _core.program(["trammel", *sys.argv[1:]], str(STUDIES))


if __name__ == "__main__":
    sys.exit(main())
