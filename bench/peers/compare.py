"""The table of bench-peers: every engine on the same mechanisms and states, checked first, then timed in turns.

Each program of an engine (bench/peers/serve.h) runs as a child and is asked in lines of text. An engine may have several
builds and several ways of doing a task: the fastest that passed its check stands for it. Then trammel and all peers take
turns, in each the least of some blocks, and each turn gives its own ratios: machines change their pace as they please.
"""

import argparse
import csv
import datetime
import math
import pathlib
import statistics
import subprocess
import sys
import time

TREE = ["forward", "inverse", "mass"]
LOOPED = ["pinned-arm7", "held-arm7", "parallel", "parallel-in-space", "five-bar", "five-bar-in-space", "3-RRR", "Stewart"]
CHAINS = [2, 4, 8, 16, 32, 64, 128, 256, 512]
ROWS = (
    [(mechanism, task) for mechanism in ("arm7", "tree36") for task in TREE]
    + [(mechanism, "constrained") for mechanism in LOOPED]
    + [(f"chain{n}", "constrained") for n in CHAINS]
    + [("parallel-driven", "ten_seconds"), ("arm7", "batch")]
)
# By the engines' Python interfaces (python_peer.py), among themselves.
IN_PYTHON = "_in_python"
ROWS += [("arm7", task + IN_PYTHON) for task in TREE] + [(m, "constrained" + IN_PYTHON) for m in ("pinned-arm7", "parallel", "Stewart")]
# Ways that stand in a column of their own beside the fastest one of their engine: what most of its users call.
FEATURED = ["constraintDynamics"]
LABELS = {
    "forward": "forward dynamics",
    "inverse": "inverse dynamics",
    "mass": "mass matrix",
    "constrained": "constrained forward dynamics",
    "ten_seconds": "ten seconds, RK4, 1 ms",
    "batch": "forward dynamics of 4096 states",
}
LABELS |= {task + IN_PYTHON: f"{LABELS[task]}, in Python" for task in [*TREE, "constrained"]}


def tolerance(engine, task):
    """How far an engine may be from trammel, beside the largest number of the result."""
    task = task.removesuffix(IN_PYTHON)
    if task == "ten_seconds":
        return math.inf if engine == "mujoco" else 1e-5  # soft rows drift off; what they open by is printed
    if task == "constrained":
        return {"mujoco": 2e-2, "pinocchio": 1e-6}.get(engine, 1e-7)  # soft; regularised
    return 1e-9


class Program:
    """One build of one engine, or its Python interface, as a child."""

    def __init__(self, engine, build, command):
        self.engine, self.build, self.command = engine, build, command
        self.start()

    @staticmethod
    def compiled(path, folder):
        return Program(path.name.removeprefix("peer_"), path.parent.parent.name.removeprefix("peers-"), [path, folder])

    @staticmethod
    def in_python(engine, folder):
        return Program(engine, "Python", [sys.executable, pathlib.Path(__file__).parent / "python_peer.py", engine, folder])

    def does(self, task):
        return (self.build == "Python") == task.endswith(IN_PYTHON)

    def start(self):
        self.child = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, command, mechanism, task, i=0):
        try:
            self.child.stdin.write(f"{command} {mechanism} {task} {i}\n")
            self.child.stdin.flush()
            line = self.child.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise RuntimeError(f"{self.engine} ({self.build}) died at {command} {mechanism} {task} {i}")
        fields = line.rstrip("\n").split("\t")
        if fields[0] == "error":
            raise ValueError(fields[1])
        return fields

    def close(self):
        self.child.stdin.close()
        self.child.wait()


class Way:
    """One way of doing one task by one build of an engine."""

    def __init__(self, program, mechanism, task, i, name):
        self.program, self.row, self.i, self.name = program, (mechanism, task), i, name
        answer = program.ask("check", mechanism, task, i)
        self.off, self.remark = float(answer[0]), answer[1]
        self.valid = self.off <= tolerance(program.engine, task)
        self.first = math.inf

    def time(self):
        return float(self.program.ask("time", *self.row, self.i)[0])

    def __str__(self):
        return f"{self.name} ({self.program.build})"


def ways_of(program, mechanism, task):
    names = program.ask("methods", mechanism, task)
    return [Way(program, mechanism, task, i, name) for i, name in enumerate(names) if name]


def void(program, row, reason):
    return {"engine": program.engine, "row": row, "text": f"{program.build}: {reason}"}


