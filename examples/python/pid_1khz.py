"""A PID at 1 kHz, written in Python: the plant is a pendulum with friction, and the controller knows nothing of it."""

import numpy as np

import pytrammel as tm

plant = tm.System(name="pendulum")
plant.body("bob", mass=2, com=[0, 0, -0.4], inertia=[0.01, 0.01, 0.01])
plant.joint("hinge", "world", "bob", revolute="y", damping=0.3)
plant.input("torque", 0)
plant.apply("motor", tm.joint_force("hinge", torque="torque"))


class Pid:
    """Torque from the angle's error, its integral and its rate; the integral stops where the motor is at its limit."""

    def __init__(self, period: float, limit: float) -> None:
        self.period, self.limit, self.sum = period, limit, 0.0

    def __call__(self, at: tm.State) -> dict[str, float]:
        error = np.radians(60) - at.q[0]
        wanted = 120 * error + 80 * self.sum - 12 * at.v[0]
        given = float(np.clip(wanted, -self.limit, self.limit))
        if given == wanted:
            self.sum += error * self.period
        return {"torque": given}


period = 0.001
run = plant.compile().simulate(([0.0], [0.0]), 4.0, controller=Pid(period, limit=20), period=period)
angle = np.degrees(run["q.hinge"])
settled = run.t[np.abs(angle - 60) > 0.6].max()
print(f"{run.status}: {angle[-1]:.3f}°, within 1 % after {settled:.2f} s, overshoot {angle.max() - 60:.2f}°")
