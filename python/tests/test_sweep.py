"""Sweeps: the same table whoever runs the cases; what ends a worker, a scheduler, a user's patience."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import distributed
import numpy as np
import pytest

import pytrammel as tm
from pytrammel import _core, _sweep_program
from pytrammel._sweep_dask import Batch, Cases, Cluster
from pytrammel._sweep_task import Job, run_batch

ROOT = pathlib.Path(__file__).parents[2]
PROGRAM = pathlib.Path(os.environ.get("TRAMMEL_PROGRAM", ROOT / "build/dev/bin/trammel"))
CASES = 200
SWEEP = f"""
trammel: 1
scenario: {ROOT}/examples/sweeps/five-bar.yaml
vary:
  constants.arm: {{uniform: [180 mm, 320 mm]}}
  simulate.drift: [projection, velocity]
  constants.radius: {{normal: [60 mm, 40 mm]}}
cases: {CASES // 2}
seed: 3
measure:
  peak torque: max(abs(u.`left motor`))
  effort: integral(u.`left motor`^2)
keep: {{recordings: 2, by: peak torque, columns: [u.left motor]}}
time_limit: 2 s
"""
FILES = ["table.csv", "sweep.json", "kept.npy", "bands.csv"]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    path = tmp_path_factory.mktemp("sweep") / "study.yaml"
    path.write_text(SWEEP)
    return path


def program(file: pathlib.Path, out: pathlib.Path, *words: str) -> dict[str, bytes]:
    """What `trammel sweep` leaves."""
    subprocess.run([PROGRAM, "sweep", file, "--out", out, "--quiet", *words], check=True, stderr=subprocess.PIPE)
    return left_in(out)


def left_in(folder: pathlib.Path) -> dict[str, bytes]:
    assert not (folder / "parts").exists()
    files = [folder / name for name in FILES] + sorted(folder.glob("recordings/*/recording.csv"))
    assert len(files) == len(FILES) + 2
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def expected(file: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Of the program, on one thread."""
    left = program(file, tmp_path_factory.mktemp("program") / "out", "--threads", "1")
    counts = json.loads(left["sweep.json"])["counts"]
    assert counts["finished"] > CASES / 2 and len(counts) > 1, counts  # some cannot reach their circle
    return left


@contextlib.contextmanager
def cluster(workers: int) -> Iterator[distributed.Client]:
    """As the program starts it."""
    with _sweep_program.client_of(None, workers) as client:
        yield client


@pytest.fixture(scope="module")
def three() -> Iterator[distributed.Client]:
    with cluster(3) as client:
        yield client


def test_two_threads_and_python_give_the_table_of_one(file: pathlib.Path, expected: dict[str, bytes], tmp_path: pathlib.Path) -> None:
    assert program(file, tmp_path / "program", "--threads", "2") == expected
    parts: list[float] = []
    sweep = tm.sweep(file, out=tmp_path / "python", threads=2, progress=parts.append)
    assert left_in(tmp_path / "python") == expected
    assert sweep.complete and len(sweep) == CASES and all(0 <= part <= 1 for part in parts)


def test_three_workers_give_the_table_of_one_thread(
    three: distributed.Client, file: pathlib.Path, expected: dict[str, bytes], tmp_path: pathlib.Path
) -> None:
    sweep = tm.sweep(file, out=tmp_path, client=three, batch_seconds=0.05)
    assert left_in(tmp_path) == expected and sweep.complete
    # what is finished is not run again
    again = tm.sweep(file, out=tmp_path, client=three, resume=True)
    assert left_in(tmp_path) == expected and len(again) == CASES


def test_python_m_on_one_worker_gives_the_table_of_one_thread(
    file: pathlib.Path, expected: dict[str, bytes], tmp_path: pathlib.Path
) -> None:
    words = [sys.executable, "-m", "pytrammel", "sweep", str(file), "--workers", "1", "--out", str(tmp_path / "out")]
    said = subprocess.run(words, capture_output=True, text=True, check=True)
    assert left_in(tmp_path / "out") == expected
    assert f"cases             {CASES} of {CASES}: " in said.stdout and not said.stderr


def test_a_worker_that_is_killed_changes_no_byte(
    three: distributed.Client, file: pathlib.Path, expected: dict[str, bytes], tmp_path: pathlib.Path
) -> None:
    victims = list(three.run(os.getpid).values())[:1]

    def look(part: float) -> None:
        if part > 0.3 and victims:
            os.kill(victims.pop(), signal.SIGKILL)

    tm.sweep(file, out=tmp_path, client=three, batch_seconds=0.02, progress=look)
    assert not victims
    assert left_in(tmp_path) == expected


def test_a_result_that_dies_with_its_worker_is_computed_again(
    three: distributed.Client, file: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    job = Job(file.read_text(), str(file), str(file.parent), (), str(tmp_path))
    _core.open_sweep(job.read(), job.out, False)
    cluster = Cluster(three, job)
    cluster.submit(Batch(0, 1))
    (future,) = cluster._flying
    ask: Any = three
    assert future.result() > 0
    (address,) = ask.who_has([future])[future.key]
    os.kill(ask.run(os.getpid, workers=[address])[address], signal.SIGKILL)
    end = time.monotonic() + 60
    while address in (holders := ask.who_has([future])[future.key]) or not holders:  # until another worker has it
        assert time.monotonic() < end
        time.sleep(0.01)
    ended = None
    while ended is None:
        assert time.monotonic() < end
        ended = cluster.next_done()
    assert ended == (future, Batch(0, 1)) and future.status == "finished" and cluster.is_idle()


class LostFuture:
    """Of a task whose result has died with its worker: its scheduler tells of it a second time."""

    def __init__(self) -> None:
        self.status = "lost"
        self.told: list[Any] = []

    def add_done_callback(self, tell: Any) -> None:
        self.told.append(tell)


def test_a_lost_result_is_waited_for(file: pathlib.Path, tmp_path: pathlib.Path) -> None:
    cluster = Cluster(None, Job(file.read_text(), str(file), str(file.parent), (), str(tmp_path)))
    future = LostFuture()
    cluster._flying[future] = Batch(0, 1)
    cluster._done.put(future)
    assert cluster.next_done() is None and not cluster.is_idle() and len(future.told) == 1
    future.status = "finished"
    future.told[0](future)
    assert cluster.next_done() == (future, Batch(0, 1)) and cluster.is_idle()


def as_client(scheduler_file: str) -> Any:
    connect: Any = distributed.Client
    return connect(scheduler_file=scheduler_file, timeout=20)


class Stop:
    """Interrupts, as Ctrl-C does, when so much is done."""

    def __init__(self, part: float) -> None:
        self.part = part

    def __call__(self, part: float) -> None:
        if part >= self.part:
            raise KeyboardInterrupt


def test_ctrl_c_leaves_a_folder_to_go_on_with(
    three: distributed.Client, file: pathlib.Path, expected: dict[str, bytes], tmp_path: pathlib.Path
) -> None:
    first = tm.sweep(file, out=tmp_path, client=three, batch_seconds=0.02, progress=Stop(0.3))
    assert not first.complete and 0.2 * CASES < len(first) < CASES
    assert len(first.values["effort"]) == len(first)
    with pytest.raises(tm.Error, match="not finished"):
        tm.sweep(file, out=tmp_path, client=three)
    second = tm.sweep(file, out=tmp_path, threads=1, resume=True, progress=Stop(0.2))
    assert not second.complete or len(second) == CASES  # 50 ms between two looks may be all that it takes
    last = tm.sweep(file, out=tmp_path, client=three, resume=True)
    assert last.complete and left_in(tmp_path) == expected


def test_a_case_without_end_is_ended_by_ctrl_c(three: distributed.Client, tmp_path: pathlib.Path) -> None:
    (tmp_path / "study.yaml").write_text(SWEEP.replace("time_limit: 2 s", ""))
    three.run(os.environ.__setitem__, "TRAMMEL_SWEEP_ENDLESS", "5")
    try:
        sweep = tm.sweep(tmp_path / "study.yaml", out=tmp_path / "out", client=three, batch_seconds=0.05, progress=Stop(0.5))
        assert not sweep.complete and 5 not in sweep["case"]
        end = time.monotonic() + 20
        while any(three.run(lambda dask_worker: dask_worker.state.executing_count).values()):
            assert time.monotonic() < end, "a worker is still at it"
    finally:
        three.run(os.environ.pop, "TRAMMEL_SWEEP_ENDLESS", None)


@contextlib.contextmanager
def started(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen([sys.executable, "-m", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield child
    finally:
        child.kill()
        child.wait()


def test_a_scheduler_that_is_killed_leaves_a_folder_to_go_on_with(
    three: distributed.Client, file: pathlib.Path, expected: dict[str, bytes], tmp_path: pathlib.Path
) -> None:
    where = str(tmp_path / "scheduler.json")
    address = ["--scheduler-file", where]
    with (
        started("distributed.cli.dask_scheduler", *address, "--host", "127.0.0.1", "--port", "0", "--no-dashboard") as scheduler,
        started("distributed.cli.dask_worker", *address, "--nthreads", "1", "--no-dashboard", "--no-nanny"),
        as_client(where) as client,
    ):

        def look(part: float) -> None:
            if part > 0.3:
                scheduler.kill()

        with pytest.raises(RuntimeError, match="the scheduler of the cluster is gone"):
            tm.sweep(file, out=tmp_path / "out", client=client, batch_seconds=0.02, progress=look)
    rows = json.loads((tmp_path / "out" / "sweep.json").read_text())["rows"]
    assert 0.3 * CASES < rows < CASES
    tm.sweep(file, out=tmp_path / "out", client=three, resume=True)
    assert left_in(tmp_path / "out") == expected


def test_a_case_that_crashes_and_one_that_never_ends_are_rows(
    three: distributed.Client, file: pathlib.Path, expected: dict[str, bytes], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, case in {"TRAMMEL_SWEEP_CRASH": "77", "TRAMMEL_SWEEP_ENDLESS": "120"}.items():
        monkeypatch.setenv(variable, case)  # of workers that are started again, too
        three.run(os.environ.__setitem__, variable, case)
    try:
        sweep = tm.sweep(file, out=tmp_path / "dask", client=three, batch_seconds=0.2)
        assert sweep["status"][77] == "crashed" and sweep["reason"][77] == "the process that ran it was ended by SIGABRT"
        assert sweep["status"][120] == "time limit" and np.isnan(sweep["effort"][[77, 120]]).all()
        lines, as_expected = ((left["table.csv"]).splitlines() for left in (left_in(tmp_path / "dask"), expected))
        assert [i for i, line in enumerate(lines) if line != as_expected[i]] == [78, 121]
        assert program(file, tmp_path / "program", "--threads", "2") == left_in(tmp_path / "dask")
    finally:
        for variable in ("TRAMMEL_SWEEP_CRASH", "TRAMMEL_SWEEP_ENDLESS"):
            three.run(os.environ.pop, variable, None)


def test_a_batch_that_was_begun_before_cannot_end_its_worker(three: distributed.Client, file: pathlib.Path, tmp_path: pathlib.Path) -> None:
    job = Job(file.read_text(), str(file), str(file.parent), (), str(tmp_path))
    _core.open_sweep(job.read(), job.out, False)
    (tmp_path / "parts" / "running-elsewhere-1-7").touch()  # what another worker has left
    before = three.run(os.getpid)
    three.run(os.environ.__setitem__, "TRAMMEL_SWEEP_CRASH", "8")
    try:
        three.submit(run_batch, job, 7, 10, False, pure=False).result()
    finally:
        three.run(os.environ.pop, "TRAMMEL_SWEEP_CRASH", None)
    assert three.run(os.getpid) == before
    assert _core.missing_cases(job.read(), job.out) == [(0, 7), (10, CASES)]
    rows = [part.read_text().splitlines()[1:] for part in sorted((tmp_path / "parts").glob("0*.csv"))]
    assert [",crashed," in line for part in rows for line in part] == [False, True, False]


def test_a_worker_of_another_kind_is_refused(three: distributed.Client, file: pathlib.Path, tmp_path: pathlib.Path) -> None:
    job = Job(file.read_text(), str(file), str(file.parent), (), str(tmp_path))
    other = job._replace(instructions="x86-64-v4, glibc 2.99")
    with pytest.raises(tm.Error, match="found pytrammel .*; allowed: pytrammel .*, x86-64-v4, glibc 2.99"):
        three.submit(run_batch, other, 0, 1, False, pure=False).result()
    with pytest.raises(tm.Error, match="allowed: a folder that the workers see by the same path"):
        three.submit(run_batch, job, 0, 1, False, pure=False).result()


def test_every_case_is_in_one_batch_whose_length_follows_the_cases() -> None:
    taken: list[Batch] = []
    cases = Cases([(0, 400), (500, 2000)], [7, 450, 1999], seconds=1)
    assert cases.left == 1900
    while cases.left:
        taken.append(cases.take(workers=2))
        if not taken[-1].careful:
            cases.learn(taken[-1].end - taken[-1].begin, 0.01 * (taken[-1].end - taken[-1].begin))
    assert sorted(i for batch in taken for i in range(batch.begin, batch.end)) == [*range(400), *range(500, 2000)]
    assert taken[:2] == [Batch(7, 8, True), Batch(1999, 2000, True)]
    lengths = [batch.end - batch.begin for batch in taken]
    assert max(lengths) == 100 and lengths.count(100) >= 10 and max(lengths[-3:]) <= 5
    assert Batch(3, 8).halves() == [Batch(3, 5, True), Batch(5, 8, True)]


def test_the_result_has_columns_runs_and_commands(file: pathlib.Path, tmp_path: pathlib.Path) -> None:
    sweep = tm.sweep(file, {"record.every": "20 ms"}, out=tmp_path)
    assert sweep.columns == ["case", "constants.arm", "simulate.drift", "constants.radius", "status", "reason", "peak torque", "effort"]
    assert sweep.units["peak torque"] == "N·m" and sweep.summary.counts.finished == (sweep["status"] == "finished").sum()
    assert sweep["case"].tolist() == list(range(CASES)) and not sweep["effort"].flags.writeable
    with pytest.raises(tm.Error, match="found column 'efort'.*effort"):
        sweep["efort"]
    frame = sweep.frame()
    assert frame.index.name == "case" and frame["simulate.drift"].value_counts().to_dict() == {"projection": 100, "velocity": 100}
    i = int(np.nanargmax(sweep["peak torque"]))
    run = sweep.case(i)
    assert np.abs(run["u.left motor"]).max() == sweep["peak torque"][i]
    assert run["u.left motor"].tobytes() == sweep.kept("u.left motor")[i].tobytes()
    assert sweep.overrides(i)["record.every"] == "20 ms" and float(sweep.overrides(i)["constants.arm"]) == sweep["constants.arm"][i]
    assert sweep.command(i).startswith(f"trammel run {ROOT}/examples/sweeps/five-bar.yaml --set 'record.every=20 ms' --set ")
    assert [one.case for one in sweep.summary.measures[0].highest[:2]] == [one.case for one in sweep.summary.kept.recordings]
    copy = pickle.loads(pickle.dumps(sweep))
    assert copy["effort"].tobytes() == sweep["effort"].tobytes() and copy.command(i) == sweep.command(i)
    assert repr(sweep).startswith("<Sweep 'study': 200 of 200 cases, ")
    assert "&lt;html" in sweep._repr_html_()
    (tmp_path / "report.html").unlink()
    assert "200 of 200" in sweep._repr_html_()


def test_parquet_asks_for_what_it_needs(file: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep = tm.sweep(file, out=tmp_path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'pytrammel\[parquet\]'"):
        sweep.to_parquet()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--workers", "0"], 2, "found --workers 0; allowed: 1 or more"),
        (["--dask", "tcp://127.0.0.1:1", "--set", "arm"], 2, "found --set arm; allowed: KEY=VALUE"),
        (["--workers", "1", "--dask", "tcp://127.0.0.1:1"], 2, "not allowed with"),
    ],
)
def test_words_that_make_no_sense_are_refused(words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        _sweep_program.main(["study.yaml", *words])
    assert ended.value.code == code and said in capsys.readouterr().err


def test_a_wrong_sweep_is_told_with_its_line(three: distributed.Client, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(SWEEP.replace("max(abs(u.`left motor`))", "max(abs(u.`left moter`))"))
    with pytest.raises(tm.Error, match="left motor") as told:
        tm.sweep(file, out=tmp_path / "out", client=three)
    assert (told.value.file, told.value.line) == (str(file), 11) and "^" in str(told.value)


def test_a_crash_in_this_process_is_found_when_it_goes_on(file: pathlib.Path, tmp_path: pathlib.Path) -> None:
    code = f"import pytrammel as tm; print(repr(tm.sweep({str(file)!r}, out={str(tmp_path)!r}, resume=True)['status'][77]))"
    environment: dict[str, Any] = {**os.environ, "TRAMMEL_SWEEP_CRASH": "77"}
    run = [subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True) for _ in range(2)]
    assert run[0].returncode == -signal.SIGABRT
    assert run[1].stdout == "'crashed'\n", run[1].stderr


def test_versions_are_those_of_the_library() -> None:
    job = Job("", "", "", (), "")
    assert (job.version, job.instructions) == (tm.__version__, _core.instruction_level())
