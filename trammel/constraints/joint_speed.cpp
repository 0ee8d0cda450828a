#include "trammel/constraints/joint_speed.h"

#include <fmt/core.h>

#include "trammel/constraints/checks.h"

namespace trammel {

JointSpeed::JointSpeed(const Model& model, int i, ScalarPath s, double length)
    : i_(i),
      s_(checked_path(std::move(s), "the speed of a joint")),
      length_(checked_positive(length, "length in m per unit of a joint's speed")) {
  if (i < 0 || i >= model.nv())
    throw Error(fmt::format("a prescribed speed of velocity {}", i), fmt::format("0 to {}", model.nv() - 1));
  unit_ = model.turns(i) ? "rad" : "m";
}

JointSpeed::JointSpeed(const Model& model, int i, double s, double length)
    : JointSpeed(
          model, i, [s](const Jet&) { return Jet(s); }, length) {}

void JointSpeed::evaluate(const Movement<double>& now, Rows& out) const {
  write_velocity_row(now.v[i_] - moving(s_, now.t), 0, out);
  out.coefficients(0, 0) = 1;
}

template class VelocityConstraint<JointSpeed>;

}  // namespace trammel
