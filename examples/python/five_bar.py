"""A five-bar of one's own: two motors lead its pen along a figure eight. What must they give, and what does the pen's hinge carry?"""

import numpy as np

import pytrammel as tm

system = tm.System(gravity=[0, 0, 0], name="five-bar")
for side, x in ("left", 0.0), ("right", 0.3):
    system.body(f"{side} arm", mass=0.25, com=[0.125, 0, 0], inertia=[1.3e-5, 0.0013, 0.0013])
    system.body(f"{side} rod", mass=0.35, com=[0.175, 0, 0], inertia=[3.57e-5, 0.00357, 0.00357])
    system.joint(f"{side} motor", "world", f"{side} arm", [x, 0, 0], revolute="z")
    system.joint(f"{side} elbow", f"{side} arm", f"{side} rod", [0.25, 0, 0], revolute="z")
    system.frame(f"{side} tip", f"{side} rod", [0.35, 0, 0])
    system.drive(f"{side} motor", limit=5)
system.constrain("loop", tm.coincide("left tip", "right tip", axes="xy"))
system.control("eight", tm.point("left tip", x="0.15 + 0.08*sin(pi*t)", y="0.4 + 0.04*sin(2*pi*t)"))

problem = system.compile()
start = problem.assemble(np.radians([120, -60, 60, 60]))
run = problem.simulate((start.q, start.v), duration=2.0)
peak = max(np.abs(run[f"u.{side} motor"]).max() for side in ("left", "right"))
hinge = np.hypot(run["lambda.loop[0]"], run["lambda.loop[1]"]).max()
print(f"{run.status}: loop open by {run.worst_phi:.1e} m, motors up to {peak:.3f} N·m, hinge up to {hinge:.2f} N")
