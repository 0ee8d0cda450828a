"""What the tests share."""

import pathlib

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests name files by their paths from the repository's root."""
    monkeypatch.chdir(ROOT)
