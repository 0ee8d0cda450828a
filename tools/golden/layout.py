"""How golden files of runs are written: all digits, one state per line."""

import json

import numpy as np


def plain(x):
    """Numbers as Python floats, so that they are written with all their digits; -0.0 becomes 0.0."""
    if isinstance(x, dict):
        return {key: plain(value) for key, value in x.items()}
    if isinstance(x, (list, tuple, np.ndarray)):
        return [plain(value) for value in x]
    return float(x) + 0.0 if isinstance(x, (float, np.floating)) else x


def lay_out(x, depth=0):
    """JSON text: a line per key where values nest, a line per entry in lists of objects, a state on one line."""
    pad = " " * (depth + 1)
    if isinstance(x, dict) and "t" not in x and any(isinstance(value, (dict, list)) for value in x.values()):
        return "{\n" + ",\n".join(f"{pad}{json.dumps(key)}:{lay_out(value, depth + 1)}" for key, value in x.items()) + "}"
    if isinstance(x, list) and x and isinstance(x[0], dict):
        return "[\n" + ",\n".join(pad + lay_out(value, depth + 1) for value in x) + "]"
    return json.dumps(x, separators=(",", ":"), allow_nan=False, ensure_ascii=False)


def write(golden_file, out):
    out.write_text(lay_out(plain(golden_file)) + "\n", encoding="utf-8")
    print(f"{out.name}: {out.stat().st_size / 1e3:.0f} kB")
