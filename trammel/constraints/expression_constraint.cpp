#include "trammel/constraints/expression_constraint.h"

namespace trammel {
namespace {

// The slopes of one evaluation, one room per thread; it grows to the largest expression met.
std::span<double> slopes_for(const Quantities& quantities) {
  thread_local std::vector<double> slopes;
  const std::size_t n = quantities.size();
  if (slopes.size() < n) slopes.resize(n);
  return std::span(slopes).first(n);
}

Expression differentiable(Expression law) {
  law.check_differentiable();
  return law;
}

}  // namespace

ExpressionConstraint::ExpressionConstraint(const Model& model, Expression law, const std::vector<double>& start,
                                           std::span<const std::string> inputs)
    : law_(model, differentiable(std::move(law)), start, inputs) {
  slopes_for(law_.quantities());
}

void ExpressionConstraint::evaluate(const Movement<double>& now, Rows& out) const {
  const Quantities& quantities = law_.quantities();
  const std::span<double> slopes = slopes_for(quantities);
  const Jet law = law_.bias_jet(now, slopes);
  if (quantities.level() == Level::position)
    write_position_row(law, 0, out);
  else
    write_velocity_row(law, 0, out);
  out.wrenches.setZero();
  out.coefficients.setZero();
  for (int i = 0; i < quantities.size(); ++i)
    if (quantities[i].level() == quantities.level()) quantities.add_row(i, slopes[i], now.kin, 0, out);
}

}  // namespace trammel
