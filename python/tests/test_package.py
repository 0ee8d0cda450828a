"""The package as such: it imports, and has the version of the library."""

import pathlib
import re

import pytrammel

ROOT = pathlib.Path(__file__).parents[2]


def test_version_is_that_of_the_project() -> None:
    found = re.search(r"project\(trammel VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert found is not None
    assert pytrammel.__version__ == found[1]
