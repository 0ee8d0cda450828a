#include "trammel/constraints/joint_coupling.h"

#include <algorithm>

#include <fmt/core.h>

#include "trammel/constraints/checks.h"
#include "trammel/constraints/templated_rows.h"

namespace trammel {

JointCoupling::JointCoupling(const Model& model, std::vector<Term> terms, ScalarPath d, double length)
    : terms_(std::move(terms)),
      d_(checked_path(std::move(d), "the right side of a coupling")),
      length_(checked_positive(length, "length in m per unit of a coupling")) {
  if (terms_.empty()) throw Error("a coupling of no coordinates", "one or more");
  for (const Term& term : terms_) {
    const int v = velocity_of_coordinate(model, term.q);
    if (std::ranges::find(velocities_, v) != velocities_.end())
      throw Error(fmt::format("'{}' twice in a coupling", model.velocity_name(v)), "each coordinate once");
    if (!std::isfinite(term.coefficient) || term.coefficient == 0)
      throw Error(fmt::format("coefficient {:g} of '{}' in a coupling", term.coefficient, model.velocity_name(v)),
                  "a number that is not zero");
    velocities_.push_back(v);
  }
  const auto turning = std::ranges::count_if(velocities_, [&](int v) { return model.turns(v); });
  if (turning == 0) unit_ = "m";
  if (turning == std::ssize(velocities_)) unit_ = "rad";
}

JointCoupling::JointCoupling(const Model& model, std::vector<Term> terms, double d, double length)
    : JointCoupling(
          model, std::move(terms), [d](const Jet&) { return Jet(d); }, length) {
  moves_ = false;
}

JointCoupling::JointCoupling(const Model& model, const ModelCoupling& mimic)
    : JointCoupling(model,
                    mimic.multiplier == 0 ? std::vector<Term>{{mimic.q, 1}}
                                          : std::vector<Term>{{mimic.q, 1}, {mimic.source, -mimic.multiplier}},
                    mimic.offset) {}

template <class Scalar>
void JointCoupling::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  const Jet d = moving(d_, now.t);
  out.phi[0] = -d.x;
  out.rate[0] = -d.dx;
  out.b[0] = d.ddx;
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    const double c = terms_[j].coefficient;
    out.phi[0] += now.q[terms_[j].q] * c;
    out.rate[0] += now.v[velocities_[j]] * c;
    out.coefficients(0, static_cast<int>(j)) = c;
  }
}

template class PositionConstraint<JointCoupling>;
TRAMMEL_COMPILE_ROWS(JointCoupling);

}  // namespace trammel
