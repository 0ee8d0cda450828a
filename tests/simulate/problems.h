#pragma once

#include "simulate/methods.h"
#include "support/random_robot.h"
#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/simulate/step.h"

namespace trammel::test {

/// A nonlinear equation with the closed solution
///
///   q₀ = 1/(1+t),  v₀ = q̇₀           v̇₀ = 2 v₀²/q₀
///   q₁ = exp(sin t),  v₁ = q̇₁        v̇₁ = v₁ cos t − q₁ sin t
///   q₂ = ln(1+t),  v₂ = q̇₂ − t       v̇₂ = −(v₂ + t)² − 1        moved by a velocity that is not v
///
/// Runs begin at t = 1: nearer to the pole at −1, high orders would show only at steps whose errors are below
/// round-off.
class ClosedForm final : public Derivative {
 public:
  using Derivative::operator();
  bool operator()(double t, const VecX<>& q, const VecX<>& v, VecX<>& velocity, VecX<>& vdot) override {
    ++calls;
    const double moving = v[2] + t;
    velocity << v[0], v[1], moving;
    vdot << 2 * v[0] * v[0] / q[0], v[1] * std::cos(t) - q[1] * std::sin(t), -moving * moving - 1;
    return true;
  }
  static State at(double t) {
    State out(t, VecX<>(3), VecX<>(3));
    const double x = 1 / (1 + t), y = std::exp(std::sin(t));
    out.q << x, y, std::log1p(t);
    out.v << -x * x, std::cos(t) * y, x - t;
    return out;
  }
  static State start() { return at(1); }
  int calls = 0;
};

/// A model that moves freely.
class FreeMotion final : public Derivative {
 public:
  explicit FreeMotion(const Model& model) : model_(model), work_(model), tau_(VecX<>::Zero(model.nv())) {}
  using Derivative::operator();
  bool operator()(double, const VecX<>& q, const VecX<>& v, VecX<>& velocity, VecX<>& vdot) override {
    velocity = v;
    return forward_dynamics<double>(model_, q, v, tau_, work_, vdot) == -1;
  }

 private:
  const Model& model_;
  TreeWorkspace<> work_;
  VecX<> tau_;
};

/// Two bodies of general shape in space, with a ball joint between them, without gravity.
inline Model tumbling_pair() {
  Random random(5);
  RobotDescription robot;
  robot.name = "tumbling pair";
  robot.links = {random_link(random, "body"), random_link(random, "arm")};
  robot.joints = {random_joint(random, JointType::floating, "free", "world", "body"),
                  random_joint(random, JointType::spherical, "ball", "body", "arm")};
  return build_model(robot, Vec3<>::Zero());
}
inline State tumbling_start(const Model& model) {
  Random random(6);
  State out(0, random_configuration(random, model), VecX<>(model.nv()));
  out.v << 0.3, -0.2, 0.1, 0.2, 1.5, -0.4, -0.6, 0.5, 1.0;
  return out;
}

/// The same motion by other means: the classical method written out, on q̇ = N(q) v with the quaternions as plain
/// numbers.
inline State reference_motion(const Model& model, const State& start, double duration, int steps) {
  FreeMotion f(model);
  const double h = duration / steps;
  VecX<> z(model.nq() + model.nv());
  z << start.q, start.v;
  Slope slope{VecX<>(model.nv()), VecX<>(model.nv())};
  const auto rate = [&](const VecX<>& at) {
    const VecX<> q = at.head(model.nq()), v = at.tail(model.nv());
    EXPECT_TRUE(f(0, q, v, slope.velocity, slope.vdot));
    VecX<> out(at.size());
    out << coordinate_rates(model, q, v), slope.vdot;
    return out;
  };
  for (int i = 0; i < steps; ++i) {
    const VecX<> k1 = rate(z), k2 = rate(z + h / 2 * k1), k3 = rate(z + h / 2 * k2), k4 = rate(z + h * k3);
    z += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return {start.t + duration, checked_configuration(model, z.head(model.nq())), z.tail(model.nv())};
}

/// How far two states are from each other.
inline double distance(const State& a, const State& b) { return std::hypot((a.q - b.q).norm(), (a.v - b.v).norm()); }
inline double distance(const Model& model, const State& a, const State& b) {
  return std::hypot(difference(model, a.q, b.q).norm(), (a.v - b.v).norm());
}

/// `steps` equal steps; `visit` sees the state at the end of each.
template <class Visit>
State run(const Tableau& method, const Manifold& manifold, Derivative& f, const State& start, double duration,
          int steps, Visit visit) {
  Step step(method, manifold);
  step.end = start;
  EXPECT_TRUE(f(start, step.at_end));
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(take_step(method, manifold, f, step.end, step.at_end, duration / steps, step), StepStatus::done);
    EXPECT_EQ(evaluate_end(method, manifold, f, step), StepStatus::done);
    visit(step.end);
  }
  return step.end;
}
inline State run(const Tableau& method, const Manifold& manifold, Derivative& f, const State& start, double duration,
                 int steps) {
  return run(method, manifold, f, start, duration, steps, [](const State&) {});
}

/// The order seen when every step is halved.
inline double seen_order(const Tableau& method, double coarse_error, double fine_error) {
  const double order = std::log2(coarse_error / fine_error);
  std::printf("[   seen   ] %s: errors %.2e, %.2e, order %.2f\n", method.name.data(), coarse_error, fine_error, order);
  return order;
}

/// How many steps over a duration of 2 leave an error that is far from round-off and already follows the order.
inline int resolving_steps(const Tableau& method) {
  switch (method.order) {
    case 1:
      return 4000;
    case 2:
      return 1000;
    case 3:
      return 400;
    case 4:
      return 200;
    case 5:
      return 80;
    default:
      return 8;
  }
}

}  // namespace trammel::test
