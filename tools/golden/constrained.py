"""Holonomic constraints on a Lagrange model, and motions under them to rounding or to DOP853 at its finest.

Rows are expressions φ(q, t) = 0: A = ∂φ/∂q, φ̇ = A v + φ_t, φ̈ = A v̇ − b, all by SymPy; M v̇ = Q + Qc, Qc = Aᵀλ. Rows
must be independent.
"""

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

t = sp.Symbol("t")


class Constrained:
    """A Lagrange model under rows φ(q, t); `applied(t)` are forces on the coordinates."""

    def __init__(self, model, rows, applied=None):
        q, v, phi = model.q, model.v, sp.Matrix(rows)
        A, rate = phi.jacobian(q), phi.jacobian(q) * v + phi.diff(t)
        self.model, self.rows = model, len(rows)
        self.A, self.phi = model.function(A, (q, t)), model.function(phi, (q, t))
        self.phi_t = model.function(phi.diff(t), (q, t))
        self.b = model.function(-(rate.jacobian(q) * v + rate.diff(t)), (q, v, t))
        self.applied = applied or (lambda time: 0.0)

    def Q(self, q, v, time):
        return self.model.Q(q, v) + self.applied(time)

    def solve(self, q, v, time, extra=0.0):
        """(v̇, Qc) of M v̇ = Q + Aᵀλ, A v̇ = b + extra, as one linear system."""
        M, A, r = self.model.M(q), self.A(q, time), self.rows
        K = np.block([[M, -A.T], [A, np.zeros((r, r))]])
        x = np.linalg.solve(K, np.concatenate([self.Q(q, v, time), self.b(q, v, time) + extra]))
        return x[: len(q)], A.T @ x[len(q) :]

    def close(self, q, time, free, target=0.0):
        """Newton on φ(q, t) = target in the coordinates `free` (as many as rows), until rounding."""
        q, last = np.array(q, float), np.inf
        for _ in range(50):
            step = np.linalg.solve(self.A(q, time)[:, free], target - self.phi(q, time))
            size = np.abs(step).max()
            if size < 1e-13 and size >= last / 2:
                return q
            q[free] += step
            last = size
        raise ArithmeticError(f"not closed at t = {time}: last step {last}")

    def rates(self, q, v, time, free, target=0.0):
        """v with its entries `free` from A v + φ_t = target."""
        v, A = np.array(v, float), self.A(q, time)
        v[free] = 0
        v[free] = np.linalg.solve(A[:, free], target - self.phi_t(q, time) - A @ v)
        return v


def integrate(rhs, y0, times, rtol):
    """States at the times, the first being y0: DOP853 from one time to the next, atol = rtol / 10."""
    path = [np.array(y0, float)]
    for early, late in zip(times, times[1:]):
        run = solve_ivp(rhs, (early, late), path[-1], "DOP853", rtol=rtol, atol=rtol / 10)
        if not run.success:
            raise ArithmeticError(run.message)
        path.append(run.y[:, -1])
    return path


def by_multipliers(system, q, v, times, rtol, stabilise=lambda phi, phidot: 0.0):
    """All coordinates by DOP853, A v̇ = b + stabilise(φ, φ̇): the second way."""
    n = len(q)

    def accelerate(q, v, time):
        phidot = system.A(q, time) @ v + system.phi_t(q, time)
        return system.solve(q, v, time, stabilise(system.phi(q, time), phidot))

    rhs = lambda time, y: np.concatenate([y[n:], accelerate(y[:n], y[n:], time)[0]])
    path = integrate(rhs, np.concatenate([q, v]), times, rtol)
    return [state(time, y[:n], y[n:], *accelerate(y[:n], y[n:], time)) for time, y in zip(times, path)]


def state(time, q, v, vdot, Qc):
    return {"t": float(time), "q": q, "v": v, "vdot": vdot, "Qc": Qc}


def on_law(system, q, times, law=lambda time: (0.0, 0.0, 0.0)):
    """Fully constrained motion along φ = φ*(t); law gives φ*, φ̇*, φ̈*."""
    free, states = list(range(len(q))), []
    for early, late in zip([times[0], *times], times):
        for time in np.linspace(early, late, 26):  # small steps: Newton stays on its branch
            q = system.close(q, time, free, law(time)[0])
        v = system.rates(q, np.zeros(len(q)), late, free, law(late)[1])
        states.append(state(late, q, v, *system.solve(q, v, late, law(late)[2])))
    return states
