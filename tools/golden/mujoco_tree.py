"""Golden quantities by MuJoCo: composite bodies for M, recursive Newton-Euler for the bias, its own Jacobian rates.

Passive forces, contacts, limits and equalities are never evaluated: only kinematics, M and RNE are called.
MuJoCo refuses massless moving bodies, takes frames nearer than 1e-6 for one and rounds inertias to 1e-14; so
models are compiled with placeholder masses, and the exact numbers are written into the compiled model.
"""

import xml.etree.ElementTree as ElementTree

import mujoco
import numpy as np

import tree

SLIDE, HINGE, BALL = mujoco.mjtJoint.mjJNT_SLIDE, mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_BALL


class MujocoTree:
    engine, version = "mujoco", mujoco.__version__

    def __init__(self, model, joints, frames, body_names, Eq, E):
        self.model, self.joints, self.frames, self.body_names, self.Eq, self.E = model, joints, frames, body_names, Eq, E
        self.data = mujoco.MjData(model)
        self.nq, self.nv = Eq.shape[1], E.shape[1]

    @classmethod
    def from_urdf(cls, path, joints, frames):
        """MuJoCo's own reader, put in the order of the given joints and frames."""
        spec = urdf_spec(path)
        placeholders(spec)
        exact = {body.name: inertial(body) for body in urdf_spec(path).bodies}
        model = compile_exactly(spec, exact)
        model.dof_armature[:] = 0
        Eq, E = np.zeros((model.nq, len(joints))), np.zeros((model.nv, len(joints)))
        for j in joints:
            there = model.joint(j.name)
            Eq[there.qposadr, j.iq] = E[there.dofadr, j.iv] = 1
        bodies = {model.body(b).name: b for b in range(model.nbody)}
        here = [tree.Frame(f.name, f.group, f.tip, bodies[f.name]) for f in frames]
        return cls(model, joints, here, {}, Eq, E)

    @classmethod
    def from_description(cls, description):
        joints = tree.described_joints(description)
        spec = mujoco.MjSpec()
        made, ties, exact = {-1: spec.worldbody}, [], {}
        for i in tree.depth_first(description):
            body = description["bodies"][i]
            R = np.array(body["X_PF"]["R"], float).reshape(3, 3)
            made[i] = made[body["parent"]].add_body(name=f"{i}", pos=body["X_PF"]["p"], quat=quaternion(R))
            rotor = body.get("rotor") or [0.0] * joints[i].nv
            for element, iq, iv in joints[i].elements():
                rotors = rotor[iv - joints[i].iv :][: tree.sizes(element)[1]]
                for name, kind, axis, ratio in parts(element, body["joint"].get("pitch")):
                    made[i].add_joint(name=f"{i} {iq}{name}", type=kind, axis=axis)
                    ties.append((f"{i} {iq}{name}", element, iq, iv, ratio, 0 if name else rotors))
            exact[f"{i}"] = (body["mass"], np.array(body["com"], float), tree.matrix(body["inertia"]))
        placeholders(spec)
        spec.option.gravity = description["gravity"]
        model = compile_exactly(spec, exact)

        Eq = np.zeros((model.nq, sum(j.nq for j in joints)))
        E = np.zeros((model.nv, sum(j.nv for j in joints)))
        for name, element, iq, iv, ratio, rotors in ties:
            to_q, to_v = model.joint(name).qposadr[0], model.joint(name).dofadr[0]
            nq, nv = tree.sizes(element)
            Eq[to_q : to_q + nq, iq : iq + nq] = ratio * np.eye(nq)
            E[to_v : to_v + nv, iv : iv + nv] = ratio * np.eye(nv)
            model.dof_armature[to_v : to_v + nv] = rotors

        frames = tree.described_frames(description)
        for f in frames:
            f.handle = model.body(f"{f.handle}").id if f.handle >= 0 else 0
        body_names = {model.body(f"{i}").id: joint.name for i, joint in enumerate(joints)}
        return cls(model, joints, frames, body_names, Eq, E)

    def masses(self):
        """(moving, fixed to the world), kg."""
        moving = sum(m for m, root in zip(self.model.body_mass, self.model.body_weldid) if root)
        return moving, sum(self.model.body_mass) - moving

    def bodies(self):
        """Described bodies, their inertia turned back from its principal axes."""
        records = []
        for b, name in self.body_names.items():
            R = rotation(self.model.body_iquat[b])
            inertia = R @ np.diag(self.model.body_inertia[b]) @ R.T
            records.append(tree.body_record(name, self.model.body_mass[b], self.model.body_ipos[b], inertia))
        return records

    def at(self, q, v):
        m, d = self.model, self.data
        d.qpos[:], d.qvel[:], d.qacc[:] = self.Eq @ q, self.E @ v, 0
        mujoco.mj_kinematics(m, d)
        mujoco.mj_comPos(m, d)
        mujoco.mj_comVel(m, d)
        return m, d

    def mass_matrix(self, q):
        m, d = self.at(q, np.zeros(self.nv))
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_makeM(m, d)
        mujoco.mj_fullM(m, d, M)
        return self.E.T @ M @ self.E

    def inverse(self, q, v, vdot):
        m, d = self.at(q, v)
        tau = np.zeros(m.nv)
        d.qacc[:] = self.E @ vdot
        mujoco.mj_rne(m, d, 1, tau)
        return self.E.T @ (tau + m.dof_armature * d.qacc)  # rne leaves the rotors out

    def forward(self, q, v, tau):
        return np.linalg.solve(self.mass_matrix(q), tau - self.inverse(q, v, np.zeros(self.nv)))

    def motion(self, q, v):
        """Per frame: R, p, J, V, abias, each [angular; linear] at the frame's origin in world axes."""
        m, d = self.at(q, v)
        J, Jdot = np.zeros((6, m.nv)), np.zeros((6, m.nv))
        for f in self.frames:
            R_WB = d.xmat[f.handle].reshape(3, 3)
            p = d.xpos[f.handle] + R_WB @ f.p
            mujoco.mj_jac(m, d, J[3:], J[:3], p, f.handle)
            mujoco.mj_jacDot(m, d, Jdot[3:], Jdot[:3], p, f.handle)
            yield f, R_WB @ f.R, p, J @ self.E, J @ d.qvel, Jdot @ d.qvel


