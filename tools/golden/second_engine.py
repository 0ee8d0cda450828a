#!/usr/bin/env python3
"""Two runs of the papers by Pinocchio: the serial robot's torques, and the parallel robot put together by constraints.

usage: second_engine.py --robots DIR --perturbed FILE.json --out FILE.json

Serial: RNEA along the slow and the fast motion at 101 times; MuJoCo's recursive Newton-Euler must say the same.

Parallel: the free arms of robots/parallel.urdf, three 3-D point constraints that hold the bases and two that join the
tips, no Baumgarte correction; torque 0.1 cos(πt) on qa1, from rest; v̇ from `constraintDynamics`, classical RK4 on the
angles. All motion is in a plane, so 5 of the 15 rows are empty and the constraint matrix is singular: Pinocchio adds μ
to its diagonal and takes the addition back by proximal iterations until they stand still, so that nothing stays soft.
The run is repeated at twice the step; v̇ and Qc at the written states are repeated with M, bias, J and J̇v of MuJoCo in a
least-squares multiplier solution by NumPy (MuJoCo's own constraints are soft and are not used).

Perturbed: RNEA on the URDF texts of perturbed_papers.json must give the forces written there.

None of our code takes part, and nothing is written where the engines disagree.
"""

import argparse
import json
import pathlib

import mujoco
import numpy as np
import pinocchio as pin
import tree
from layout import write
from mujoco_tree import MujocoTree
from tree_golden import fnv1a

BASES = ((0.0, 0.25), (0.43, 0.0), (0.4269, 0.5005))  # m
PARALLEL = [name + arm for arm in "123" for name in ("qa", "qb", "xa", "ya")]
# closed by Newton with arm 1 kept, see assemble()
START = (1.3015, -2.1752, *BASES[0], 2.9105, -1.4593, *BASES[1], 2.981, 1.8776, *BASES[2])
SERIAL = ["gamma1", "alpha2", "alpha3"]
DELTA = np.array([np.pi / 2, np.pi / 4, -np.pi / 3])  # rad
STEP, MU, ITERATIONS = 5e-4, 1e-8, 100  # s; 1; 1
# angles qa1 qb1 qa2 qb2 qa3 qb3 of the parallel run and torques of the serial ones by an independent implementation
REFERENCE_ANGLES = {
    1: (1.4899510041, -2.2944305146, 2.8353776338, -1.2300043324, 2.8893253081, 1.8160660430),
    2: (1.2708787296, -2.1222034817, 2.8980831584, -1.4906438943, 2.9830239751, 1.9228631585),
    5: (1.2774741358, -2.0028807483, 2.7927708266, -1.4385074193, 2.9067052586, 2.0690313522),
    10: (0.6944677598, -0.9531278041, 2.3791255051, -1.5780949602, 3.4461931997, 2.4873771829),
}
REFERENCE_TORQUES = {
    "slow": {
        25: (5.935966360915, 79.570234862214, 24.853981685672),
        50: (-1.152344783159, 74.908135583968, 23.968575922749),
    },
    "fast": {
        25: (37.099789755717, 86.051088626121, 26.617548640029),
        75: (-31.371712421023, 59.657042487384, 22.035248166006),
    },
}


class PinocchioArm:
    """A URDF text in our order of coordinates; joints without limits are (cos, sin) inside Pinocchio."""

    def __init__(self, text, coordinates, gravity):
        self.model = pin.buildModelFromXML(text)
        self.model.gravity = pin.Motion(np.array(gravity, float), np.zeros(3))
        self.data = self.model.createData()
        self.joints = [self.model.joints[self.model.getJointId(name)] for name in coordinates]
        self.places = [j.idx_v for j in self.joints]
        if sorted(self.places) != list(range(self.model.nv)):
            raise ValueError(f"the file's joints are not {coordinates}")

    def inside(self, q):
        x = np.zeros(self.model.nq)
        for angle, j in zip(q, self.joints):
            x[j.idx_q : j.idx_q + j.nq] = (np.cos(angle), np.sin(angle)) if j.nq == 2 else angle
        return x

    def order(self, v):
        """From our order to Pinocchio's; `[self.places]` goes back."""
        out = np.zeros(self.model.nv)
        out[self.places] = v
        return out

    def inverse(self, q, v, vdot):
        return pin.rnea(self.model, self.data, self.inside(q), self.order(v), self.order(vdot))[self.places]


