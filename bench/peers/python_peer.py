"""An engine behind its Python interface, spoken to by bench/peers/compare.py as the programs of serve.h are: python_peer.py ENGINE FOLDER.

trammel, pinocchio or mujoco, each built from the plain numbers of mechanism.h. Of a task it is timed what a user of its Python calls with
the state as arrays of numpy's, the answer included. Joints that turn, slide or are universal, and a floating body, whose velocities
floating.h explains.
"""

import dataclasses
import pathlib
import sys
import time

import numpy as np

TURNING, SLIDING, UNIVERSAL, FLOATING = range(4)
POINT, IN_PLANE, HINGE, POSE = range(4)


@dataclasses.dataclass
class Body:
    parent: int
    joint: int
    R: np.ndarray
    p: np.ndarray
    mass: float
    com: np.ndarray
    inertia: np.ndarray  # xx yy zz xy xz yz
    q: int
    v: int


class Mechanism:
    """What mechanism.h reads."""

    def __init__(self, path: pathlib.Path) -> None:
        self.numbers, self.at = np.array(path.read_text().split(), float), 0
        self.gravity, self.driven = self.take(3), int(self.take())
        self.bodies, self.nq, self.nv = [], 0, 0
        for _ in range(int(self.take())):
            parent, joint = int(self.take()), int(self.take())
            R, p, mass, com, inertia = self.take(9).reshape(3, 3), self.take(3), self.take(), self.take(3), self.take(6)
            self.bodies.append(Body(parent, joint, R, p, mass, com, inertia, self.nq, self.nv))
            self.nq += (1, 1, 2, 7)[joint]
            self.nv += (1, 1, 2, 6)[joint]
        self.closures = []
        for _ in range(int(self.take())):
            kind = int(self.take())
            self.closures.append((kind, *((int(self.take()), self.take(9).reshape(3, 3), self.take(3)) for _ in "AB")))
        lists = ("v", "u", "forward", "inverse", "mass", "constrained")
        self.states = [{"q": self.take(self.nq)} | {name: self.take(self.nv) for name in lists} for _ in range(int(self.take()))]

    def take(self, n: int = 0):
        self.at += max(n, 1)
        return self.numbers[self.at - n : self.at].copy() if n else float(self.numbers[self.at - 1])


def rpy(R: np.ndarray) -> list[float]:
    pitch = np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0]))
    if np.hypot(R[0, 0], R[1, 0]) < 1e-9:
        return [0.0, float(pitch), float(np.arctan2(-R[0, 1], R[1, 1]) )]
    return [float(np.arctan2(R[2, 1], R[2, 2])), float(pitch), float(np.arctan2(R[1, 0], R[0, 0]))]


def same(answer: np.ndarray, state: dict) -> np.ndarray:
    return np.asarray(answer)


class Trammel:
    def __init__(self, m: Mechanism) -> None:
        import pytrammel as tm

        system = tm.System(gravity=m.gravity)
        place = lambda R, p: {"xyz": p, "rpy": rpy(R)}  # noqa: E731
        name = lambda body: "world" if body < 0 else f"b{body}"  # noqa: E731
        kinds = ({"revolute": "z"}, {"prismatic": "z"}, {"universal": ["z", "x"]}, {"floating": True})
        for i, body in enumerate(m.bodies):
            system.body(name(i), mass=body.mass, com=body.com, inertia=body.inertia)
            system.joint(f"j{i}", name(body.parent), name(i), place(body.R, body.p), **kinds[body.joint])
        for i, (kind, *sides) in enumerate(m.closures):
            for side, (body, R, p) in zip("AB", sides):
                system.frame(f"{side}{i}", name(body), place(R, p))
            makes = {POINT: tm.coincide, HINGE: tm.hinge, POSE: tm.weld, IN_PLANE: lambda a, b: tm.coincide(a, b, axes="xy")}
            system.constrain(f"closure {i}", makes[kind](f"A{i}", f"B{i}"))
        problem = system.compile()
        tree = problem.model
        assert [joint.name for joint in tree.joints] == [f"j{i}" for i in range(len(m.bodies))]
        self.tasks = {
            "forward": [("Model.forward_dynamics", lambda s: tree.forward_dynamics(s["q"], s["v"], s["u"]), same)],
            "inverse": [("Model.inverse_dynamics", lambda s: tree.inverse_dynamics(s["q"], s["v"], s["u"]), same)],
            "mass": [("Model.mass_matrix", lambda s: tree.mass_matrix(s["q"]), lambda M, s: M @ s["u"])],
            "constrained": [("Problem.solve", lambda s: problem.solve(s["q"], s["v"]).vdot, same)],
        }


