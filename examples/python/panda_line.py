"""A Panda's tool is held on a line, upright, and goes to and fro along it; its elbow stays where it is. What must the motors give?

    python panda_line.py panda.urdf [torques.png]

The URDF comes with the package example-robot-data (PyPI) and with Franka's own descriptions.
"""

import sys

import numpy as np

import pytrammel as tm

robot = tm.read_robot(sys.argv[1])
fingers = {name: "0.02" for name in robot.joint_names if "finger" in name}
arm = [name for name in robot.joint_names if name not in fingers]

system = tm.System(robot)
system.move(fingers)  # the gripper stays half open
for joint in robot.joint_names:
    system.drive(joint)
system.control("line", tm.point("panda_hand_tcp", x=0.45, z=0.4))
system.control("stroke", "panda_hand_tcp.y = 0.2*sin(pi*t/2)")
system.control("down", tm.orientation("panda_hand_tcp", rpy=["pi", 0, 0]))
system.control("elbow", "panda_joint3 = 0")  # without it the motion that is left swings freely
problem = system.compile()

bent = dict(zip(arm, [0.0, -0.4, 0.0, -2.2, 0.0, 1.8, 0.8]))
guess = [bent.get(name, 0.02) for name in robot.joint_names]
run = problem.simulate(problem.assemble(guess), duration=4.0, frames=["panda_hand_tcp"])

off = np.hypot(run["panda_hand_tcp.x"] - 0.45, run["panda_hand_tcp.z"] - 0.4).max()
print(f"{run.status}: off the line by {off:.1e} m")
for joint in arm:
    print(f"{joint}: up to {np.abs(run[f'u.{joint}']).max():5.2f} N·m of {robot.effort_limit[robot.joint_names.index(joint)]:.0f}")
if len(sys.argv) > 2:
    run.plot(*(f"u.{joint}" for joint in arm)).figure.savefig(sys.argv[2])