class Loops:
    """The parallel robot's arms under Pinocchio's rigid point constraints."""

    def __init__(self, arm):
        self.arm, model = arm, arm.model
        tips = [model.frames[model.getFrameId(f"tip{k}")] for k in (1, 2, 3)]
        ends = [(model.getJointId(f"ya{k + 1}"), pin.SE3.Identity(), 0, pin.SE3(np.eye(3), np.array([*base, 0.0])))
                for k, base in enumerate(BASES)]  # fmt: skip
        ends += [(tips[0].parentJoint, tips[0].placement, tip.parentJoint, tip.placement) for tip in tips[1:]]
        self.models, self.datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for end in ends:
            self.models.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *end, pin.LOCAL))
            self.datas.append(self.models[-1].createData())
        self.settings = pin.ProximalSettings(0.0, 0.0, MU, ITERATIONS)
        pin.initConstraintDynamics(model, arm.data, self.models, self.datas)

    def accelerate(self, time, q, v):
        arm, tau = self.arm, self.arm.order(drive(time))
        state = arm.inside(q), arm.order(v), tau
        return pin.constraintDynamics(arm.model, arm.data, *state, self.models, self.datas, self.settings)[arm.places]

    def gaps(self, q):
        """x and y of each base minus its place, then tip 1 minus tips 2 and 3; m."""
        arm = self.arm
        pin.framesForwardKinematics(arm.model, arm.data, arm.inside(q))
        p = {f.name: arm.data.oMf[i].translation[:2] for i, f in enumerate(arm.model.frames)}
        bases = [p[f"root{k + 1}"] - base for k, base in enumerate(BASES)]
        return np.concatenate([*bases, p["tip1"] - p["tip2"], p["tip1"] - p["tip3"]])

    def assemble(self, q):
        """Arm 1 kept, the others closed by Newton; derivatives by central differences, so a few more steps."""
        q, free, h = np.array(q), [4, 5, 8, 9], 1e-6
        for _ in range(12):
            columns = [(self.gaps(q + h * e) - self.gaps(q - h * e))[6:] / (2 * h) for e in np.eye(12)[free]]
            q[free] -= np.linalg.solve(np.transpose(columns), self.gaps(q)[6:])
        return q

    def run(self, q, step):
        """(q, v) at 0, 1 … 10 s by RK4."""
        rate = lambda time, y: np.concatenate([y[12:], self.accelerate(time, y[:12], y[12:])])
        y, path, per_second = np.concatenate([q, np.zeros(12)]), [], round(1 / step)
        for k in range(10 * per_second + 1):
            time = k / per_second
            if k % per_second == 0:
                path.append((y[:12].copy(), y[12:].copy()))
            k1 = rate(time, y)
            k2 = rate(time + step / 2, y + step / 2 * k1)
            k3 = rate(time + step / 2, y + step / 2 * k2)
            k4 = rate(time + step, y + step * k3)
            y = y + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return path


def drive(time):
    return 0.1 * np.cos(np.pi * time) * np.eye(12)[0]


def mujoco_tree(path, coordinates, links=()):
    kinds = ["prismatic" if name[0] in "xy" else "revolute" for name in coordinates]
    joints = tree.stack_joints(zip(coordinates, kinds))
    return MujocoTree.from_urdf(path, joints, [tree.Frame(link, "frames", True) for link in links])


def by_mujoco(engine, time, q, v):
    """(v̇, Qc) with MuJoCo's M, bias, J and J̇v; least squares over the rows' multipliers."""
    moved = {f.name: (J[3:5], abias[3:5]) for f, _, _, J, _, abias in engine.motion(q, v)}
    rows = [moved[f"root{k}"] for k in (1, 2, 3)]
    rows += [tuple(a - b for a, b in zip(moved["tip1"], moved[f"tip{k}"])) for k in (2, 3)]
    A, b = np.vstack([J for J, _ in rows]), -np.concatenate([abias for _, abias in rows])
    M, Q = engine.mass_matrix(q), drive(time) - engine.inverse(q, v, np.zeros(12))
    a = np.linalg.solve(M, Q)
    Qc = A.T @ np.linalg.lstsq(A @ np.linalg.solve(M, A.T), b - A @ a, rcond=None)[0]
    return np.linalg.solve(M, Q + Qc), Qc


