#pragma once

#include <cmath>
#include <vector>

#include "support/mechanisms.h"
#include "support/random.h"
#include "trammel/constraints/coincident.h"
#include "trammel/simulate/simulate.h"

/// Mechanisms that pass singular postures, and the settings of runs in which they do.
namespace trammel::test {

/// A system with loops, where it is closed.
struct Chain {
  System system;
  State start;
};

/// A four-bar from the lengths of its links (m, and as many kg), by the angle of its crank, above or below the line from its pin to the other
/// base at 1 m: joints a0, d0, b0 of crank, coupler and rocker, gravity −y.
inline Chain four_bar(double crank, double coupler, double rocker, double angle, double side, double speed) {
  RobotDescription robot;
  robot.name = "four-bar";
  robot.links = {rod("crank", crank, crank, x_axis), rod("coupler", coupler, coupler, x_axis),
                 rod("rocker", rocker, rocker, x_axis)};
  robot.joints = {turning("a0", "world", "crank", Vec3<>::Zero(), z_axis),
                  turning("d0", "crank", "coupler", {crank, 0, 0}, z_axis),
                  turning("b0", "world", "rocker", {1, 0, 0}, z_axis)};
  robot.frames = {{"tip", "coupler", {Mat3<>::Identity(), Vec3<>(coupler, 0, 0)}, {}},
                  {"pin", "rocker", {Mat3<>::Identity(), Vec3<>(rocker, 0, 0)}, {}}};
  Chain out{System(build_model(robot, {0, -9.81, 0})), {}};
  Eigen::Matrix<double, 3, Eigen::Dynamic> plane(3, 2);
  plane << 1, 0, 0, 1, 0, 0;
  out.system.constrain("loop", std::make_shared<Coincident>(BodyPoint(out.system.model.frame("tip")),
                                                            BodyPoint(out.system.model.frame("pin")), world, plane));
  const Eigen::Vector2d pin(crank * std::cos(angle), crank * std::sin(angle)), across = Eigen::Vector2d(1, 0) - pin;
  const double far = across.norm(), along = (coupler * coupler - rocker * rocker + far * far) / (2 * far);
  const double up = side * std::sqrt(coupler * coupler - along * along);
  const Eigen::Vector2d to = (along * across + up * Eigen::Vector2d(-across.y(), across.x())) / far, tip = pin + to;
  out.start = State(0, Vec3<>(angle, std::atan2(to.y(), to.x()) - angle, std::atan2(tip.y(), tip.x() - 1)),
                    Vec3<>(speed, 0, 0));
  return out;
}

/// Relative and absolute ones from 1e-12 to 1e-6.
inline std::vector<SimulateOptions> seeded_tolerances(const Tableau& method, int count, Random& random) {
  std::vector<SimulateOptions> out;
  for (int i = 0; i < count; ++i) {
    const double tolerance = random.log_uniform(1e-12, 1e-6);
    out.push_back({.method = &method, .step = 0, .tolerance = {tolerance, tolerance}});
  }
  return out;
}

/// RK4 by steps of 0.1 to 20 ms, every other one so that a step ends in the flat posture, or next to it.
inline std::vector<SimulateOptions> seeded_steps(int count, double until_flat, Random& random) {
  const double aims[] = {0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 0.3};
  std::vector<SimulateOptions> out;
  for (int i = 0; i < count; ++i) {
    double step = random.log_uniform(1e-4, 0.02);
    if (i % 2 == 0) step = until_flat / (std::round(until_flat / step) + aims[i / 2 % std::size(aims)]);
    out.push_back({.method = &rk4, .step = step});
  }
  return out;
}

}  // namespace trammel::test
