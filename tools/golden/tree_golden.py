#!/usr/bin/env python3
"""Golden files for trees: mass matrix, forces, accelerations and frames at seeded states, by independent engines.

usage: tree_golden.py --out DIR [FILE.urdf | DESCRIPTION.json] ...

Writes DIR/NAME.json per file; tests/golden/README.md explains the layout. SI units; [angular; linear] throughout.
Every quantity is computed by two engines where both can, and the largest differences are kept in the file.
"""

import argparse
import json
import pathlib

import numpy as np

import tree
from mujoco_tree import MujocoTree, urdf_links
from pinocchio_tree import PinocchioTree

SEED = 20260601
STATES = 50
POSED_STATES = 20  # of these, the first so many carry the pose of every frame; 5 where there are more than 50 frames
FULL_M_UP_TO = 12  # coordinates

CONVENTIONS = (
    "M contains no damping or friction; bias, gravity and inverse: M vdot + C v + g, forward: its solution for vdot. "
    "V, abias, Jw: [angular; linear] of the frame's origin in world axes; abias is the classical acceleration at "
    "vdot = 0, without gravity. Inertias [ixx, iyy, izz, ixy, ixz, iyz] about the mass centre. "
)
URDF_NOTE = (
    "Read by Pinocchio's URDF reader, fixed base, mimic joints independent, no rotor inertia, no damping, no friction. "
    "bodies: what moves with each joint after merging links across fixed joints, in the axes of the joint's child link; "
    "links: each link by itself, as MuJoCo's URDF reader sees it."
)
DESCRIBED_NOTE = (
    "Built from the description file, rotor inertias on the diagonal of M. "
    "bodies: masses as the engine holds them, in the body frame."
)


def random_states(joints, rng):
    """Seeded q, v, vdot, tau over the full range: rad, m, rad/s, m/s, N m, N."""
    q, speed = [], []
    for joint in joints:
        for element in joint.stack:
            low, high = joint.limits
            if element == "S":
                quaternion = rng.normal(size=4)
                q += list(quaternion / np.linalg.norm(quaternion))
            elif np.isfinite([low, high]).all() and low < high:
                q.append(rng.uniform(low, high))
            else:
                reach = 0.5 if element[0] == "T" else np.pi
                q.append(rng.uniform(-reach, reach))
            speed += [2.0 if element[0] == "T" else 10.0] * tree.sizes(element)[1]
    nv = len(speed)
    v = rng.uniform(-1, 1, nv) * speed
    return np.array(q), v, rng.uniform(-10, 10, nv), rng.uniform(-20, 20, nv)


def frame_records(engine, q, v, w, all_poses):
    records = {}
    for frame, R, p, J, V, abias in engine.motion(q, v):
        group = records.setdefault(frame.group, [])
        if frame.tip or all_poses:
            group.append({"name": frame.name, "R": R.ravel(), "p": p})
        if frame.tip:
            group[-1] |= {"V": V, "abias": abias, "Jw": [J @ x for x in w]}
    return records


def state_record(engine, state, w, all_poses):
    q, v, vdot, tau = state
    M, zero = engine.mass_matrix(q), np.zeros_like(v)
    record = {"q": q, "v": v, "vdot": vdot, "tau": tau, "cond_M": np.linalg.cond(M)}
    if engine.nv <= FULL_M_UP_TO:
        record["M"] = M
    return record | {
        "Mw": [M @ x for x in w],
        "bias": engine.inverse(q, v, zero),
        "gravity": engine.inverse(q, zero, zero),
        "inverse": engine.inverse(q, v, vdot),
        "forward": engine.forward(q, v, tau),
        **frame_records(engine, q, v, w, all_poses),
    }


def plain(x):
    """Numbers as Python floats, so that they are written with all their digits; -0.0 becomes 0.0."""
    if isinstance(x, dict):
        return {key: plain(value) for key, value in x.items()}
    if isinstance(x, (list, tuple, np.ndarray)):
        return [plain(value) for value in x]
    return float(x) + 0.0 if isinstance(x, (float, np.floating)) else x


def quantities(record):
    """Everything an engine computed in a state, one vector per kind."""
    vectors = {key: np.ravel(record[key]) for key in ("Mw", "bias", "gravity", "inverse", "forward")}
    frames = record.get("frames", []) + record.get("bodies", [])
    for key in ("R", "p", "V", "abias", "Jw"):
        vectors[key] = np.concatenate([np.ravel(f[key]) for f in frames if key in f])
    return vectors