class Pinocchio:
    def __init__(self, m: Mechanism) -> None:
        import pinocchio as pin

        model = pin.Model()
        model.gravity.linear = m.gravity
        joints = (pin.JointModelRZ, pin.JointModelPZ, lambda: pin.JointModelUniversal(np.eye(3)[2], np.eye(3)[0]), pin.JointModelFreeFlyer)
        for i, body in enumerate(m.bodies):
            xx, yy, zz, xy, xz, yz = body.inertia
            inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            joint = model.addJoint(body.parent + 1, joints[body.joint](), pin.SE3(body.R, body.p), f"j{i}")
            model.appendBodyToJoint(joint, pin.Inertia(body.mass, body.com, inertia), pin.SE3.Identity())
        data, zero = model.createData(), np.zeros(model.nv)
        self.m, self.floating = m, [body for body in m.bodies if body.joint == FLOATING]
        for s in m.states:
            s["native"] = self.native(s)

        def rows():
            models = pin.StdVec_RigidConstraintModel()
            for kind, A, B in as_points_and_poses(m.closures):
                of = pin.ContactType.CONTACT_6D if kind == POSE else pin.ContactType.CONTACT_3D
                models.append(pin.RigidConstraintModel(of, model, B[0] + 1, pin.SE3(*B[1:]), A[0] + 1, pin.SE3(*A[1:]), pin.ReferenceFrame.LOCAL))
            datas = pin.StdVec_RigidConstraintData()
            for row in models:
                datas.append(row.createData())
            return models, datas

        def constrained(mu: float, iterations: int):
            own, (models, datas) = model.createData(), rows()
            pin.initConstraintDynamics(model, own, models, datas)
            settings = pin.ProximalSettings(1e-12, mu, iterations)
            return lambda s: pin.constraintDynamics(model, own, s["native"][0], s["native"][1], zero, models, datas, settings)

        def loop_constrained(mu: float):
            own, (models, datas) = model.createData(), rows()
            pin.computeJointMinimalOrdering(model, own, models)
            settings = pin.ProximalSettings(1e-12, mu, 20)
            return lambda s: pin.lcaba(model, own, s["native"][0], s["native"][1], zero, models, datas, settings)

        ways = [("", 0.0, 1), (", mu 1e-10", 1e-10, 2), (", mu 1e-8", 1e-8, 5)] if m.closures else []
        self.tasks = {
            "forward": [("aba", lambda s: pin.aba(model, data, s["native"][0], s["native"][1], s["native"][2]), self.out)],
            "inverse": [("rnea", lambda s: pin.rnea(model, data, s["native"][0], s["native"][1], s["native"][3]), same)],
            "mass": [("crba", lambda s: pin.crba(model, data, s["native"][0]), lambda M, s: (np.triu(M) + np.triu(M, 1).T) @ s["u"])],
            "constrained": [(f"constraintDynamics{name}", constrained(mu, n), self.out) for name, mu, n in ways]
            + [(f"lcaba, mu {mu:g}", loop_constrained(mu), self.out) for mu in (1e-6, 1e-8) if m.closures],
        }
        if self.floating:  # of such robots constrained dynamics alone are compared
            self.tasks |= {"forward": [], "inverse": [], "mass": []}

    def rotation(self, s: dict, body: Body) -> np.ndarray:
        w, x, y, z = s["q"][body.q + 3 : body.q + 7]
        return np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ])  # fmt: skip

    def native(self, s: dict) -> tuple:
        q, v = s["q"].copy(), s["v"].copy()
        for body in self.floating:
            q[body.q + 3 : body.q + 7] = np.roll(q[body.q + 3 : body.q + 7], -1)
            v[body.v : body.v + 3] = self.rotation(s, body).T @ v[body.v : body.v + 3]
        return q, v, s["u"].copy(), s["u"].copy()

    def out(self, vdot: np.ndarray, s: dict) -> np.ndarray:
        vdot = vdot.copy()
        for body in self.floating:
            v, at = s["native"][1], slice(body.v, body.v + 3)
            vdot[at] = self.rotation(s, body) @ (vdot[at] + np.cross(v[body.v + 3 : body.v + 6], v[at]))
        return vdot


