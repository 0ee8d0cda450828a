"""An LQR from finite differences: v̇ of the problem is a function, and its differences about the upright pole are A and B."""

import numpy as np

import pytrammel as tm

system = tm.System(name="cart and pole")
system.body("cart", mass=2, inertia=[1, 1, 1])
system.body("pole", mass=1, com=[0, 0, 0.5], inertia=[0.02, 0.02, 0.02])
system.joint("x", "world", "cart", prismatic="x")
system.joint("hinge", "cart", "pole", revolute="y")
system.input("push", 0)
system.apply("motor", tm.joint_force("x", force="push"))
problem = system.compile()


def rate(state: np.ndarray, push: float) -> np.ndarray:
    q, v = state[:2], state[2:]
    return np.concatenate([v, problem.solve(q, v, inputs=[push]).vdot])


h, upright = 1e-5, np.zeros(4)
A = np.column_stack([rate(upright + h * e, 0) - rate(upright - h * e, 0) for e in np.eye(4)]) / (2 * h)
B = (rate(upright, h) - rate(upright, -h))[:, None] / (2 * h)

# Riccati's equation by the stable directions of its Hamiltonian
Q, R = np.diag([10.0, 100.0, 1.0, 1.0]), np.array([[0.1]])
values, vectors = np.linalg.eig(np.block([[A, -B @ np.linalg.solve(R, B.T)], [-Q, -A.T]]))
stable = vectors[:, values.real < 0]
K = np.linalg.solve(R, B.T @ np.real(stable[4:] @ np.linalg.inv(stable[:4])))[0]

run = problem.simulate(
    ([0.0, 0.3], [0.0, 0.0]), 6.0, controller=lambda at: [-K @ np.concatenate([at.q, at.v])], period=0.001
)
print(f"gains {K.round(2)}; poles of the closed loop {np.linalg.eigvals(A - B @ K[None]).round(2)}")
print(f"{run.status}: from 17° to {np.degrees(run['q.hinge'][-1]):.3f}° and {1e3 * run['q.x'][-1]:.2f} mm")
