"""Named columns over time, as read-only arrays."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core

if TYPE_CHECKING:
    import pandas

Array = NDArray[np.float64]


def extra(module: str, name: str) -> Any:
    """A module that an extra of the package brings."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ImportError(f"found no {module}; allowed: pip install 'pytrammel[{name}]' brings it") from None


class Recording:
    """Columns by name, a row for each recorded moment; the first column is ``t``, s.

    Arrays are read-only views of the library's own memory, which lives as long as they do.
    """

    def __init__(self, columns: list[str], units: list[str], values: Array, plotted: list[str]) -> None:
        self._columns = columns
        self._units = units
        self._values = values
        self._plotted = plotted
        self._index = {name: i for i, name in enumerate(columns)}

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in their order."""
        return list(self._columns)

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column; empty where it has none or none is known."""
        return dict(zip(self._columns, self._units))

    @property
    def values(self) -> Array:
        """All columns: an array of (rows, columns)."""
        return self._values

    @property
    def t(self) -> Array:
        """The time of each row, s."""
        return self["t"]

    def __getitem__(self, column: str) -> Array:
        """A column: an array of (rows,). An Error names the nearest one."""
        index = self._index.get(column)
        if index is None:
            index = _core.find_name("column", str(column), self._columns)
        return self._values[:, index]

    def __contains__(self, column: object) -> bool:
        return column in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """How many rows."""
        return int(self._values.shape[0])

    def frame(self) -> pandas.DataFrame:
        """A pandas.DataFrame of all columns but ``t``, which is its index. Needs the extra ``pandas``."""
        frame: pandas.DataFrame = extra("pandas", "pandas").DataFrame(self._values, columns=self._columns).set_index("t")
        frame.attrs["units"] = self.units
        return frame

    def plot(self, *columns: str, x: str = "t") -> Any:
        """Draws columns over another one and returns the axes of matplotlib. Needs the extra ``plot``.

        Args:
            columns: which; where none are named, the coordinates of a run, or the torques.
            x: the column over which they are drawn.
        """
        shown = columns or tuple(self._plotted)
        _, axes = extra("matplotlib.pyplot", "plot").subplots(layout="constrained")
        for name in shown:
            axes.plot(self[x], self[name], label=name)
        units = {self.units[name] for name in shown}
        axes.set_xlabel(f"{x} ({self.units[x]})")
        axes.set_ylabel(", ".join(sorted(unit for unit in units if unit)))
        beside: dict[str, Any] = {"loc": "center left", "bbox_to_anchor": (1, 0.5)}
        axes.legend(**beside if len(shown) > 4 else {})
        return axes
