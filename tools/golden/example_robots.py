#!/usr/bin/env python3
"""tools/golden/example_robots.py OUT ROBOTS: every URDF of the package example-robot-data that Pinocchio reads, by Pinocchio alone.

Writes OUT (layout: tests/golden/README.md): at five seeded configurations of each robot the mass matrix times two seeded vectors, the gravity
forces, and where each link takes a seeded point. What is random comes from NumPy's PCG64 and stands in the file.
"""

import json
import pathlib
import sys

import numpy as np
import pinocchio as pin

SEED, STATES = 25, 5


def hash_of(path):
    """FNV-1a, 64 bit."""
    value = 0xCBF29CE484222325
    for byte in path.read_bytes():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return f"{value:016x}"


def joints_of(model):
    joints = list(zip(model.names, model.joints))[1:]
    for name, joint in joints:
        if joint.nv != 1:
            raise ValueError(f"joint {name} is a {joint.shortname()}; only those with one velocity are done")
    return joints


def configuration(joints, places, nq):
    """Pinocchio's q of one place a joint: continuous ones have the cosine and the sine of it."""
    q = np.zeros(nq)
    for (_, joint), place in zip(joints, places):
        q[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(place), np.sin(place)] if joint.nq == 2 else [place]
    return q


def state(model, data, joints, links, rng):
    places = rng.uniform(-1.5, 1.5, len(joints))
    q = configuration(joints, places, model.nq)
    # the places as the cosine and sine have them: they round
    order = [joint.idx_v for _, joint in joints]
    point, probes = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, (2, model.nv))
    gravity, products = np.zeros(0), []
    if model.nv > 0:
        M = np.reshape(pin.crba(model, data, q), (model.nv, model.nv))
        M = np.triu(M) + np.triu(M, 1).T
        gravity = pin.computeGeneralizedGravity(model, data, q)
        products = [(M @ w).tolist() for w in probes]
    if order != list(range(model.nv)):
        raise ValueError("velocities are not in the order of the joints")
    pin.forwardKinematics(model, data, q)
    pin.updateFramePlacements(model, data)
    return {
        "q": places.tolist(),
        "w": probes.tolist(),
        "Mw": products,
        "gravity": gravity.tolist(),
        "point": point.tolist(),
        "at": [(data.oMf[i].rotation @ point + data.oMf[i].translation).tolist() for i, _ in links],
    }


def robot(path, name, rng):
    model = pin.buildModelFromUrdf(str(path), mimic=False)
    data, joints = model.createData(), joints_of(model)
    links = [(i, f.name) for i, f in enumerate(model.frames) if f.type == pin.BODY]
    return {
        "file": name,
        "hash": hash_of(path),
        "joints": [joint for joint, _ in joints],
        "links": [link for _, link in links],
        "states": [state(model, data, joints, links, rng) for _ in range(STATES)],
    }


def main():
    out, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    rng = np.random.default_rng(SEED)
    robots, refused = [], []
    for path in sorted(folder.rglob("*.urdf")):
        name = path.relative_to(folder).as_posix()
        try:
            pin.buildModelFromUrdf(str(path), mimic=False)
        except ValueError:
            refused.append(name)
            continue
        robots.append(robot(path, name, rng))
    origin = {
        "engine": "pinocchio",
        "version": pin.__version__,
        "script": "tools/golden/example_robots.py",
        "seed": SEED,
        "note": "fixed base; mimics are free; gravity (0, 0, -9.81)",
    }
    lines = ",\n".join(json.dumps(r, separators=(",", ":")) for r in robots)
    head = json.dumps({"origin": origin, "refused": refused})[:-1]
    out.write_text(f'{head}, "robots": [\n{lines}\n]}}\n')
    print(f"{out}: {len(robots)} robots, {len(refused)} that Pinocchio refuses, {out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