def measure(programs, row, turns, quick, voids):
    """The fastest valid way of each engine (and each featured one), their times in each turn, and all checks."""
    best, checks, valid = {}, {}, []
    for program in programs:
        if not program.does(row[1]):
            continue
        try:
            ways = ways_of(program, *row)
        except ValueError as error:
            voids.append(void(program, row, error))
            continue
        except RuntimeError as error:
            voids.append(void(program, row, error))
            program.start()
            continue
        for way in ways:
            checks.setdefault(program.engine, []).append(way)
            if not way.valid:
                voids.append(void(program, row, f"{way.name} is off by {way.off:.1e} {way.remark}".rstrip()))
            else:
                valid.append(way)
    for way in first_times(valid, 3 if quick else 9, voids):
        for column in [way.program.engine, *(name for name in FEATURED if way.name.startswith(name))]:
            if column not in best or way.first < best[column].first:
                best[column] = way
    return best, take_turns(best, turns), checks


def first_times(ways, rounds, voids):
    """Notes the least of some blocks of every way, fewer if they take long. They go in turns too: a way must not lose because
    the machine was slow when its time came. Returns the ways of the programs that live on: several models of 512 links at
    once are more than some machines have memory for."""
    begin = time.monotonic()
    for done in range(rounds):
        if done > 0 and time.monotonic() - begin > 6:
            break
        for way in ways:
            rivals = [w.first for w in ways if w.program.engine == way.program.engine and w is not way]
            if done > 0 and way.first > 2 * min(rivals, default=0):  # alone, or out of the race
                continue
            try:
                way.first = min(way.first, way.time())
            except RuntimeError as error:
                voids.append(void(way.program, way.row, error))
                way.program.start()
                return first_times([w for w in ways if w.program is not way.program], rounds, voids)
    return ways


def take_turns(best, turns, rounds=31):
    """The least of some blocks of each engine, in every turn. A turn goes round the engines block by block, so that each
    meets the machine at the same paces. What is more than 20 times slower than trammel takes part in three turns only."""
    slow = {e for e in best if "trammel" in best and best[e].first > 20 * best["trammel"].first}
    times = {engine: [] for engine in best}
    for turn in range(turns):
        order, begin = [e for e in best if turn < 3 or e not in slow], time.monotonic()
        blocks = {engine: [] for engine in order}
        for done in range(rounds):
            if done > 0 and time.monotonic() - begin > 6:
                break
            for engine in order:
                blocks[engine].append(best[engine].time())
            order = order[1:] + order[:1]
        for engine, measured in blocks.items():
            times[engine].append(min(measured))
    return times


def tenth_percentile(values):
    return sorted(values)[len(values) // 10]


def human(ns):
    for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.0f} ns"


def compare(arguments):
    programs = [Program.compiled(path, arguments.mechanisms) for path in arguments.programs]
    programs += [Program.in_python(engine, arguments.mechanisms) for engine in arguments.python]
    peers = list(dict.fromkeys(p.engine for p in programs if p.engine != "trammel")) + FEATURED
    chains = CHAINS[:6] if arguments.quick else CHAINS
    skipped = {f"chain{n}" for n in CHAINS if n not in chains}
    rows, voids = [], []
    for row in ROWS:
        if row[0] in skipped or not any(program.does(row[1]) for program in programs) or (arguments.only and row[0] not in arguments.only):
            continue
        try:
            best, times, checks = measure(programs, row, arguments.turns, arguments.quick, voids)
        except RuntimeError as error:  # in the middle of its turns: the row is lost, the others are not
            print(f"{' '.join(row)}: {error}", flush=True)
            for program in programs:
                if program.child.poll() is not None:
                    program.start()
            continue
        if "trammel" not in best:
            continue
        ratios = {e: [p / t for p, t in zip(times[e], times["trammel"])] for e in best if e != "trammel"}
        rows.append({"row": row, "best": best, "times": times, "ratios": ratios, "checks": checks})
        print(progress(rows[-1]), flush=True)
    for program in programs:
        program.close()
    return peers, rows, voids


def progress(entry):
    parts = [f"{e} {statistics.median(r):.2f} ({tenth_percentile(r):.2f})" for e, r in entry["ratios"].items()]
    return f"{' '.join(entry['row'])}: {human(statistics.median(entry['times']['trammel']))}; " + ", ".join(parts)


