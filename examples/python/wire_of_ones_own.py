"""A law of one's own: a bead on a wire that no kind of constraint describes, as a Python function, beside the textbook's force."""

from typing import Any

import numpy as np

import pytrammel as tm

a = 0.5  # m: the wire z = a cosh(x/a) − a, a hanging chain

system = tm.System(name="bead on a catenary")
system.body("carrier", mass=0, inertia=[0, 0, 0])
system.body("bead", mass=0.2, inertia=[0, 0, 0])
system.joint("x", "world", "carrier", prismatic="x")
system.joint("z", "carrier", "bead", prismatic="z")


def wire(at: tm.Moment) -> Any:
    x, z = at.q("x"), at.q("z")
    return z - a * (tm.exp(x / a) + tm.exp(-x / a)) / 2 + a


system.constrain("wire", wire, unit="m")
problem = system.compile()
run = problem.simulate(problem.assemble([0.4, 0.1], keep=["x"]), 5.0)

# m v²/ρ + m g cos θ, with the slope tan θ = sinh(x/a) and the radius ρ = a cosh²(x/a)
x, v = run["q.x"], np.hypot(run["v.x"], run["v.z"])
cosh = np.cosh(x / a)
textbook = 0.2 * (v**2 / (a * cosh**2) + 9.81 / cosh)
found = np.hypot(run["Qc.x"], run["Qc.z"])
print(f"{run.status}: open by {run.worst_phi:.1e} m; the wire's force is the textbook's to {np.abs(found - textbook).max():.1e} N")
