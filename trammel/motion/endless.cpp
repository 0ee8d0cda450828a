#include "trammel/motion/endless.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trammel/model/configuration.h"

namespace trammel {
namespace {

// The rows of all constraints at a state that is like no other, and a turn of one of its coordinates later.
class RowsATurnLater {
 public:
  explicit RowsATurnLater(const System& system)
      : system_(system), kin_(system.model), v_(system.model.nv()), inputs_(system.inputs.size()) {
    VecX<> step(v_.size());
    for (int i = 0; i < v_.size(); ++i) {
      step[i] = std::sin(1.0 + i);
      v_[i] = std::cos(2.0 + i);
    }
    for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i] = std::sin(3.0 + static_cast<double>(i));
    q_ = retract(system.model, neutral_configuration(system.model), step);
    for (const NamedConstraint& constraint : system.constraints) here_.push_back(rows_for(*constraint.law));
    there_ = here_;
    evaluate(q_, here_);
  }

  // Whether no law sees the turn.
  bool are_the_same(int coordinate) {
    VecX<> turned = q_;
    turned[coordinate] += 2 * std::numbers::pi;
    evaluate(turned, there_);
    return std::ranges::equal(here_, there_, [](const Rows& a, const Rows& b) {
      return same(a.phi, b.phi) && same(a.rate, b.rate) && same(a.b, b.b) &&
             same(a.packed_wrenches(), b.packed_wrenches()) && same(a.coefficients, b.coefficients);
    });
  }

 private:
  template <class Matrix>
  static bool same(const Matrix& a, const Matrix& b) {
    return (a - b).norm() <= 1e-9 * (1 + a.norm());
  }
  void evaluate(const VecX<>& q, std::vector<Rows>& out) {
    kinematics<double>(system_.model, q, v_, kin_);
    for (std::size_t i = 0; i < out.size(); ++i)
      system_.constraints[i].law->evaluate({kin_, q, v_, 0.1, inputs_}, out[i]);
  }

  const System& system_;
  Kinematics<> kin_;
  VecX<> q_, v_;
  std::vector<double> inputs_;
  std::vector<Rows> here_, there_;
};

}  // namespace

std::vector<int> endless_coordinates(const System& system) {
  std::vector<int> out;
  if (std::ranges::any_of(system.constraints, [](const NamedConstraint& c) { return c.working != nullptr; }))
    return out;
  RowsATurnLater later(system);
  for (const Body& body : system.model.bodies()) {
    if (body.type != JointType::revolute) continue;
    const Coordinate& c = system.model.coordinates()[body.v];
    const bool counted = std::ranges::any_of(system.constraints, [&](const NamedConstraint& constraint) {
      return std::ranges::count(constraint.law->velocities(), body.v) > 0;
    });
    if (c.lower == -unlimited && c.upper == unlimited && c.stiffness == 0 && !counted && later.are_the_same(body.q))
      out.push_back(body.q);
  }
  return out;
}

}  // namespace trammel