def as_points_and_poses(closures: list) -> list:
    """Two points of the axis of a hinge, and all three rows of a point, for engines that know these only."""
    out = []
    for kind, A, B in closures:
        out.append((POSE if kind == POSE else POINT, A, B))
        if kind == HINGE:
            out.append((POINT, *((body, R, p + R @ [0, 0, 0.1]) for body, R, p in (A, B))))
    return out


class MuJoCo:
    """Bodies without mass are refused there: their joints are given to the body that they carry. Its rows are as stiff as it allows."""

    def __init__(self, m: Mechanism) -> None:
        import mujoco

        self.m, self.mujoco, self.spec = m, mujoco, mujoco.MjSpec()
        spec, self.closures = self.spec, as_points_and_poses(m.closures)
        self.closures = [(kind, *(self.massive(*side) for side in sides)) for kind, *sides in self.closures]
        spec.compiler.inertiafromgeom = mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_FALSE
        spec.option.gravity, spec.option.timestep = m.gravity, 1e-3
        off = mujoco.mjtDisableBit
        for bit in (off.mjDSBL_CONTACT, off.mjDSBL_LIMIT, off.mjDSBL_FRICTIONLOSS, off.mjDSBL_ACTUATION, off.mjDSBL_SPRING,
                    off.mjDSBL_DAMPER, off.mjDSBL_SENSOR, off.mjDSBL_AUTORESET):  # fmt: skip
            spec.option.disableflags |= bit
        self.sites(-1, spec.worldbody)
        for child in self.children(-1):
            self.body(child, spec.worldbody)
        for i, (kind, *_) in enumerate(self.closures):
            row = spec.add_equality()
            row.type = mujoco.mjtEq.mjEQ_WELD if kind == POSE else mujoco.mjtEq.mjEQ_CONNECT
            row.objtype, row.name1, row.name2 = mujoco.mjtObj.mjOBJ_SITE, f"A{i}", f"B{i}"
            row.solref, row.solimp = [2e-3, 1.0], [0.9999, 0.9999, 0.001, 0.5, 2.0]
        model = spec.compile()
        data = mujoco.MjData(model)

        def forward(s: dict) -> np.ndarray:
            data.qpos, data.qvel, data.qfrc_applied = s["q"], s["v"], s["u"]
            mujoco.mj_forward(model, data)
            return data.qacc

        def parts(s: dict) -> np.ndarray:
            data.qpos, data.qvel = s["q"], s["v"]
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_makeM(model, data)
            mujoco.mj_factorM(model, data)
            mujoco.mj_comVel(model, data)
            mujoco.mj_rne(model, data, 0, data.qfrc_bias)
            mujoco.mj_solveM(model, data, answer, (s["u"] - data.qfrc_bias).reshape(1, -1))
            return answer[0]

        def inverse(s: dict) -> np.ndarray:
            data.qpos, data.qvel, data.qacc = s["q"], s["v"], s["u"]
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_comVel(model, data)
            mujoco.mj_rne(model, data, 1, forces)
            return forces

        def mass(s: dict) -> np.ndarray:
            data.qpos = s["q"]
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_makeM(model, data)
            mujoco.mj_fullM(model, data, M)
            return M

        def constrained(s: dict) -> np.ndarray:
            data.qpos, data.qvel = s["q"], s["v"]
            mujoco.mj_forward(model, data)
            return data.qacc

        answer, forces, M = np.zeros((1, model.nv)), np.zeros(model.nv), np.zeros((model.nv, model.nv))
        self.tasks = {
            "forward": [("mj_forward", forward, same), ("its parts", parts, same)],
            "inverse": [("parts of mj_inverse", inverse, same)],
            "mass": [("mj_makeM, mj_fullM", mass, lambda M, s: M @ s["u"])],
            "constrained": [("mj_forward", constrained, same)],
        }

    def children(self, body: int) -> list[int]:
        return [i for i, other in enumerate(self.m.bodies) if other.parent == body]

    def massive(self, body: int, R: np.ndarray, p: np.ndarray) -> tuple:
        """A point of a body without mass is as well one of the body it carries, if it lies on the joint's axis."""
        while body >= 0 and self.m.bodies[body].mass == 0:
            body = self.children(body)[0]
            at = self.m.bodies[body]
            R, p = at.R.T @ R, at.R.T @ (p - at.p)
            if np.hypot(p[0], p[1]) > 1e-12:
                raise ValueError("a closure on a body without mass")
        return body, R, p

    def quaternion(self, R: np.ndarray) -> np.ndarray:
        out = np.zeros(4)
        self.mujoco.mju_mat2Quat(out, R.reshape(9))
        return out

    def sites(self, body: int, out) -> None:
        for i, (_, *sides) in enumerate(self.closures):
            for side, (of, R, p) in zip("AB", sides):
                if of == body:
                    out.add_site(name=f"{side}{i}", pos=p, quat=self.quaternion(R))

    def body(self, last: int, parent) -> None:
        run, at = [last], [(self.m.bodies[last].R, self.m.bodies[last].p)]
        while self.m.bodies[last].mass == 0 and len(self.children(last)) == 1:
            last = self.children(last)[0]
            R, p = at[-1]
            run.append(last)
            at.append((R @ self.m.bodies[last].R, R @ self.m.bodies[last].p + p))
        R_end, p_end = at[-1]
        out = parent.add_body(pos=p_end, quat=self.quaternion(R_end))
        for i, (R, p) in zip(run, at):
            self.joints(self.m.bodies[i].joint, R_end.T @ R, R_end.T @ (p - p_end), out)
        massive = self.m.bodies[last]
        out.explicitinertial, out.mass, out.ipos, out.fullinertia = True, massive.mass, massive.com, massive.inertia
        self.sites(last, out)
        for child in self.children(last):
            self.body(child, out)

    def joints(self, kind: int, R: np.ndarray, p: np.ndarray, out) -> None:
        types = self.mujoco.mjtJoint
        if kind == FLOATING:
            out.add_freejoint()
        if kind in (TURNING, UNIVERSAL):
            out.add_joint(type=types.mjJNT_HINGE, pos=p, axis=R[:, 2])
        if kind == UNIVERSAL:
            out.add_joint(type=types.mjJNT_HINGE, pos=p, axis=R[:, 0])
        if kind == SLIDING:
            out.add_joint(type=types.mjJNT_SLIDE, pos=p, axis=R[:, 2])