def differences(states, others):
    """Per kind, the largest |x − y| over |x| of a state (both largest entries; |x| at least 1e-6 of any state's)."""
    pairs = [(quantities(a), quantities(b)) for a, b in zip(states, others)]
    worst = {}
    for kind in pairs[0][0]:
        size = [np.abs(x[kind]).max() for x, _ in pairs]
        floor = 1e-6 * max(size) or 1.0
        worst[kind] = max(np.abs(x[kind] - y[kind]).max() / max(s, floor) for (x, y), s in zip(pairs, size))
    return {kind: float(f"{value:.2g}") for kind, value in worst.items()}


def refuse_disagreement(path, worst, states):
    """A golden file is written only if both engines say the same, to round-off; forward dynamics to cond(M)."""
    forward = 100 * np.finfo(float).eps * max(s["cond_M"] for s in states)
    bad = {k: e for k, e in worst.items() if not e < (max(forward, 1e-11) if k == "forward" else 1e-11)}
    if bad:
        raise SystemExit(f"{path}: the engines disagree: {bad}")


def fnv1a(data):
    """FNV-1a, 64 bit, as 16 hex digits."""
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{h:016x}"


def engines(path):
    """(the engine the file is made with, the one that checks it, the model's header, note)."""
    if path.suffix == ".urdf":
        first = PinocchioTree.from_urdf(path)
        second = MujocoTree.from_urdf(path, first.joints, first.frames)
        return first, second, {"name": path.stem, "file": path.name}, URDF_NOTE
    description = json.loads(path.read_text())
    pair = [PinocchioTree.from_description(description), MujocoTree.from_description(description)]
    if any(body["joint"]["type"] not in ("revolute", "prismatic") for body in description["bodies"]):
        pair.reverse()
    header = {"name": description["name"], "file": None, "description": f"models/{path.name}"}
    return *pair, header, DESCRIBED_NOTE


def golden(path):
    engine, check, header, note = engines(path)
    rng = np.random.default_rng(SEED)
    w = rng.uniform(-1, 1, (3, engine.nv))
    inputs = [random_states(engine.joints, rng) for _ in range(STATES)]
    posed = POSED_STATES if len(engine.frames) <= 50 else 5
    run = lambda e: [plain(state_record(e, s, w, k < posed)) for k, s in enumerate(inputs)]
    states, others = run(engine), run(check)
    worst = differences(states, others)
    refuse_disagreement(path, worst, states)
    moving, fixed = engine.masses()
    origin = {"engine": engine.engine, "version": engine.version, "script": "tools/golden/tree_golden.py", "seed": SEED}
    origin["note"] = CONVENTIONS + note
    origin["checked_by"] = {"engine": check.engine, "version": check.version, "differences": worst}
    result = {
        "origin": origin,
        "model": header | {"hash": fnv1a(path.read_bytes())},
        "total_mass": moving + fixed,
        "moving_mass": moving,
        "bodies": engine.bodies(),
        "links": urdf_links(path) if path.suffix == ".urdf" else [],
        "coordinates": [joint.record() for joint in engine.joints],
        "w": w,
    }
    return plain(result) | {"states": states}


def write(golden_file, out):
    """One list entry per line, so that a difference shows where it is."""
    dump = lambda x: json.dumps(x, separators=(",", ":"), allow_nan=False)
    lines = []
    for key, value in golden_file.items():
        if isinstance(value, list):
            entries = ",\n".join("  " + dump(entry) for entry in value)
            lines.append(f' "{key}":[\n{entries}]' if value else f' "{key}":[]')
        else:
            lines.append(f' "{key}":{dump(value)}')
    out.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--out", type=pathlib.Path, required=True)
    arguments.add_argument("files", nargs="*", type=pathlib.Path)
    options = arguments.parse_args()
    names = [path.stem for path in options.files]
    if len(set(names)) < len(names):
        raise SystemExit(f"two models share a name: {sorted(names)}")
    for path in options.files:
        result = golden(path)
        out = options.out / f"{path.stem}.json"
        write(result, out)
        worst = result["origin"]["checked_by"]["differences"]
        print(f"{out.name}: {out.stat().st_size / 1e6:.2f} MB, {result['origin']['engine']} against the other: {worst}")


if __name__ == "__main__":
    main()
