"""The package as such: it imports, and has the version of the library."""

import pathlib
import re

import pytest

import pytrammel
from pytrammel import _level

ROOT = pathlib.Path(__file__).parents[2]


def test_version_is_that_of_the_project() -> None:
    found = re.search(r"project\(trammel VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert found is not None
    assert pytrammel.__version__ == found[1]


def test_a_package_that_was_built_here_has_one_extension() -> None:
    assert pytrammel._LEVEL == "base"


def test_the_processor_is_known_by_its_flags(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    for flags, wide in [("sse4_2 avx avx2 bmi1 bmi2 f16c fma abm movbe", True), ("sse4_2 avx avx2 bmi1 bmi2 f16c abm movbe", False), ("", False)]:
        cpuinfo.write_text(f"processor : 0\nflags\t\t: fpu {flags}\n")
        monkeypatch.setattr("builtins.open", lambda file, opened=open: opened(cpuinfo))
        assert _level._processor_is_v3() == wide
        monkeypatch.undo()
