"""What the tests share."""

import pathlib
import signal

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests name files by their paths from the repository's root."""
    monkeypatch.chdir(ROOT)


@pytest.fixture(autouse=True, scope="session")
def ctrl_c_interrupts() -> None:
    """Also where the tests run in the background, whose processes a shell lets ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
