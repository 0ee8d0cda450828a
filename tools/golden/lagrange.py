"""Lagrange's equations of a URDF text by SymPy, straight from the energies.

Nothing here comes from a rigid-body library: the file is read with ElementTree, poses are products of the written
origins and axes, velocities are symbolic derivatives of poses, and

    T = Σ ½ m ṗ_c·ṗ_c + ½ ω·(R I Rᵀ ω),  ω from Ṙ Rᵀ,      V = −Σ m g·p_c,
    M = ∂²T/∂v²,   Q = ∂(T − V)/∂q − (∂²T/∂v∂q) v + applied forces,   M v̇ = Q + Qc.

Coordinates are one-axis joints, so q̇ = v. Numbers of the file enter as exact decimals. SI units.
"""

import xml.etree.ElementTree as ElementTree

import numpy as np
import sympy as sp


def numbers(element, key, default):
    text = default if element is None else element.get(key, default)
    return sp.Matrix([sp.Rational(word) for word in text.split()])


def pose(origin):
    """(R, p) of an origin element; only unrotated ones are done."""
    if any(numbers(origin, "rpy", "0 0 0")):
        raise ValueError("origins with rpy are not done")
    return sp.eye(3), numbers(origin, "xyz", "0 0 0")


def motion(joint, q):
    """(R, p) across a joint at q."""
    axis = numbers(joint.find("axis"), "xyz", "1 0 0")
    if joint.get("type") == "prismatic":
        return sp.eye(3), axis * q
    K = sp.Matrix([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return sp.eye(3) + sp.sin(q) * K + (1 - sp.cos(q)) * K * K, sp.zeros(3, 1)


class Lagrange:
    """M(q), Q(q, v) and the places of links, of one URDF text."""

    def __init__(self, urdf, coordinates, gravity):
        self.names, robot = list(coordinates), ElementTree.fromstring(urdf)
        self.q, self.v = sp.Matrix(sp.symbols(coordinates)), sp.Matrix(sp.symbols([f"{c}_dot" for c in coordinates]))
        moving = {j.get("name") for j in robot.findall("joint") if j.get("type") != "fixed"}
        if moving != set(coordinates):
            raise ValueError(f"the file's joints {sorted(moving)} are not the coordinates {coordinates}")
        self.links = self.place_links(robot)
        T, V = self.energies(robot, [sp.Rational(str(x)) for x in gravity])
        mass = sp.hessian(T, list(self.v))
        Q = sp.Matrix([T - V]).jacobian(self.q).T - sp.Matrix([T]).jacobian(self.v).jacobian(self.q) * self.v
        self.M, self.Q = self.function(mass, (self.q,)), self.function(Q, (self.q, self.v))

    def place_links(self, robot):
        """(R, p) in the world per link, walking down from the link that is nobody's child."""
        joints = robot.findall("joint")
        (root,) = {x.get("name") for x in robot.findall("link")} - {j.find("child").get("link") for j in joints}
        places = {root: (sp.eye(3), sp.zeros(3, 1))}
        while len(places) <= len(joints):
            for j in joints:
                parent, child = j.find("parent").get("link"), j.find("child").get("link")
                if parent in places and child not in places:
                    q = self.q[self.names.index(j.get("name"))] if j.get("type") != "fixed" else 0
                    X, Y = pose(j.find("origin")), motion(j, q)
                    R, p = places[parent]
                    places[child] = (R * X[0] * Y[0], p + R * (X[1] + X[0] * Y[1]))
        return places

    def energies(self, robot, gravity):
        """(T, V) of all links with mass."""
        T, V = sp.Integer(0), sp.Integer(0)
        for link in robot.findall("link"):
            inertial = link.find("inertial")
            if inertial is None:
                continue
            R, p = self.links[link.get("name")]
            mass = numbers(inertial.find("mass"), "value", "")[0]
            centre = p + R * pose(inertial.find("origin"))[1]
            ixx, ixy, ixz, iyy, iyz, izz = (
                sp.Rational(inertial.find("inertia").get(k)) for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
            )
            inertia = sp.Matrix([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
            velocity = centre.jacobian(self.q) * self.v
            W = sum((R.diff(x) * y for x, y in zip(self.q, self.v)), sp.zeros(3)) * R.T
            in_link = R.T * sp.Matrix([W[2, 1], W[0, 2], W[1, 0]])
            T += (mass * velocity.dot(velocity) + in_link.dot(inertia * in_link)) / 2
            V -= mass * centre.dot(sp.Matrix(gravity))
        return T, V

    def function(self, matrix, arguments):
        """A fast f(vectors...) -> array of a SymPy matrix; columns become plain vectors."""
        shape = matrix.shape if matrix.shape[1] != 1 else matrix.shape[:1]
        arguments = [list(a) if isinstance(a, sp.Matrix) else a for a in arguments]
        flat = sp.lambdify(arguments, list(matrix), "math", cse=True)
        return lambda *values: np.array(flat(*values), float).reshape(shape)
