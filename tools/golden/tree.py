"""A tree as the golden files see it, whichever engine computes it.

Both engines are reached through two constant matrices from our coordinates to theirs,

    q_engine = Eq q,   v_engine = E v,   hence  M = Eᵀ M_engine E  and  τ = Eᵀ τ_engine.

They reorder joints and quaternions, and tie a screw's slide to its turn.

Our joints (F fixed in the parent, M moving with the body) as stacks of elements, first element nearest F:
R turns about an axis, T slides along it, S is a ball (q = quaternion w,x,y,z of R_FM, v = ω in M axes),
H is a screw about z (angle q, slide pitch·q; m/rad).
"""

from dataclasses import dataclass, field

import numpy as np

STACKS = {
    "revolute": ["Rz"],
    "prismatic": ["Tz"],
    "helical": ["Hz"],
    "cylindrical": ["Rz", "Tz"],
    "universal": ["Rz", "Rx"],
    "planar": ["Tx", "Ty", "Rz"],
    "spherical": ["S"],
    "floating": ["Tx", "Ty", "Tz", "S"],
}
AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


def sizes(element):
    """Coordinates and velocities of one element: (nq, nv)."""
    return (4, 3) if element == "S" else (1, 1)


@dataclass
class Joint:
    """A joint of ours and its place in our q and v."""

    name: str
    type: str
    stack: list
    iq: int
    iv: int
    limits: tuple = (0.0, 0.0)  # rad or m; (0, 0) means none

    @property
    def nq(self):
        return sum(sizes(e)[0] for e in self.stack)

    @property
    def nv(self):
        return sum(sizes(e)[1] for e in self.stack)

    def elements(self):
        """(element, its place in our q, its place in our v), from F to M."""
        iq, iv = self.iq, self.iv
        for element in self.stack:
            yield element, iq, iv
            iq += sizes(element)[0]
            iv += sizes(element)[1]

    def record(self):
        return {"joint": self.name, "type": self.type, "nq": self.nq, "nv": self.nv, "iq": self.iq, "iv": self.iv}


def stack_joints(names_and_types):
    """Joints in the order of q."""
    joints, iq, iv = [], 0, 0
    for name, kind in names_and_types:
        joints.append(Joint(name, kind, STACKS[kind], iq, iv))
        iq, iv = iq + joints[-1].nq, iv + joints[-1].nv
    return joints


@dataclass
class Frame:
    """A frame fixed in an engine's body; `tip` frames get velocities besides their pose."""

    name: str
    group: str  # "frames" or "bodies": the key in a state's record
    tip: bool
    handle: object = None
    R: np.ndarray = field(default_factory=lambda: np.eye(3))  # in the engine's body
    p: np.ndarray = field(default_factory=lambda: np.zeros(3))


def body_record(joint, mass, com, inertia):
    """Mass properties in the body frame; inertia: 3x3, about the mass centre."""
    return {"joint": joint, "mass": mass, "com": list(com), "inertia": six(inertia)}


def six(I):
    return [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]


def matrix(six_numbers):
    xx, yy, zz, xy, xz, yz = six_numbers
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], float)


def described_joints(description):
    return stack_joints((b["joint"]["name"], b["joint"]["type"]) for b in description["bodies"])


def described_frames(description):
    """The described frames, then one per body; a body without children is a tip. handle: body index, -1 world."""
    pose = lambda X: dict(R=np.reshape(X["R"], (3, 3)).astype(float), p=np.array(X["p"], float))
    parents = {b["parent"] for b in description["bodies"]}
    frames = [Frame(f["name"], "frames", True, f["body"], **pose(f)) for f in description.get("frames", [])]
    return frames + [
        Frame(b["name"], "bodies", i not in parents, i) for i, b in enumerate(description["bodies"])
    ]


def depth_first(description):
    """Body indices, each subtree contiguous: Pinocchio's sparsity relies on it."""
    children = {}
    for i, b in enumerate(description["bodies"]):
        children.setdefault(b["parent"], []).append(i)
    order, todo = [], list(reversed(children.get(-1, [])))
    while todo:
        order.append(todo.pop())
        todo.extend(reversed(children.get(order[-1], [])))
    if len(order) != len(description["bodies"]):
        raise ValueError("some bodies do not hang on the world: check their parent indices")
    return order
