"""Chooses the extension module for this processor.

Wheels carry it twice, for x86-64-v2 and for x86-64-v3 (AVX2, FMA); a package that was built here has but one. The variable
PYTRAMMEL_LEVEL=v2 asks for the former.
"""

from __future__ import annotations

import importlib.util
import os
import pathlib
import sys

V3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"}


def _processor_is_v3() -> bool:
    try:
        with open("/proc/cpuinfo") as lines:
            flags = next((line for line in lines if line.startswith("flags")), "")
    except OSError:
        return False
    return V3 <= set(flags.split())


def load() -> str:
    """Imports pytrammel._core from the file that suits, and tells which: "v3", or "base"."""
    file = pathlib.Path(__file__).parent / "x86_64_v3" / "_core.abi3.so"
    if os.environ.get("PYTRAMMEL_LEVEL") == "v2" or not file.exists() or not _processor_is_v3():
        return "base"
    name = f"{__package__}._core"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return "v3"
