"""A scenario that is kept as plain maps, lists, texts and numbers: as text for the library, and in messages by its keys."""

from __future__ import annotations

import json
import math
import os
import typing
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ._error import Error

Plain = typing.Union["dict[str, Plain]", "list[Plain]", str, float, int, bool, None]


def wrong(path: str, found: str, allowed: str) -> Error:
    """What was given under a key is wrong."""
    return Error(f"{path}: found {found}; allowed: {allowed}", found=found, allowed=allowed)


def plain(value: object, path: str) -> Plain:
    """The value without the types of numpy and paths; refuses what a scenario cannot say."""
    if isinstance(value, np.generic | np.ndarray):
        return plain(value.tolist(), path)
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise wrong(path, str(value), "a finite number")
        return float(value)
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, Mapping):
        return {_key(key, path): plain(item, f"{path}.{key}") for key, item in value.items()}
    if isinstance(value, Sequence):
        return [plain(item, f"{path}.{i}") for i, item in enumerate(value)]
    raise wrong(path, f"{value!r:.60} ({type(value).__name__})", "numbers, texts, lists and maps")


def _key(key: object, path: str) -> str:
    if not isinstance(key, str):
        raise wrong(path, f"the key {key!r:.60}", "keys that are texts")
    return key


def name_of_item(item: Plain, index: int) -> str:
    """How messages name an item of a list: by its name, its joint or its number, as `trammel run --set` does."""
    for key in ("name", "joint"):
        if isinstance(item, dict) and isinstance(item.get(key), str):
            return str(item[key])
    return str(index)


def lines(value: Plain, path: str = "") -> Iterator[tuple[str, str]]:
    """JSON, which is YAML, with a line for each key and each item; beside each line the path of what stands there."""
    if isinstance(value, dict) and value:
        yield path, "{"
        for i, (key, item) in enumerate(value.items()):
            yield from _entry(item, f"{path}.{key}" if path else key, json.dumps(key, ensure_ascii=False) + ": ", i)
        yield path, "}"
    elif isinstance(value, list) and value:
        yield path, "["
        for i, item in enumerate(value):
            yield from _entry(item, f"{path}.{name_of_item(item, i)}", "", i)
        yield path, "]"
    else:
        yield path, json.dumps(value, ensure_ascii=False)


def _entry(item: Plain, path: str, key: str, index: int) -> Iterator[tuple[str, str]]:
    before = ", " if index else ""
    for i, (where, line) in enumerate(lines(item, path)):
        yield where, (before + key + line if i == 0 else line)


def yaml(value: dict[str, Plain]) -> str:
    """The same for people: maps and lists one below the other, items of lists in one line."""
    return "".join(_block(key, item) for key, item in value.items())


def _block(key: str, value: Plain) -> str:
    if isinstance(value, dict) and value:
        return f"{_text(key)}:\n" + "".join(f"  {_text(k)}: {_flow(item)}\n" for k, item in value.items())
    if isinstance(value, list) and value and any(isinstance(item, dict) for item in value):
        return f"{_text(key)}:\n" + "".join(f"  - {_flow(item)}\n" for item in value)
    return f"{_text(key)}: {_flow(value)}\n"


def _flow(value: Plain) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(text: str) -> str:
    plain_ones = set("_-+*/^.() ")
    bare = text and all(c.isalnum() or c in plain_ones for c in text) and text[0] not in "-*" and text.strip() == text
    return text if bare else json.dumps(text, ensure_ascii=False)
