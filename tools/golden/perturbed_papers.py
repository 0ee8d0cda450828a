#!/usr/bin/env python3
"""The four robots of the papers with the numbers of their files changed by up to 10 %: motions and forces.

usage: perturbed_papers.py --robots DIR --out FILE.json

An implementation that fits only the printed numbers (or has them built in) fails here. Masses, mass centres, moments of
inertia and joint offsets of robots/*.urdf are multiplied by seeded factors of their own, and so are the base points of
the parallel robot; what is zero stays zero. Inertias change through their second moments ∫x², ∫y², ∫z² dm, so that they
stay those of a body. The written URDF text is then the only source of the model: lagrange.py reads it and derives
Lagrange's equations by SymPy. No rigid-body library and none of our code takes part.

Where constraints leave no freedom, the states are exact: Newton on φ(q, t) = φ*(t) with the known law of the error
φ*(t), then linear systems for v, v̇. Otherwise DOP853 on independent coordinates, the others by Newton in every
evaluation. All are repeated by DOP853 on all coordinates with v̇ from multipliers, or by a second tolerance, and
nothing is written unless both agree to 1e-10 and the unperturbed robots give the reference numbers below.
"""

import argparse
import pathlib
import xml.etree.ElementTree as ElementTree

import numpy as np
import scipy
import sympy as sp
from constrained import Constrained, by_multipliers, integrate, on_law, state, t
from lagrange import Lagrange
from layout import write

SEEDS = (1, 2, 3)
TIMES = np.array([0, 0.5, 1, 1.5, 2])  # s
FINE, COARSE = 1e-13, 1e-11  # relative tolerances of DOP853
GRAVITY = {"scara": (0, 0, -9.81), "parallel": (0, 0, 0), "serial": (0, 0, -9.81), "two-link": (0, -9.81, 0)}
ARM = ["qa1", "qb1", "xa1", "ya1"]
COORDINATES = {
    "scara": ["q1", "q2", "q3", "q4"],
    "parallel": [name.replace("1", arm) for arm in "123" for name in ARM],
    "serial": ["gamma1", "alpha2", "alpha3"],
    "two-link": ["q1", "q2"],
}
# Unperturbed: (robot, run, t, key, entries, value), from an independent implementation of the same papers.
REFERENCE = [
    ("scara", "drifting", 2, "q", [0, 1, 2], (0.8241964965, -1.6376547668, 0.7962049778)),
    ("scara", "drifting", 1, "Qc", [0, 1], (0.8008258147, 0.2563241378)),
    ("scara", "baumgarte", 2, "q", [0, 1, 2, 3], (0.8487602649, -1.6300653670, 0.7918919070, 0.0400001183)),
    ("scara", "baumgarte", 2, "Qc", [0, 1, 2, 3], (-6.5439297492, -2.6348457500, -0.0425500434, 4.9049123584)),
    ("parallel", "modelling", 2, "q", [0, 1, 4, 5, 8, 9],
     (1.2708787296, -2.1222034817, 2.8980831584, -1.4906438943, 2.9830239751, 1.9228631585)),
    ("parallel", "modelling", 1, "Qc", [0, 1, 4, 5, 8, 9],
     (0.0288543550, 0.0137479280, 0.0085793745, -0.0058775106, 0.0197323796, 0.0061304117)),
    ("parallel", "tracking", 2, "q", [0, 1, 4, 5, 8, 9],
     (1.3473360608, -2.2386334478, 2.9158966832, -1.4074928516, 2.9739381330, 1.8249559094)),
    ("parallel", "tracking", 2, "u", [0, 1, 2], (-0.0019144277, -0.0008287925, -0.0003578382)),
    ("serial", "inverse_slow", 1.25, "tau", [0, 1, 2], (5.935966360915, 79.570234862214, 24.853981685672)),
    ("serial", "inverse_fast", 1.5, "tau", [0, 1, 2], (-31.371712421023, 59.657042487384, 22.035248166006)),
    ("serial", "forward", 2, "q", [0, 1, 2], (0.034536510233, 0.408432318284, -0.805156243895)),
    ("two-link", "line", 0.5, "q", [0, 1], (1.4412441596, -1.9551931013)),
    ("two-link", "line", 0.5, "Qc", [0, 1], (3.9339597100, 4.3369059414)),
]  # fmt: skip


