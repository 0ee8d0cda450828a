"""Sweeps: one scenario, many times."""

from __future__ import annotations

import csv
import html
import json
import os
import pathlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._facts import Facts
from ._named import Named
from ._progress import Progress, shown
from ._recording import extra
from ._run import Run
from ._scenario import _overrides
from ._sweep_task import Job

if TYPE_CHECKING:
    import pandas
    from distributed import Client


class Sweep:
    """The table of a sweep: ``sweep["peak torque"]`` is a column; a notebook shows the page of the sweep, where there is one.

    Attributes:
        folder: where its files are (docs/sweeps.md says which).
    """

    def __init__(self, job: Job, core: _core.Sweep, folder: pathlib.Path) -> None:
        self._job = job
        self._core = core
        self.folder = folder

    @cached_property
    def summary(self) -> Facts:
        """The same as ``sweep.json``: ``sweep.summary.counts``, ``sweep.summary.failures``."""
        return Facts.from_json((self.folder / "sweep.json").read_text())

    @property
    def name(self) -> str:
        """Of the sweep."""
        return self._core.name

    @property
    def complete(self) -> bool:
        """Whether all cases are there: Ctrl-C ends a sweep early, and ``resume=True`` goes on."""
        return bool(self.summary["complete"])

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in their order: case, the keys that vary, status, reason, the measures."""
        return [column.name for column in self.summary["columns"]]

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column; empty where it has none or none is known."""
        return {column.name: column.get("unit", "") for column in self.summary["columns"]}

    @cached_property
    def values(self) -> Named[NDArray[Any]]:
        """Every column by its name, (rows,), read-only: numbers, NaN where there is none; or text."""
        with open(self.folder / "table.csv", newline="", encoding="utf-8") as lines:
            table = csv.reader(lines)
            next(table)
            rows = list(table)
        out: dict[str, NDArray[Any]] = {}
        for k, column in enumerate(self.summary["columns"]):
            cells = [row[k] for row in rows]
            if column["kind"] == "case":
                values: NDArray[Any] = np.array(cells, dtype=np.int64)
            elif column["values"] == "number":
                values = np.array([float(cell) if cell else np.nan for cell in cells])
            else:
                values = np.array(cells, dtype=object)
            values.flags.writeable = False
            out[column["name"]] = values
        return Named("column", out)

    def __getitem__(self, column: str) -> NDArray[Any]:
        """A column: an array of (rows,). An Error names the nearest one."""
        return self.values[column]

    def __contains__(self, column: object) -> bool:
        return column in self.columns

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        """How many rows."""
        return int(self.summary["rows"])

    def frame(self) -> pandas.DataFrame:
        """A pandas.DataFrame whose index is the number of the case. Needs the extra ``pandas``."""
        frame: pandas.DataFrame = extra("pandas", "pandas").DataFrame(dict(self.values)).set_index("case")
        frame.attrs["units"] = self.units
        return frame

    def to_parquet(self, path: str | os.PathLike[str] | None = None) -> pathlib.Path:
        """Writes the table as Parquet, sweep.json among its metadata. Needs the extra ``parquet``.

        Args:
            path: of the file; table.parquet in the sweep's folder unless given.
        """
        parquet = extra("pyarrow.parquet", "parquet")
        table = extra("pyarrow", "parquet").table(dict(self.values))
        file = self.folder / "table.parquet" if path is None else pathlib.Path(path)
        parquet.write_table(table.replace_schema_metadata({"sweep.json": json.dumps(self.summary.to_dict())}), file)
        return file

    def kept(self, column: str) -> NDArray[np.float64]:
        """A kept column (``keep: {columns: […]}`` of the sweep file) of all cases: (rows, times), read from the disk where it is used."""
        names = list(self.summary["kept"].get("columns", []))
        k = names.index(column) if column in names else _core.find_name("kept column", column, names)
        values: NDArray[np.float64] = np.load(self.folder / "kept.npy", mmap_mode="r")
        return values[:, k]

    def overrides(self, case: int) -> dict[str, str]:
        """What makes the case of the scenario: the ``set`` of :func:`run`."""
        return dict(item.split("=", 1) for item in self._core.overrides(case))

    def command(self, case: int) -> str:
        """The ``trammel run`` that makes the case, as a shell takes it."""
        return self._core.command(case)

    def case(self, case: int, *, progress: Progress = None) -> Run:
        """Runs the case alone: the motion, its forces, its page."""
        scenario = self._core.scenario(case)
        with shown(progress) as told:
            return Run(_core.run(scenario, told), self.command(case))

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {status}" for status, count in self.summary["counts"].items())
        return f"<Sweep {self.name!r}: {len(self)} of {self.summary['cases']} cases, {counts}>"

    def _repr_html_(self) -> str:
        try:
            page = (self.folder / "report.html").read_text(encoding="utf-8")
        except FileNotFoundError:
            return f"<pre>{html.escape(repr(self))}</pre>"
        # within the document itself: a notebook's server needs to serve nothing
        return f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: 720px; border: 0"></iframe>'

    def __getstate__(self) -> dict[str, Any]:
        self.summary, self.values  # noqa: B018: they go with it
        return {key: value for key, value in self.__dict__.items() if key != "_core"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __getattr__(self, name: str) -> Any:
        if name != "_core":
            raise AttributeError(f"'Sweep' object has no attribute '{name}'")
        self._core = self._job.read()  # of a sweep that was pickled: its file is read when it is asked for a case
        return self._core


def sweep(
    file: str | os.PathLike[str],
    set: Mapping[str, Any] | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    threads: int = 0,
    resume: bool = False,
    client: Client | None = None,
    batch_seconds: float = 1,
    progress: Progress = None,
) -> Sweep:
    """Runs a scenario many times, as a sweep file says, and leaves one table: on the cores at hand, or on a cluster of Dask.

    Args:
        file: the path of the sweep file. Its scenario is looked for beside it.
        set: values in place of those that the scenario has, in all cases.
        out: the folder for the results, results/NAME unless given.
        threads: how many cases at once; all cores unless given. Of a cluster, its workers say so.
        resume: goes on with what an earlier run has left in the folder.
        client: a ``distributed.Client``. Its workers must see the sweep file, what it names, and the folder by the same paths.
        batch_seconds: of a cluster, how long one task takes, about.
        progress: True or False for a bar or none, None for one in terminals and notebooks, or a function of the part that is done.

    Returns:
        The sweep. Ctrl-C ends it early: what was computed is kept, and ``complete`` is False.

    Raises:
        Error: the sweep or its scenario is wrong, the folder holds another sweep, or a worker is another version of the package.
    """
    path = os.fspath(file)
    folder = pathlib.Path(out) if out is not None else pathlib.Path("results") / pathlib.Path(path).stem
    text, overrides = _core.read_file(path), tuple(_overrides(set))
    job = Job(text, path, os.path.dirname(os.path.abspath(path)), overrides, os.path.abspath(folder))
    core = _core.read_sweep(text, path, os.path.dirname(path), list(overrides))  # messages and commands name files as they were given
    with shown(progress) as told:
        if client is None:
            _core.run_sweep(core, str(folder), threads, resume, told)
        else:
            extra("distributed", "sweep")
            from ._sweep_dask import run_on

            run_on(client, job, core, resume, batch_seconds, told)
    _core.write_sweep_page(str(folder))
    return Sweep(job, core, folder)
