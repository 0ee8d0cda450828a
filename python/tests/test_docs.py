"""The code of the documentation runs, and prints what stands below it."""

from __future__ import annotations

import contextlib
import io
import pathlib
import re
import subprocess
import sys
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n^```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["docs/python.md", "docs/sweeps.md", "README.md"])
def test_code_blocks_run(page: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("examples", "robots"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((ROOT / page).read_text())
    assert blocks
    names: dict[str, Any] = {}
    for code, expected in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, page, "exec"), names)
        if expected:
            assert printed.getvalue() == expected


def test_the_reference_is_made_from_the_docstrings_as_they_are(tmp_path: pathlib.Path) -> None:
    made = tmp_path / "reference.md"
    subprocess.run([sys.executable, ROOT / "tools/python-reference", made], check=True)
    kept = (ROOT / "docs/python-reference.md").read_text()
    assert made.read_text() == kept, "docs/python-reference.md is old: build/python/bin/python tools/python-reference makes it anew"
    assert "solve(q: ArrayLike, v: ArrayLike, t: float = 0.0, inputs: Inputs = None) -> Motion" in kept
    assert "(nv, nv): M(q), rotors included; kg·m² and kg." in kept
