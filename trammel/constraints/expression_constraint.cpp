#include "trammel/constraints/expression_constraint.h"

#include "trammel/constraints/lane_jets.h"
#include "trammel/constraints/templated_rows.h"

namespace trammel {
namespace {

// The slopes of one evaluation, one room per thread; it grows to the largest expression met.
template <class Scalar>
std::span<Scalar> slopes_for(const Quantities& quantities) {
  thread_local std::vector<Scalar> slopes;
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
                                           std::span<const std::string> inputs, Value value)
    : law_(model, differentiable(std::move(law)), start, inputs), value_(value) {
  slopes_for<double>(law_.quantities());
}

template <class Scalar>
void ExpressionConstraint::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  const Quantities& quantities = law_.quantities();
  const std::span<Scalar> slopes = slopes_for<Scalar>(quantities);
  const JetOf<Scalar> law = law_.bias_jet(now, slopes);
  if (quantities.level() == Level::position)
    write_position_row(law, 0, out);
  else
    write_velocity_row(law, 0, out);
  out.clear();
  for (int i = 0; i < quantities.size(); ++i)
    if (quantities[i].level() == quantities.level()) quantities.add_row<Scalar>(i, slopes[i], now.kin, 0, out);
}

TRAMMEL_COMPILE_ROWS(ExpressionConstraint, Constraint);

}  // namespace trammel