def perturb(text, rng):
    """The URDF without shapes, its numbers times seeded factors, to 6 digits; without rng the numbers as they are."""
    robot = ElementTree.fromstring(text)
    near = lambda x: float(f"{x * (1 + rng.uniform(-0.1, 0.1)):.6g}") if rng else x
    for link in robot.findall("link"):
        for shape in link.findall("visual") + link.findall("collision"):
            link.remove(shape)
        for mass in link.iterfind("inertial/mass"):
            mass.set("value", repr(near(float(mass.get("value")))))
        for inertia in link.iterfind("inertial/inertia"):
            xx, yy, zz = (float(inertia.get(k)) for k in ("ixx", "iyy", "izz"))
            if any(float(inertia.get(k)) for k in ("ixy", "ixz", "iyz")):
                raise ValueError("products of inertia are not done")
            x, y, z = (near((xx + yy + zz) / 2 - k) for k in (xx, yy, zz))  # second moments
            for key, value in (("ixx", y + z), ("iyy", x + z), ("izz", x + y)):
                inertia.set(key, f"{value:.12g}")
    for origin in [*robot.iterfind("link/inertial/origin"), *robot.iterfind("joint/origin")]:
        origin.set("xyz", " ".join(f"{near(float(x)):.12g}" for x in origin.get("xyz").split()))
    for material in robot.findall("material"):
        robot.remove(material)
    ElementTree.indent(robot, " ")
    return ElementTree.tostring(robot, encoding="unicode"), near


class Log:
    """The largest difference between two computations, per run and quantity."""

    def __init__(self):
        self.worst = {}

    def compare(self, run, states, others):
        for a, b in zip(states, others, strict=True):
            for key in b.keys() - {"t"}:
                entry = self.worst.setdefault(run, dict.fromkeys(("q", "v", "vdot"), 0.0))
                entry[key] = max(entry.get(key, 0.0), float(np.abs(np.subtract(a[key], b[key])).max()))


def run_record(name, states, **extra):
    return {"run": name, **extra, "states": states}


def scara_runs(model, log, near, perturbed):
    tool = model.links["tool"][1]
    turn, heading = sp.Rational(2, 5) * sp.pi * t, model.q[0] + model.q[1] + model.q[2]
    x, y = sp.Rational(1, 20) * sp.sin(turn), sp.Rational(7, 20) + sp.Rational(1, 20) * sp.cos(turn)
    system = Constrained(model, [tool[0] - x, tool[1] - y, heading, tool[2] - t / 50])
    printed = np.radians([30, -55, 24, 0])
    q0 = system.close(printed, 0, [0, 1, 2, 3])
    exact = on_law(system, q0, TIMES)
    log.compare("scara assembled", exact, by_multipliers(system, q0, exact[0]["v"], TIMES, FINE))

    # the paper's printed start misses the path; perturbed robots start as far off theirs
    if perturbed:
        q, v = q0 + [-0.013, -0.002, -0.002, 0], exact[0]["v"] + [0, 0.001, 0, -0.0005]
    else:
        q, v = printed, np.array([-0.157, 0.0001, 0.157, 0.0195])
    phi, rate = system.phi(q, 0), system.A(q, 0) @ v + system.phi_t(q, 0)
    drifting = on_law(system, q, TIMES, lambda time: (phi + time * rate, rate, 0 * rate))
    log.compare("scara drifting", drifting, by_multipliers(system, q, v, TIMES, FINE))

    alpha, beta = 0.5, 200.0  # φ̈ + α φ̇ + β φ = 0: roots s and its conjugate
    s = complex(-alpha / 2, np.sqrt(beta - alpha**2 / 4))
    c = phi - 1j * (rate - s.real * phi) / s.imag
    decay = lambda time: tuple((c * s**k * np.exp(s * time)).real for k in range(3))
    stabilised = on_law(system, q, TIMES, decay)
    second = by_multipliers(system, q, v, TIMES, FINE, lambda phi, phidot: -alpha * phidot - beta * phi)
    log.compare("scara baumgarte", stabilised, second)
    off = {"phi": phi, "phidot": rate}
    return {}, [
        run_record("assembled", exact),
        run_record("drifting", drifting, **off),
        run_record("baumgarte", stabilised, alpha=alpha, beta=beta, **off),
    ]


