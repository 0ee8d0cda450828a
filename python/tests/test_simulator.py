"""Runs that are led from moment to moment, and controllers in Python."""

from __future__ import annotations

import numpy as np
import pytest

import pytrammel as tm


def pushed_block(mass: float = 2.0) -> tm.Problem:
    system = tm.System(gravity=[0, 0, 0])
    system.body("block", mass=mass, inertia=[1, 1, 1])
    system.joint("x", "world", "block", prismatic="x")
    system.input("push", 0)
    system.input("unused", 5)
    system.apply("push", tm.joint_force("x", force="push"))
    return system.compile()


def test_inputs_hold_from_step_to_step() -> None:
    """Held over periods h, the push makes a parabola of each: x += v h + u h²/2m, v += u h/m."""
    mass, period = 2.0, 0.0137
    led = pushed_block(mass).simulator(([0.0], [0.0]), 1.0)
    x = v = t = 0.0
    for k in range(50):
        u = 3 * np.sin(1.7 * k)
        assert led.step(period, {"push": u} if k % 2 else [u, 5])
        h = led.state.t - t
        x += v * h + u / mass * h * h / 2
        v += u / mass * h
        t = led.state.t
        np.testing.assert_allclose([led.state.q[0], led.state.v[0]], [x, v], atol=1e-14)
    run = led.conclude()
    assert run.status == "stopped" and run.good is False
    assert (run["input.unused"] == 5).all()


def test_a_controller_is_called_after_every_period_exactly() -> None:
    """A PD controller at 1 kHz, beside the closed solution of its samples: x⁺ = Φ x + Γ u."""
    mass, period, kp, kd = 2.0, 1e-3, 50.0, 12.0
    called: list[float] = []

    def control(at: tm.State) -> dict[str, float]:
        called.append(at.t)
        return {"push": kp * (1 - at.q[0]) - kd * at.v[0]}

    run = pushed_block(mass).simulate(([0.0], [0.0]), 2.0, controller=control, period=period)
    assert run.status == "finished", run.why
    np.testing.assert_array_equal(called, np.arange(2000) * period)
    state = np.zeros(2)
    for _ in range(2000):
        push = kp * (1 - state[0]) - kd * state[1]
        state = np.array([state[0] + period * state[1] + push / mass * period**2 / 2, state[1] + push / mass * period])
    np.testing.assert_allclose([run.end.q[0], run.end.v[0]], state, atol=1e-12)


def test_led_at_once_it_is_the_run_to_the_bit() -> None:
    problem = tm.Scenario("examples/03-four-bar.yaml").problem()
    run = problem.simulate(duration=0.2)
    led = problem.simulator(duration=0.2)
    assert not led.advance_to(1.0) and led.ended
    assert led.conclude().values.tobytes() == run.values.tobytes()


def test_what_is_wrong_is_told() -> None:
    problem = pushed_block()
    led = problem.simulator(([0.0], [0.0]), 1.0)
    assert led.advance_to(0.5)
    with pytest.raises(tm.Error, match="0.4 s"):
        led.advance_to(0.4)
    with pytest.raises(tm.Error, match="'pusch'.*push"):
        led.set_inputs({"pusch": 1})
    with pytest.raises(tm.Error, match="inputs"):
        led.set_inputs([1, 2, 3])
    with pytest.raises(tm.Error, match="finite"):
        led.set_inputs({"push": float("nan")})
    with pytest.raises(TypeError, match="both or none"):
        problem.simulate(([0.0], [0.0]), 1.0, controller=lambda at: None)
    with pytest.raises(tm.Error, match="above 0 s"):
        problem.simulate(([0.0], [0.0]), 1.0, controller=lambda at: None, period=0)

    def fails(at: tm.State) -> None:
        raise RuntimeError("out of order")

    with pytest.raises(RuntimeError, match="out of order"):
        problem.simulate(([0.0], [0.0]), 1.0, controller=fails, period=0.1)