def serial(path, differences):
    arm, second = PinocchioArm(path.read_text(), SERIAL, (0, 0, -9.81)), mujoco_tree(path, SERIAL)
    runs, worst, reference = [], 0.0, 0.0
    for name, T in (("slow", 5.0), ("fast", 2.0)):
        states = []
        for k in range(101):
            u = k / 100
            w = 2 * np.pi * u
            shape = u - np.sin(w) / (2 * np.pi), (1 - np.cos(w)) / T, 2 * np.pi * np.sin(w) / T**2
            q, v, vdot = (DELTA * x for x in shape)
            tau = arm.inverse(q, v, vdot)
            worst = max(worst, np.abs(tau - second.inverse(q, v, vdot)).max())
            states.append({"t": u * T, "q": q, "v": v, "vdot": vdot, "tau": tau})
        for k, torques in REFERENCE_TORQUES[name].items():
            reference = max(reference, np.abs(states[k]["tau"] - torques).max())
        runs.append({"run": name, "T": T, "delta": DELTA, "states": states})
    differences["serial"] = {"tau, MuJoCo": worst, "tau, reference": reference}
    header = {"file": path.name, "hash": fnv1a(path.read_bytes()), "coordinates": SERIAL, "gravity": (0, 0, -9.81)}
    return header | {"runs": runs}


def parallel(path, differences):
    arm = PinocchioArm(path.read_text(), PARALLEL, (0, 0, 0))
    second = mujoco_tree(path, PARALLEL, [f"{end}{k}" for end in ("root", "tip") for k in (1, 2, 3)])
    second.model.opt.gravity[:] = 0
    loops = Loops(arm)
    q0 = loops.assemble(START)
    fine, coarse = loops.run(q0, STEP), loops.run(q0, 2 * STEP)
    largest = lambda pairs: max(np.abs(np.subtract(a, b)).max() for a, b in pairs)
    states, others = [], []
    for time, (q, v) in enumerate(fine):
        vdot = loops.accelerate(time, q, v)
        states.append({"t": time, "q": q, "v": v, "vdot": vdot, "Qc": arm.inverse(q, v, vdot) - drive(time)})
        others.append(by_mujoco(second, time, q, v))
    angles = [0, 1, 4, 5, 8, 9]
    differences["parallel"] = {
        "q, twice the step": largest((a[0], b[0]) for a, b in zip(fine, coarse)),
        "v, twice the step": largest((a[1], b[1]) for a, b in zip(fine, coarse)),
        "gaps": max(np.abs(loops.gaps(q)).max() for q, _ in fine),
        "vdot, MuJoCo": largest((s["vdot"], o[0]) for s, o in zip(states, others)),
        "Qc, MuJoCo": largest((s["Qc"], o[1]) for s, o in zip(states, others)),
        "q, reference": largest((fine[time][0][angles], x) for time, x in REFERENCE_ANGLES.items()),
    }
    header = {"file": path.name, "hash": fnv1a(path.read_bytes()), "coordinates": PARALLEL, "gravity": (0, 0, 0)}
    return header | {"bases": BASES, "states": states}


def perturbed(path, differences):
    """RNEA at every state of the perturbed robots against the applied and the constraint forces written there."""
    worst = differences["perturbed_papers"] = {}
    for case in json.loads(path.read_text())["cases"]:
        arm = PinocchioArm(case["urdf"], case["coordinates"], case["gravity"])
        for run in case["runs"]:
            for s in run["states"]:
                force = np.array(s["tau"] if "tau" in s else s["Qc"])
                if run["run"] == "modelling":
                    force += drive(s["t"])
                error = np.abs(arm.inverse(s["q"], s["v"], s["vdot"]) - force).max()
                worst[case["robot"]] = max(worst.get(case["robot"], 0.0), error)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--robots", "--perturbed", "--out"):
        arguments.add_argument(option, type=pathlib.Path, required=True)
    options = arguments.parse_args()
    differences = {}
    models = {
        "serial": serial(options.robots / "serial.urdf", differences),
        "parallel": parallel(options.robots / "parallel.urdf", differences),
    }
    perturbed(options.perturbed, differences)
    differences = {part: {key: float(f"{e:.2g}") for key, e in found.items()} for part, found in differences.items()}
    print(*(f"{part}: {found}" for part, found in differences.items()), sep="\n")
    if any(e > 1e-10 for found in differences.values() for e in found.values()):
        raise SystemExit("the engines disagree: nothing written")
    origin = {
        "engine": "pinocchio",
        "version": pin.__version__,
        "script": "tools/golden/second_engine.py",
        "checked_by": {"engine": "mujoco", "version": mujoco.__version__},
        "settings": {"integrator": "RK4", "step": STEP, "mu": MU, "iterations": ITERATIONS, "baumgarte": 0.0},
        "differences": differences,
    }
    write({"origin": origin} | models, options.out)


if __name__ == "__main__":
    main()
