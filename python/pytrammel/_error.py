"""The one exception for wrong input."""

from __future__ import annotations


class Error(ValueError):
    """What was given is wrong: a file, a name, a number.

    The message says where, what was found and what is allowed.

    Attributes:
        file: the file as it was given, or None where the input came from no file.
        line, column: where it stands there, from 1, or None where that is not known.
        found: what was found.
        allowed: what is allowed instead.
    """

    def __init__(
        self,
        message: str,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        found: str = "",
        allowed: str = "",
    ) -> None:
        super().__init__(message, file, line, column, found, allowed)
        self.file = file
        self.line = line
        self.column = column
        self.found = found
        self.allowed = allowed

    def __str__(self) -> str:
        return str(self.args[0])