def parallel_runs(model, log, near, perturbed):
    bases = [[near(x) for x in base] for base in ((0.0, 0.25), (0.43, 0.0), (0.4269, 0.5005))]
    tip = [model.links[f"tip{arm}"][1][:2, 0] for arm in (1, 2, 3)]
    root = [model.links[f"root{arm}"][1][:2, 0] for arm in (1, 2, 3)]
    pins = [root[arm][k] - sp.Rational(repr(bases[arm][k])) for arm in range(3) for k in range(2)]
    physical = pins + list(tip[0] - tip[1]) + list(tip[0] - tip[2])
    motor = np.eye(12)[0]
    loops = Constrained(model, physical)
    driven = Constrained(model, physical, lambda time: 0.1 * np.cos(np.pi * time) * motor)
    lead, free = [0, 1], list(range(2, 12))
    q0 = np.array([1.3015, -2.1752, *bases[0], 2.9105, -1.4593, *bases[1], 2.981, 1.8776, *bases[2]])
    q0 = loops.close(q0, 0, free)

    guess = q0.copy()

    def full(time, y):
        q = driven.close(np.concatenate([y[:2], guess[2:]]), time, free)
        v = driven.rates(q, np.concatenate([y[2:], np.zeros(10)]), time, free)
        guess[:] = q
        return q, v, *driven.solve(q, v, time)

    def independent(rtol):
        guess[:] = q0
        rhs = lambda time, y: np.concatenate([y[2:], full(time, y)[2][lead]])
        path = integrate(rhs, np.concatenate([q0[lead], [0, 0]]), TIMES, rtol)
        guess[:] = q0
        return [state(time, *full(time, y)) for time, y in zip(TIMES, path)]

    modelling = independent(FINE)
    log.compare("parallel modelling, coarser", modelling, independent(COARSE))
    log.compare("parallel modelling", modelling, by_multipliers(driven, q0, np.zeros(12), TIMES, FINE))

    # tracking: the same arms without the torque, tip 1 on its path
    start = model.function(tip[0], (model.q,))(q0)
    path = [sp.Rational(repr(float(x))) for x in start]
    rows = physical + [tip[0][0] - path[0] + (1 - sp.cos(t)) / 100, tip[0][1] - path[1]]
    tracked = Constrained(model, rows)
    tracking = on_law(tracked, q0, TIMES)
    log.compare("parallel tracking", tracking, by_multipliers(tracked, q0, np.zeros(12), TIMES, FINE))
    motors = np.eye(12)[:, [0, 4, 8]]
    for s in tracking:
        held = loops.solve(s["q"], s["v"], s["t"])[1]
        N = scipy.linalg.null_space(loops.A(s["q"], s["t"]))
        u = np.linalg.pinv(N.T @ motors) @ (N.T @ s["Qc"])
        s.update({"Q1c": held, "Q3c": s["Qc"] - held, "u": u})
    geometry = {"bases": bases, "tip": start, "kept": ["qa1", "qb1"]}
    return geometry, [run_record("modelling", modelling), run_record("tracking", tracking)]


def cycloid(u):
    """The smooth step from 0 to 1 and its first two derivatives in u."""
    w = 2 * np.pi * u
    return u - np.sin(w) / (2 * np.pi), 1 - np.cos(w), 2 * np.pi * np.sin(w)


