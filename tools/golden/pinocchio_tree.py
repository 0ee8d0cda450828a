"""Golden quantities by Pinocchio: CRBA, RNEA and ABA, nothing of ours.

Damping and friction never enter these algorithms; a rotor's inertia enters as `armature`, zero for URDF files.
A screw is Pinocchio's own helical joint; other joints are stacks of elementary ones with massless bodies between.
"""

import numpy as np
import pinocchio as pin

import tree

WORLD_AXES = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED  # origin of the frame, axes of the world
ELEMENTS = {
    "Rx": pin.JointModelRX, "Rz": pin.JointModelRZ,
    "Tx": pin.JointModelPX, "Ty": pin.JointModelPY, "Tz": pin.JointModelPZ,
    "S": pin.JointModelSpherical,
}  # fmt: skip


class PinocchioTree:
    engine, version = "pinocchio", pin.__version__

    def __init__(self, model, joints, frames, body_names, Eq, E):
        self.model, self.joints, self.frames, self.body_names, self.Eq, self.E = model, joints, frames, body_names, Eq, E
        self.data = model.createData()
        self.nq, self.nv = Eq.shape[1], E.shape[1]

    @classmethod
    def from_urdf(cls, path):
        """Pinocchio's reader: fixed base, mimic joints independent, its own (depth-first, alphabetical) joint order."""
        model = pin.buildModelFromUrdf(str(path), mimic=False)
        if np.any(model.armature) or np.any(model.rotorInertia):
            raise ValueError(f"{path}: rotor inertia must not enter")
        joints = []
        for name, joint in list(zip(model.names, model.joints))[1:]:
            kind = "prismatic" if joint.shortname().startswith("JointModelP") else "revolute"
            if (joint.nq, joint.nv) != (1, 1):
                raise ValueError(f"{path}: joint {name} is a {joint.shortname()}; only revolute and prismatic are done")
            limits = (model.lowerPositionLimit[joint.idx_q], model.upperPositionLimit[joint.idx_q])
            joints.append(tree.Joint(name, kind, tree.STACKS[kind], joint.idx_q, joint.idx_v, limits))
        inner = {model.frames[f.parentFrame].name for f in model.frames if f.type in (pin.JOINT, pin.FIXED_JOINT)}
        links = [(i, f.name) for i, f in enumerate(model.frames) if f.type == pin.BODY]
        frames = [tree.Frame(name, "frames", name not in inner, i) for i, name in links]
        body_names = {j: model.names[j] for j in range(1, model.njoints)}
        return cls(model, joints, frames, body_names, np.eye(model.nq), np.eye(model.nv))

    @classmethod
    def from_description(cls, description):
        joints = tree.described_joints(description)
        model = pin.Model()
        model.gravity = pin.Motion(np.array(description["gravity"], float), np.zeros(3))
        last, places, armature = {-1: 0}, [], []
        for i in tree.depth_first(description):
            body = description["bodies"][i]
            parent, rotor = last[body["parent"]], body.get("rotor") or [0.0] * joints[i].nv
            placement = pin.SE3(np.reshape(body["X_PF"]["R"], (3, 3)).astype(float), np.array(body["X_PF"]["p"], float))
            for element, iq, iv in joints[i].elements():
                kind = pin.JointModelHZ(body["joint"]["pitch"]) if element == "Hz" else ELEMENTS[element]()
                parent = model.addJoint(parent, kind, placement, f"body {i} at q{iq}")
                placement = pin.SE3.Identity()
                places.append((parent, element, iq, iv))
                armature += rotor[iv - joints[i].iv :][: tree.sizes(element)[1]]
            last[i] = parent
            inertia = pin.Inertia(body["mass"], np.array(body["com"], float), tree.matrix(body["inertia"]))
            model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
        model.armature = np.array(armature, float)

        Eq, E = np.zeros((model.nq, model.nq)), np.zeros((model.nv, model.nv))
        for joint, element, iq, iv in places:
            to_q, to_v = model.joints[joint].idx_q, model.joints[joint].idx_v
            for k, source in enumerate([1, 2, 3, 0] if element == "S" else [0]):  # Pinocchio: x, y, z, w
                Eq[to_q + k, iq + source] = 1
            for k in range(tree.sizes(element)[1]):
                E[to_v + k, iv + k] = 1

        frames = tree.described_frames(description)
        for n, f in enumerate(frames):
            joint = last[f.handle]
            f.handle = model.addFrame(pin.Frame(f"{n}", joint, pin.SE3(f.R, f.p), pin.OP_FRAME))
        body_names = {last[i]: joints[i].name for i in range(len(joints))}
        return cls(model, joints, frames, body_names, Eq, E)

    def masses(self):
        """(moving, fixed to the world), kg."""
        return sum(self.model.inertias[j].mass for j in self.body_names), self.model.inertias[0].mass

    def bodies(self):
        """Moving bodies after Pinocchio merged what fixed joints hold together, in the joint's moving frame."""
        inertias = [(name, self.model.inertias[j]) for j, name in self.body_names.items()]
        return [tree.body_record(name, Y.mass, Y.lever, Y.inertia) for name, Y in inertias]

    def mass_matrix(self, q):
        M = np.reshape(pin.crba(self.model, self.data, self.Eq @ q), self.E.shape)
        return self.E.T @ M @ self.E

    def inverse(self, q, v, vdot):
        return self.E.T @ pin.rnea(self.model, self.data, self.Eq @ q, self.E @ v, self.E @ vdot)

    def forward(self, q, v, tau):
        # E only reorders here, so Eᵀ is its inverse
        return self.E.T @ pin.aba(self.model, self.data, self.Eq @ q, self.E @ v, self.E @ tau)

    def motion(self, q, v):
        """Per frame: R, p, J, V, abias, each [angular; linear] at the frame's origin in world axes."""
        model, data = self.model, self.data
        q, v = self.Eq @ q, self.E @ v
        pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        flip = lambda motion: np.concatenate([motion.angular, motion.linear])
        for f in self.frames:
            pose = data.oMf[f.handle]
            J = pin.getFrameJacobian(model, data, f.handle, WORLD_AXES).reshape(6, -1)  # the binding flattens one column
            V = flip(pin.getFrameVelocity(model, data, f.handle, WORLD_AXES))
            abias = flip(pin.getFrameClassicalAcceleration(model, data, f.handle, WORLD_AXES))
            yield f, pose.rotation.copy(), pose.translation.copy(), J[[3, 4, 5, 0, 1, 2]] @ self.E, V, abias
