"""JSON objects of the library as mappings whose keys are attributes too."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def _wrapped(value: Any) -> Any:
    if isinstance(value, dict):
        return Facts(value)
    if isinstance(value, list):
        return [_wrapped(item) for item in value]
    return value


class Facts(Mapping[str, Any]):
    """What the library tells as one JSON object: ``facts["rank"]`` and ``facts.rank`` are the same.

    Objects inside it are Facts again. Numbers that are infinite or none are None.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values: dict[str, Any] = {key: _wrapped(value) for key, value in values.items()}

    @classmethod
    def from_json(cls, text: str) -> Facts:
        """Reads a JSON object."""
        return cls(json.loads(text))

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and lists."""
        values: dict[str, Any] = json.loads(self._json())
        return values

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_"):
            raise AttributeError(key)
        try:
            return self._values[key]
        except KeyError:
            raise AttributeError(f"found '{key}'; allowed: {', '.join(self._values)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values]

    def _json(self) -> str:
        return json.dumps(self._values, default=lambda facts: facts._values, indent=2, ensure_ascii=False)

    def __repr__(self) -> str:
        return self._json()