def ratio_table(peers, rows):
    lines = [
        "| mechanism | task | trammel | " + " | ".join(peers) + " | fastest peer |",
        "|---|---|---|" + "---|" * (len(peers) + 1),
    ]
    for entry in rows:
        ratios, cells = entry["ratios"], []
        for peer in peers:
            known = peer in ratios
            cells.append(f"{statistics.median(ratios[peer]):.2f} ({tenth_percentile(ratios[peer]):.2f})" if known else "–")
        fastest = min(ratios, key=lambda e: statistics.median(entry["times"][e]), default=None)
        cells.append(f"{fastest}, **{tenth_percentile(ratios[fastest]):.2f}**" if fastest else "–")
        mechanism, task = entry["row"]
        ours = human(statistics.median(entry["times"]["trammel"]))
        lines.append(f"| {mechanism} | {LABELS[task]} | {ours} | " + " | ".join(cells) + " |")
    return lines


def check_table(rows):
    lines = ["| mechanism | task | engine | way (build) | time | off by |", "|---|---|---|---|---|---|"]
    for entry in rows:
        for engine, way in entry["best"].items():
            median = human(statistics.median(entry["times"][engine]))
            lines.append(
                f"| {entry['row'][0]} | {LABELS[entry['row'][1]]} | {engine} | {way} | {median} | {f'{way.off:.1e} {way.remark}'.rstrip()} |"
            )
    return lines


def void_list(voids):
    return [f"- {v['engine']}, {' '.join(v['row'])}, {v['text']}" for v in voids] or ["none"]


def draw_scaling(rows, folder):
    """Time against N of the pinned chain, both logarithmic."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "trammel"
    from matplotlib import pyplot

    curves = {}
    for entry in rows:
        if entry["row"][0].startswith("chain"):
            for engine, times in entry["times"].items():
                curves.setdefault(engine, []).append((int(entry["row"][0][5:]), statistics.median(times) / 1e3))
    if not curves:
        return
    figure, axes = pyplot.subplots(figsize=(7.2, 4.2))
    for (engine, points), style in zip(curves.items(), ("o-", "s--", "^-.", "d:", "v--", "x-")):
        axes.loglog(*zip(*sorted(points)), style, label=engine)
    axes.set_xlabel("links of the pinned chain")
    axes.set_ylabel("constrained forward dynamics, µs")
    axes.set_xscale("log", base=2)
    axes.grid(True, which="major", alpha=0.3)
    axes.legend()
    figure.savefig(folder / "chain.svg", metadata={"Date": None})


def write_csv(rows, path):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["mechanism", "task", "engine", "method", "build", "turn", "ns"])
        for entry in rows:
            for engine, times in entry["times"].items():
                way = entry["best"][engine]
                for turn, ns in enumerate(times):
                    out.writerow([*entry["row"], engine, way.name, way.program.build, turn, f"{ns:.1f}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mechanisms", required=True, help="the folder that write_mechanisms filled")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the folder for ratios.md, times.csv, chain.svg")
    parser.add_argument("--about", required=True, help="a file that says what was built how; copied into the table")
    parser.add_argument("--quick", action="store_true", help="few turns and no long chains")
    parser.add_argument("--only", type=lambda names: names.split(","), default=[], help="mechanisms to measure, by commas")
    parser.add_argument("--turns", type=int)
    parser.add_argument("--python", type=lambda names: names.split(","), default=[], help="engines to measure in Python, by commas")
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.turns = arguments.turns or (5 if arguments.quick else 25)

    peers, rows, voids = compare(arguments)
    text = [
        f"Measured on {datetime.date.today()}, {arguments.turns} turns. Ratios are a peer's time over trammel's in the same",
        "turn: the median and, in brackets, the 10th percentile. Above 1, trammel is faster.",
        "",
        *pathlib.Path(arguments.about).read_text().splitlines(),
        "",
        *ratio_table(peers, rows),
        "",
        "What stands behind each figure, and how far it is from trammel's result:",
        "",
        *check_table(rows),
        "",
        "Void, because a check failed or the engine refused:",
        "",
        *void_list(voids),
    ]
    (arguments.out / "ratios.md").write_text("\n".join(text) + "\n")
    write_csv(rows, arguments.out / "times.csv")
    draw_scaling(rows, arguments.out)
    print("\n".join(text))


if __name__ == "__main__":
    main()
