"""python -m pytrammel VERB …: the verbs of the program trammel."""

from __future__ import annotations

import sys

from . import _core
from ._studies import STUDIES


def main() -> int:
    """Runs the verb that was typed, and returns its exit code."""
    return _core.program(["trammel", *sys.argv[1:]], str(STUDIES))


if __name__ == "__main__":
    sys.exit(main())
