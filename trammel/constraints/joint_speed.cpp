#include "trammel/constraints/joint_speed.h"

#include <fmt/core.h>

#include "trammel/constraints/checks.h"
#include "trammel/constraints/templated_rows.h"

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

template <class Scalar>
void JointSpeed::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  const Jet s = moving(s_, now.t);
  out.phi[0] = 0.0;
  out.rate[0] = now.v[i_] - s.x;
  out.b[0] = s.dx;
  out.coefficients(0, 0) = 1.0;
}

template class VelocityConstraint<JointSpeed>;
TRAMMEL_COMPILE_ROWS(JointSpeed, VelocityConstraint<JointSpeed>);

}  // namespace trammel
