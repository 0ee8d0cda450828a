#include "trammel/constraints/contract.h"

#include <algorithm>
#include <limits>

#include "trammel/constraints/dense_rows.h"
#include "trammel/model/configuration.h"

namespace trammel {
namespace {

// |a − b| over the size of b, and not-a-number is as bad as can be
void compare(double a, double b, double& worst) {
  const double error = std::abs(a - b) / (1 + std::abs(b));
  worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(worst, error);
}

// The laws of all rows, as jets along the motion: φ, or ψ where the row is at velocity level.
VecX<Jet> laws(const Model& model, const Constraint& constraint, const VecX<Jet>& q, const VecX<Jet>& v, Jet t,
               std::span<const double> inputs) {
  Kinematics<Jet> kin(model);
  kinematics<Jet>(model, q, v, kin);
  const Movement<Jet> now{kin, q, v, t, inputs};
  VecX<Jet> out = VecX<Jet>::Zero(constraint.rows());
  constraint.phi(now.placement(), out);
  constraint.psi(now, out);
  return out;
}

}  // namespace

double ContractReport::worst() const { return std::max({phi, rate, linearity, acceleration, work}); }

ContractReport check_contract(const Model& model, const Constraint& constraint, const VecX<>& q, const VecX<>& v,
                              const VecX<>& vdot, double t, std::span<const double> inputs) {
  Kinematics<> kin(model);
  kinematics<double>(model, q, v, kin);
  Rows rows = rows_for(constraint);
  constraint.evaluate({kin, q, v, t, inputs}, rows);
  MatX<> A(constraint.rows(), model.nv());
  dense_rows(model, kin, constraint, rows, A);

  VecX<Jet> v_jet(model.nv());
  for (int i = 0; i < model.nv(); ++i) v_jet[i] = {v[i], vdot[i], 0};
  const VecX<> rest = VecX<>::Zero(model.nv());
  const VecX<Jet> law = laws(model, constraint, coordinate_jets(model, q, v, vdot), v_jet, {t, 1, 0}, inputs);
  // with the robot held still, the rate of φ is ∂φ/∂t
  const VecX<Jet> held =
      laws(model, constraint, coordinate_jets(model, q, rest, rest), rest.cast<Jet>(), {t, 1, 0}, inputs);

  ContractReport report;
  const VecX<> Av = A * v, Avdot = A * vdot;
  for (int k = 0; k < constraint.rows(); ++k) {
    const bool position = constraint.level(k) == Level::position;
    compare(rows.phi[k], position ? law[k].x : 0, report.phi);
    compare(rows.rate[k], position ? law[k].dx : law[k].x, report.rate);
    if (position) compare(Av[k] + held[k].dx, rows.rate[k], report.linearity);
    if (constraint.is_catastatic()) compare(Av[k], rows.rate[k], report.work);
    compare(Avdot[k] - rows.b[k], position ? law[k].ddx : law[k].dx, report.acceleration);
  }
  return report;
}

}  // namespace trammel
