// What the parallel robot's paper asks for at its start, and what its second layer does to the first.
#include <gtest/gtest.h>

#include "errata/residuals.h"
#include "trammel/assembly/assemble.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/formulations/formulations.h"
#include "trammel/motion/dense_equation.h"
#include "trammel/motion/torques.h"
#include "trammel/simulate/simulate.h"

namespace trammel::test {
namespace {

// The rows of the path alone: A3 and b3 of (27), with M and Q_3 of (21).
Equation second_layer(const System& tracking, const VecX<>& q, const VecX<>& v, double t, const VecX<>& Q1c) {
  const Equation e = dense_equation(tracking, q, v, t);
  return {e.M, e.Q + Q1c, e.A.bottomRows(2), e.b.tail(2)};
}

// (25): M q̈ = Q_3 + Q_3c, with Q_3c from B_3 = A_3 M^{−1/2} alone.
System printed_cascade() {
  System out(paper_robot("parallel", Vec3<>::Zero()));
  out.apply("layers", std::make_shared<FunctionForce>([robot = parallel_robot(), tracking = parallel_tracking()](
                                                          const Movement<double>& now, VecX<>& tau) {
              const VecX<> Q1c = solve_motion(robot, now.q, now.v, now.t).Qc;
              tau += Q1c + literal(second_layer(tracking, now.q, now.v, now.t, Q1c)).Qc;
            }));
  return out;
}

// At t = π, where the path turns: how far tips 1 and 2 are apart, and base 1 from its place.
std::pair<double, double> broken_by(const System& system, const VecX<>& start) {
  SimulateOptions options;
  options.method = &dop8;
  options.step = 0;
  options.duration = std::numbers::pi;
  options.tolerance = {1e-10, 1e-10};
  options.record_every = std::numbers::pi;
  options.drift.kind = Drift::none;
  options.frames = {"tip1", "tip2", "root1"};
  const Simulation run = simulate(system, State(0, start, VecX<>::Zero(12)), options);
  EXPECT_EQ(run.status, RunStatus::finished);
  const int last = run.recording.rows() - 1;
  EXPECT_NEAR(run.recording(last, "t"), std::numbers::pi, 1e-12);
  const auto at = [&](const char* column) { return run.recording(last, column); };
  EXPECT_NEAR(at("tip1.x"), 0.2215635445538 - 0.02, 1e-8);  // tip 1 is on its path
  EXPECT_NEAR(at("tip1.y"), 0.2981287051323, 1e-8);
  return {std::hypot(at("tip1.x") - at("tip2.x"), at("tip1.y") - at("tip2.y")),
          std::hypot(at("root1.x"), at("root1.y") - 0.25)};
}

// The force of the second layer on the three motors alone, and the torques that give the same motion.
Residual motors(const VecX<>& q) {
  const System tracking = parallel_tracking(), robot = parallel_robot();
  const Model& model = tracking.model;
  const VecX<> rest = VecX<>::Zero(12);
  const Equation path = second_layer(tracking, q, rest, 0, VecX<>::Zero(12));
  const auto missed = [&](const VecX<>& motors_only) {
    System driven = robot;
    driven.apply("motors",
                 std::make_shared<FunctionForce>([&](const Movement<double>&, VecX<>& tau) { tau += motors_only; }));
    return largest(path.A * solve_motion(driven, q, rest).vdot - path.b);
  };
  const VecX<> Q3c = solve_motion(tracking, q, rest).Qc - solve_motion(robot, q, rest).Qc;
  System with_motors = tracking;
  VecX<> printed = VecX<>::Zero(12), corrected = printed;
  const char* joints[] = {"qa1", "qa2", "qa3"};
  for (const char* joint : joints) {
    const int i = model.bodies()[model.joint(joint)].v;
    with_motors.drive({.name = joint, .velocity = i});
    printed[i] = Q3c[i];
  }
  const Torques torques = solve_torques(with_motors, q, rest);
  for (int k = 0; k < 3; ++k) corrected[with_motors.actuators[k].velocity] = torques.u[k];
  return {"22", missed(printed), missed(corrected)};
}

}  // namespace

std::vector<Residual> parallel_runs(const States& states) {
  const System robot = parallel_robot(), tracking = parallel_tracking();
  const Model& model = robot.model;
  const VecX<> assembled = parallel_order(model, states.at("assembled.q"));
  std::vector<Residual> out;

  const auto [tips, base] = broken_by(printed_cascade(), assembled);
  const auto [tips_held, base_held] = broken_by(tracking, assembled);
  out.push_back({"19a", tips, tips_held});
  out.push_back({"19b", base, base_held});

  // (26): the path begins at x_e + 0.01, with x_e where the tip is, or 0.01 before it
  Positions<> where(model);
  positions<double>(model, assembled, where);
  const double x = where.pose(model.frame("tip1")).p.x(), y = where.pose(model.frame("tip1")).p.y();
  const auto off = [&](double x_e, double y_e) { return std::hypot(x_e + 0.01 * std::cos(0.0) - x, y_e - y); };
  out.push_back({"20", off(x, y), off(x - 0.01, y)});

  const VecX<> printed = vector({1.3015, -2.1752, 0, 0.25, 2.9105, -1.4593, 0.43, 0, 2.981, 1.8776, 0.4269, 0.5005});
  out.push_back({"21", largest(position_errors(robot, parallel_order(model, printed), 0)),
                 largest(position_errors(robot, assembled, 0))});
  out.push_back(motors(assembled));
  return out;
}

}  // namespace trammel::test
