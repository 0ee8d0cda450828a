"""python -m pytrammel sweep FILE --workers N | --dask ADDRESS: the sweep of the program, on processes of Dask."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ._error import Error
from ._recording import extra
from ._sweep import Sweep, sweep

if TYPE_CHECKING:
    from distributed import Client

DONE, BAD_INPUT, COULD_NOT_FINISH = 0, 1, 2


def is_meant(words: list[str]) -> bool:
    """Whether the words after `python -m pytrammel` ask for a cluster."""
    return words[:1] == ["sweep"] and any(word.split("=")[0] in ("--dask", "--workers") for word in words)


def _arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m pytrammel sweep", description=__doc__, allow_abbrev=False)
    parser.add_argument("file", metavar="FILE", help="the sweep, a YAML file")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--dask", metavar="ADDRESS", help="of the scheduler of a cluster, tcp://HOST:PORT")
    where.add_argument("--workers", metavar="N", type=int, help="as many processes on this machine")
    parser.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], help="instead of what the scenario says")
    parser.add_argument("--out", metavar="OUT", help="folder for the results instead of results/NAME")
    parser.add_argument("--batch-seconds", metavar="S", type=float, default=1.0, help="how long a task takes, about")
    parser.add_argument("--resume", action="store_true", help="goes on with what an earlier run has left in the folder")
    parser.add_argument("--json", action="store_true", help="sweep.json on standard output, and nothing else")
    parser.add_argument("--quiet", action="store_true", help="no progress, no summary")
    found = parser.parse_args(words)
    if found.workers is not None and found.workers < 1:
        parser.error(f"found --workers {found.workers}; allowed: 1 or more")
    for item in found.set:
        if "=" not in item:
            parser.error(f"found --set {item}; allowed: KEY=VALUE")
    return found


@contextmanager
def client_of(address: str | None, workers: int) -> Iterator[Client]:
    """A client of the scheduler at an address, or else of so many processes on this machine, which end with it."""
    distributed = extra("distributed", "sweep")
    if address is not None:
        with distributed.Client(address, timeout=10) as client:
            yield client
        return
    settings = {
        "distributed.scheduler.allowed-failures": 0,  # what ends a worker is tried again in a process of its own, at once
        "distributed.worker.profile.enabled": False,  # there is no dashboard to show it
    }
    with (
        extra("dask", "sweep").config.set(settings),
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        plugin = type("LeaveInterrupts", (distributed.WorkerPlugin,), {"setup": _leave_interrupts})
        client.register_plugin(plugin())
        yield client


def _leave_interrupts(_: Any, worker: Any) -> None:
    """A terminal sends Ctrl-C to the workers too, which shall first keep what they have done."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _tell(result: Sweep, arguments: argparse.Namespace) -> int:
    counts = ", ".join(f"{count} {status}" for status, count in result.summary["counts"].items())
    if arguments.json:
        sys.stdout.write((result.folder / "sweep.json").read_text())
    elif not arguments.quiet:
        print(f"cases             {len(result)} of {result.summary['cases']}: {counts}")
        print(f"results           {result.folder}")
    if result.complete:
        return DONE
    done = f"{len(result)} of {result.summary['cases']} cases done"
    print(f"pytrammel: stopped with {done}; the same command with --resume goes on", file=sys.stderr)
    return COULD_NOT_FINISH


def main(words: list[str]) -> int:
    """Runs the sweep, and returns the exit code: 0 done, 1 bad input, 2 could not finish."""
    arguments = _arguments(words)
    progress = False if arguments.json or arguments.quiet else None
    try:
        with client_of(arguments.dask, arguments.workers or 0) as client:
            result = sweep(
                arguments.file,
                dict(item.split("=", 1) for item in arguments.set),
                out=arguments.out,
                resume=arguments.resume,
                client=client,
                batch_seconds=arguments.batch_seconds,
                progress=progress,
            )
        return _tell(result, arguments)
    except Error as error:
        print(f"pytrammel: {error}", file=sys.stderr)
        return BAD_INPUT
    except (RuntimeError, OSError, ImportError) as error:
        print(f"pytrammel: could not finish: {error}", file=sys.stderr)
        return COULD_NOT_FINISH
    except KeyboardInterrupt:
        return COULD_NOT_FINISH
