#include "trammel/motion/endless.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trammel/model/configuration.h"

namespace trammel {
namespace {

// Whether a law and its rows are the same a turn of coordinate q later, at a state that is like no other.
bool sees_no_turns(const System& system, const Constraint& law, int coordinate) {
  const Model& model = system.model;
  VecX<> step(model.nv()), v(model.nv());
  for (int i = 0; i < model.nv(); ++i) {
    step[i] = std::sin(1.0 + i);
    v[i] = std::cos(2.0 + i);
  }
  std::vector<double> inputs(system.inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = std::sin(3.0 + static_cast<double>(i));
  const auto rows_at = [&](const VecX<>& q) {
    Kinematics<> kin(model);
    kinematics<double>(model, q, v, kin);
    Rows out = rows_for(law);
    law.evaluate({kin, q, v, 0.1, inputs}, out);
    return out;
  };
  VecX<> q = retract(model, neutral_configuration(model), step);
  const Rows here = rows_at(q);
  q[coordinate] += 2 * std::numbers::pi;
  const Rows there = rows_at(q);
  const auto same = [](const auto& a, const auto& b) { return (a - b).norm() <= 1e-9 * (1 + a.norm()); };
  return same(here.phi, there.phi) && same(here.rate, there.rate) && same(here.b, there.b) &&
         same(here.packed_wrenches(), there.packed_wrenches()) && same(here.coefficients, there.coefficients);
}

}  // namespace

std::vector<int> endless_coordinates(const System& system) {
  std::vector<int> out;
  for (const Body& body : system.model.bodies()) {
    if (body.type != JointType::revolute) continue;
    const Coordinate& c = system.model.coordinates()[body.v];
    const bool counted = std::ranges::any_of(system.constraints, [&](const NamedConstraint& constraint) {
      return constraint.working || std::ranges::count(constraint.law->velocities(), body.v) > 0 ||
             !sees_no_turns(system, *constraint.law, body.q);
    });
    if (c.lower == -unlimited && c.upper == unlimited && c.stiffness == 0 && !counted) out.push_back(body.q);
  }
  return out;
}

}  // namespace trammel
