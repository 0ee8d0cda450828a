"""Many states at once: how far does a five-bar's pen speed up, per newton, over the places that it reaches? Where it can hardly, it is stiff."""

import numpy as np

import pytrammel as tm

system = tm.System(gravity=[0, 0, 0], name="five-bar")
for side, x in ("left", 0.0), ("right", 0.3):
    system.body(f"{side} arm", mass=0.25, com=[0.125, 0, 0], inertia=[1e-4, 1.3e-3, 1.3e-3])
    system.body(f"{side} rod", mass=0.35, com=[0.175, 0, 0], inertia=[1e-4, 3.6e-3, 3.6e-3])
    system.joint(f"{side} motor", "world", f"{side} arm", [x, 0, 0], revolute="z")
    system.joint(f"{side} elbow", f"{side} arm", f"{side} rod", [0.25, 0, 0], revolute="z")
    system.frame(f"{side} tip", f"{side} rod", [0.35, 0, 0])
system.constrain("loop", tm.coincide("left tip", "right tip", axes="xy"))
system.input("fx", 0)
system.input("fy", 0)
system.apply("push", tm.point_force("left tip", ["fx", "fy", 0]))
problem = system.compile()

# the places that the pen reaches, from random angles of the motors, with the elbows outside
rng = np.random.default_rng(1)
found = []
for left, right in np.radians(rng.uniform([90, -20], [200, 90], (300, 2))):
    at = problem.assemble([left, -1.0, right, 1.0], keep=["left motor", "right motor"])
    if at.closed and at.q[1] < 0 < at.q[3]:
        found.append(at.q)
q = np.array(found)
v = np.zeros_like(q)

# the pen's acceleration under a unit force along x, then along y: the columns of its mobility, 2 × 2
jacobians = np.array([problem.model.jacobian(one, "left tip")[3:5] for one in q])
columns = [np.einsum("nij,nj->ni", jacobians, problem.solve_batch(q, v, inputs=inputs).vdot) for inputs in ({"fx": 1}, {"fy": 1})]
mobility = np.stack(columns, axis=2)
assert np.allclose(mobility, mobility.transpose(0, 2, 1), atol=1e-9)  # Maxwell and Betti
least, most = np.linalg.eigvalsh(mobility).T
places = np.array([problem.model.pose(one, "left tip")[:2, 3] for one in q])
best = (least / most).argmax()
print(f"{len(q)} places; as easy to push along x as along y at ({places[best, 0]:.2f}, {places[best, 1]:.2f}) m")
print(f"there {1 / least[best]:.2f} to {1 / most[best]:.2f} kg are felt; over the workspace up to {1 / least.min():.1f} kg")