class Desk:
    """Answers requests: methods, check, time (serve.h)."""

    def __init__(self, engine: type, folder: str) -> None:
        self.engine, self.folder, self.jobs, self.rounds = engine, pathlib.Path(folder), {}, {}

    def ways(self, mechanism: str, task: str) -> tuple[Mechanism, list]:
        if mechanism not in self.jobs:
            plain = Mechanism(self.folder / mechanism)
            self.jobs[mechanism] = plain, self.engine(plain).tasks
        plain, tasks = self.jobs[mechanism]
        return plain, tasks[task.removesuffix("_in_python")]

    def answer(self, command: str, mechanism: str, task: str, i: int) -> str:
        plain, ways = self.ways(mechanism, task)
        if command == "methods":
            return "\t".join([name for name, _, _ in ways] + [""])
        name, work, result = ways[i]
        if command == "check":
            worst = 0.0
            for s in plain.states:
                expected = s[task.removesuffix("_in_python")]
                off = np.abs(result(work(s), s) - expected).max() / max(1.0, np.abs(expected).max())
                worst = max(worst, off if np.isfinite(off) else np.inf)
            return f"{worst}\t"
        return str(1e9 * self.time(plain.states, work, (mechanism, task, i)))

    def time(self, states: list[dict], work, key: tuple) -> float:
        """Seconds a call, of a block of at least 3 ms of this thread's time."""

        def block(rounds: int) -> float:
            begin = time.thread_time()
            for _ in range(rounds):
                for s in states:
                    work(s)
            return (time.thread_time() - begin) / (rounds * len(states))

        if key not in self.rounds:
            block(1)
            self.rounds[key] = max(1, round(3e-3 / (block(1) * len(states))))
        return block(self.rounds[key])


def main() -> None:
    desk = Desk({"trammel": Trammel, "pinocchio": Pinocchio, "mujoco": MuJoCo}[sys.argv[1]], sys.argv[2])
    for line in sys.stdin:
        command, mechanism, task, i = line.split()
        try:
            print(desk.answer(command, mechanism, task, int(i)), flush=True)
        except Exception as error:
            print(f"error\t{type(error).__name__}: {' '.join(str(error).split())}", flush=True)


if __name__ == "__main__":
    main()