def parts(element, pitch):
    """MuJoCo joints of one element: (suffix, type, axis, ratio to our coordinate)."""
    if element == "S":
        return [("", BALL, (0, 0, 1), 1)]
    axis = tree.AXES[element[1]]
    if element == "Hz":
        return [("", HINGE, axis, 1), (" slide", SLIDE, axis, pitch)]
    return [("", HINGE if element[0] == "R" else SLIDE, axis, 1)]


def urdf_spec(path):
    """The file without its shapes (their meshes are not here), links kept apart across fixed joints."""
    robot = ElementTree.parse(path).getroot()
    for link in robot.iter("link"):
        for shape in link.findall("visual") + link.findall("collision"):
            link.remove(shape)
    spec = mujoco.MjSpec.from_string(ElementTree.tostring(robot, encoding="unicode"))
    spec.compiler.fusestatic = False
    return spec


def urdf_links(path):
    """Per link, before any merging: mass, mass centre and inertia about it in link axes, as MuJoCo reads them."""
    spec, links = urdf_spec(path), []
    named = {link.get("name") for link in ElementTree.parse(path).getroot().findall("link")}
    for body in spec.bodies:
        if body.name not in named:  # MuJoCo's own world
            continue
        mass, com, inertia = inertial(body)
        links.append({"name": body.name, "mass": mass, "com": list(com), "inertia": tree.six(inertia)})
    return links


def inertial(body):
    """(mass, com, 3x3 inertia in body axes) of an uncompiled body; MuJoCo marks what the file left out by NaN."""
    com = np.zeros(3) if np.isnan(body.ipos[0]) else np.array(body.ipos)
    R = rotation(body.iquat)
    given = not np.isnan(body.fullinertia[0])
    inertia = tree.matrix(body.fullinertia) if given else np.diag(body.inertia)
    return body.mass, com, R @ inertia @ R.T if np.any(R != np.eye(3)) else inertia


def placeholders(spec):
    """Mass properties MuJoCo accepts, and no symmetry it could exploit."""
    for body in spec.bodies:
        if body.parent is None:
            continue
        body.mass, body.ipos, body.iquat = 1, (0.1, 0.2, 0.3), (1, 0, 0, 0)
        body.fullinertia, body.explicitinertial = (3, 4, 5, 0.1, 0.2, 0.3), True


def compile_exactly(spec, exact):
    """The compiled model with exact mass properties by body name."""
    model = spec.compile()
    model.body_sameframe[:] = 0
    for b in range(1, model.nbody):
        mass, com, inertia = exact[model.body(b).name]
        values, axes = np.linalg.eigh(inertia)
        axes[:, 0] *= np.sign(np.linalg.det(axes))
        if np.array_equal(inertia, np.diag(np.diag(inertia))):
            values, axes = np.diag(inertia), np.eye(3)
        model.body_mass[b], model.body_ipos[b], model.body_inertia[b] = mass, com, values
        model.body_iquat[b] = quaternion(axes)
    return model


def quaternion(R):
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, np.ascontiguousarray(R).ravel())
    return quat


def rotation(quat):
    R = np.zeros(9)
    mujoco.mju_quat2Mat(R, np.array(quat, float))
    return R.reshape(3, 3)
