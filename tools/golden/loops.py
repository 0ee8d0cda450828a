#!/usr/bin/env python3
"""tools/golden/loops.py OUT MODELS: robots with loops in URDF+ and in a YAML beside a URDF, by Pinocchio alone.

Writes OUT (layout: tests/golden/README.md): at seeded closed states of each robot v̇ under its closures, without friction, damping and motors.
The files of loops are read here, by xml.etree and PyYAML; closures become Pinocchio's rigid constraints: 6D, 3D, and for a hinge two points on
its axis. Where there are 6D ones, redundant rows are met by its proximal iteration, whose regularisation 1e-9 is iterated until it has no effect;
points are done with its mass matrix, Jacobians and accelerations in dense arithmetic. The closures' second derivative is seen to vanish.
"""

import json
import pathlib
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pinocchio as pin
import yaml

from example_robots import configuration, hash_of, joints_of

SEED, STATES = 253, 3
URDF_PLUS = ["four_bar", "six_bar", "planar_leg_linkage"]
WITH_YAML = ["5bar_linkage", "5bar_linkage_iso3d", "robot_delta", "talos_like"]


def numbers(element, attribute, default):
    return np.array([float(x) for x in (element.get(attribute) if element is not None else None or default).split()])


def placed(side):
    origin = side.find("origin")
    rpy = numbers(origin, "rpy", "0 0 0") if origin is not None and origin.get("rpy") else np.zeros(3)
    xyz = numbers(origin, "xyz", "0 0 0") if origin is not None and origin.get("xyz") else np.zeros(3)
    return pin.SE3(pin.rpy.rpyToMatrix(*rpy), xyz)


def in_joint(model, name, at):
    """A link, or a joint, which stands for its child link."""
    frame = model.frames[model.getFrameId(name)]
    return frame.parentJoint, frame.placement * at


def closure(model, kind, one, other):
    return pin.RigidConstraintModel(kind, model, *one, *other, pin.ReferenceFrame.LOCAL)


def loops_of_urdf_plus(path, model):
    out = []
    for loop in ET.parse(path).getroot().iter("loop"):
        if loop.get("type") not in ("revolute", "continuous"):
            raise ValueError(f"loop of type {loop.get('type')}")
        axis = numbers(loop.find("axis"), "xyz", "1 0 0")
        for along in (0.0, 0.1):
            sides = [loop.find("predecessor"), loop.find("successor")]
            ends = [in_joint(model, s.get("link"), placed(s) * pin.SE3(np.eye(3), along * axis)) for s in sides]
            out.append(closure(model, pin.ContactType.CONTACT_3D, *ends))
    return out


def loops_of_yaml(path, model):
    asked = yaml.safe_load(path.read_text())
    out = []
    for (one, other), kind in zip(asked["closed_loop"], asked["type"]):
        kind = pin.ContactType.CONTACT_6D if kind.lower() == "6d" else pin.ContactType.CONTACT_3D
        out.append(closure(model, kind, in_joint(model, one, pin.SE3.Identity()), in_joint(model, other, pin.SE3.Identity())))
    return out


def error_of(model, data, loops, q):
    pin.forwardKinematics(model, data, q)
    out = []
    for loop in loops:
        one = data.oMi[loop.joint1_id] * loop.joint1_placement
        other = data.oMi[loop.joint2_id] * loop.joint2_placement
        between = one.actInv(other)
        out.append(pin.log6(between).vector if loop.type == pin.ContactType.CONTACT_6D else between.translation)
    return np.concatenate(out)


def ends_of(loop):
    return (1, loop.joint1_id, loop.joint1_placement), (-1, loop.joint2_id, loop.joint2_placement)


def rows_of(model, data, loops, q):
    """Pinocchio's own rows of a 3D constraint (4.1) are not the slope of its error where both ends move: those of points take their place."""
    pin.computeJointJacobians(model, data, q)
    pin.updateFramePlacements(model, data)
    out = []
    for loop in loops:
        if loop.type == pin.ContactType.CONTACT_6D:
            out.append(pin.getConstraintJacobian(model, data, loop, loop.createData()))
        else:
            ends = ends_of(loop)
            out.append(sum(s * pin.getFrameJacobian(model, data, i, at, pin.LOCAL_WORLD_ALIGNED)[:3] for s, i, at in ends))
    return np.vstack(out)


def central_difference(model, data, loops, q, i, d=1e-6):
    step = d * np.eye(model.nv)[i]
    ends = [error_of(model, data, loops, pin.integrate(model, q, x)) for x in (step, -step)]
    return (ends[0] - ends[1]) / (2 * d)


def closed(model, data, loops, q):
    for _ in range(60):
        error = error_of(model, data, loops, q)
        if np.abs(error).max() < 1e-14:
            break
        slope = np.column_stack([central_difference(model, data, loops, q, i) for i in range(model.nv)])
        step = np.linalg.pinv(slope, rcond=1e-7) @ error
        step *= min(1.0, 0.5 / max(np.abs(step).max(), 1e-30))
        while np.abs(step).max() > 1e-16:
            moved = pin.integrate(model, q, -step)
            if np.linalg.norm(error_of(model, data, loops, moved)) < np.linalg.norm(error):
                break
            step *= 0.5
        q = moved
    return q if np.abs(error_of(model, data, loops, q)).max() < 1e-13 else None