def serial_runs(model, log, near, perturbed):
    runs, delta = [], np.array([np.pi / 2, np.pi / 4, -np.pi / 3])
    for name, T in (("inverse_slow", 5.0), ("inverse_fast", 2.0)):
        states = []
        for u in (0.1, 0.25, 0.5, 0.75, 0.9):
            q, v, vdot = (delta * x / T**k for k, x in enumerate(cycloid(u)))
            states.append({"t": u * T, "q": q, "v": v, "vdot": vdot, "tau": model.M(q) @ vdot - model.Q(q, v)})
        runs.append(run_record(name, states, T=T, delta=delta))

    static, bump = -model.Q(np.zeros(3), np.zeros(3)), np.array([0.5, 0.5, -0.2])
    torque = lambda time: static + bump * cycloid(time if time <= 1 else max(2 - time, 0.0))[0]
    accelerate = lambda time, q, v: np.linalg.solve(model.M(q), model.Q(q, v) + torque(time))

    def forward(rtol):
        rhs = lambda time, y: np.concatenate([y[3:], accelerate(time, y[:3], y[3:])])
        path = integrate(rhs, np.zeros(6), TIMES, rtol)  # the torque's third derivative jumps at 1 s: one of the times
        record = lambda time, q, v: {"t": time, "q": q, "v": v, "vdot": accelerate(time, q, v), "tau": torque(time)}
        return [record(float(time), y[:3], y[3:]) for time, y in zip(TIMES, path)]

    states = forward(FINE)
    log.compare("serial forward, coarser", states, forward(COARSE))
    return {}, [*runs, run_record("forward", states, static=static, bump=bump)]


def two_link_runs(model, log, near, perturbed):
    tip = model.links["tip"][1]
    system = Constrained(model, [tip[0] - 1, tip[1] - (1 - sp.cos(sp.pi * t)) / 2])
    q0 = system.close(np.radians([60, -120]), 0, [0, 1])
    states = on_law(system, q0, TIMES)
    log.compare("two-link line", states, by_multipliers(system, q0, states[0]["v"], TIMES, FINE))
    return {}, [run_record("line", states)]


RUNS = {"scara": scara_runs, "parallel": parallel_runs, "serial": serial_runs, "two-link": two_link_runs}


def make_case(robot, text, seed, log):
    """One robot with one seed; seed None leaves the numbers as they are."""
    rng = None if seed is None else np.random.default_rng([list(RUNS).index(robot), seed])
    urdf, near = perturb(text, rng)
    model = Lagrange(urdf, COORDINATES[robot], GRAVITY[robot])
    geometry, runs = RUNS[robot](model, log, near, rng is not None)
    header = {"robot": robot, "seed": seed, "urdf": urdf, "gravity": GRAVITY[robot], "coordinates": COORDINATES[robot]}
    return header | geometry | {"runs": runs}


def against_reference(cases):
    """The largest difference of the unperturbed robots from the reference numbers."""
    found, worst = {c["robot"]: {r["run"]: r["states"] for r in c["runs"]} for c in cases}, 0.0
    for robot, run, time, key, entries, value in REFERENCE:
        (s,) = [s for s in found[robot][run] if abs(s["t"] - time) < 1e-12]
        worst = max(worst, np.abs(np.asarray(s[key])[entries] - value).max())
    return float(worst)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--robots", type=pathlib.Path, required=True)
    arguments.add_argument("--out", type=pathlib.Path, required=True)
    options = arguments.parse_args()
    texts = {robot: (options.robots / f"{robot}.urdf").read_text() for robot in RUNS}

    log = Log()
    nominal = against_reference([make_case(robot, texts[robot], None, log) for robot in RUNS])
    print(f"unperturbed against the reference: {nominal:.1e}", flush=True)
    cases = [make_case(robot, text, seed, log) for robot, text in texts.items() for seed in SEEDS]
    worst = {run: {key: float(f"{e:.2g}") for key, e in entry.items()} for run, entry in log.worst.items()}
    print(*(f"{run}: {entry}" for run, entry in worst.items()), sep="\n")
    if nominal > 1e-9 or any(e > 1e-10 for entry in worst.values() for e in entry.values()):
        raise SystemExit("two ways disagree: nothing written")
    origin = {
        "engine": "SymPy (Lagrange from the energies), NumPy, SciPy DOP853",
        "version": {"sympy": sp.__version__, "numpy": np.__version__, "scipy": scipy.__version__},
        "script": "tools/golden/perturbed_papers.py",
        "seeds": SEEDS,
        "tolerances": {"rtol": FINE, "atol": FINE / 10, "coarser": COARSE},
        "differences": worst,
        "unperturbed_against_reference": float(f"{nominal:.2g}"),
    }
    write({"origin": origin, "cases": cases}, options.out)


if __name__ == "__main__":
    main()