def by_pinocchio(model, data, loops, q, v, mu):
    """v̇ by its constraint dynamics, whose proximal iteration meets redundant rows."""
    models, data_of = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for loop in loops:
        models.append(loop)
        data_of.append(loop.createData())
    pin.initConstraintDynamics(model, data, models, data_of)
    settings = pin.ProximalSettings(1e-14, mu, 100)
    return pin.constraintDynamics(model, data, q, v, np.zeros(model.nv), models, data_of, settings).copy()


def by_points(model, data, loops, q, v, _):
    """v̇ by its mass matrix, bias forces, Jacobians and accelerations of points. Its constraint dynamics (4.1) does not serve here: of two points
    that both move it leaves the second derivative of their distance open."""
    M = pin.crba(model, data, q)
    M = np.triu(M) + np.triu(M, 1).T
    free = np.linalg.solve(M, -pin.nonLinearEffects(model, data, q, v))
    A = rows_of(model, data, loops, q)
    pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
    drift = lambda i, at: pin.getFrameClassicalAcceleration(model, data, i, at, pin.LOCAL_WORLD_ALIGNED).linear
    b = -np.concatenate([sum(s * drift(i, at) for s, i, at in ends_of(loop)) for loop in loops])
    moved = np.linalg.solve(M, A.T)
    return free + moved @ (np.linalg.pinv(A @ moved, rcond=1e-11, hermitian=True) @ (b - A @ free))


def second_derivative(model, data, loops, q, v, vdot, h=1e-4):
    """Of the closures' errors along the motion: the largest."""
    at = [error_of(model, data, loops, pin.integrate(model, q, v * t + 0.5 * vdot * t * t)) for t in (-h, 0, h)]
    return np.abs(at[0] - 2 * at[1] + at[2]).max() / h**2


def place(joint, q):
    return np.arctan2(q[joint.idx_q + 1], q[joint.idx_q]) if joint.nq == 2 else q[joint.idx_q]


def robot(path, loops, rng):
    model = pin.buildModelFromUrdf(str(path))
    loops, joints = loops(model), joints_of(model)
    model.armature = np.zeros(model.nv)
    data, states = model.createData(), []
    generic = tried = 0
    for _ in range(400):
        q = closed(model, data, loops, configuration(joints, rng.uniform(-1.5, 1.5, len(joints)), model.nq))
        if q is None:
            continue
        tried += 1
        # the places as the file has them
        q = configuration(joints, [place(j, q) for _, j in joints], model.nq)
        A = rows_of(model, data, loops, q)
        sigma = np.linalg.svd(A, compute_uv=False)
        rank = int((sigma > 1e-8 * sigma[0]).sum())
        if sigma[rank - 1] < 5e-4 * sigma[0] or rank < generic:
            continue
        generic = rank
        v = rng.uniform(-1, 1, model.nv)
        v -= np.linalg.pinv(A, rcond=1e-9) @ (A @ v)
        points = all(loop.type == pin.ContactType.CONTACT_3D for loop in loops)
        vdot, other = (solve(model, data, loops, q, v, mu) for solve in [by_points if points else by_pinocchio] for mu in (1e-9, 1e-10))
        off = np.abs(vdot - other).max() / max(1, np.abs(vdot).max())
        if off > 1e-9:
            print(f"{path.name}: {off:.1e} between regularisations", file=sys.stderr)
            continue
        if second_derivative(model, data, loops, q, v, vdot) > 1e-6 * max(1, np.abs(vdot).max()):
            raise ValueError(f"{path.name}: the closures open")
        order = [j.idx_v for _, j in joints]
        states.append({"q": [place(j, q) for _, j in joints], "v": v[order].tolist(), "vdot": vdot[order].tolist(), "rank": rank})
        if len(states) == STATES:
            break
    print(f"{path}: {len(states)} states, {tried} closed, rank {generic}", file=sys.stderr)
    return {"hash": hash_of(path), "joints": [name for name, _ in joints], "states": states}


def main():
    out, models = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    rng = np.random.Generator(np.random.PCG64(SEED))
    robots = {}
    for name in URDF_PLUS:
        path = models / "urdf_plus" / f"{name}.urdf"
        robots[f"urdf_plus/{name}"] = robot(path, lambda m, p=path: loops_of_urdf_plus(p, m), rng)
    for name in WITH_YAML:
        path = models / "urdf_yaml" / name / "robot.urdf"
        robots[f"urdf_yaml/{name}"] = robot(path, lambda m, p=path: loops_of_yaml(p.with_suffix(".yaml"), m), rng)
    origin = {
        "engine": "Pinocchio",
        "version": pin.__version__,
        "script": "tools/golden/loops.py",
        "seed": SEED,
        "note": "6d: constraintDynamics, regularisation 1e-9 and 1e-10 agree to 1e-9; points: dense, see by_points; gravity (0, 0, -9.81); no damping, no friction, no motors",
    }
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(facts)}" for name, facts in robots.items())
    out.write_text(f'{{"origin": {json.dumps(origin)},\n"robots": {{\n{lines}\n}}}}\n')


if __name__ == "__main__":
    main()
