#include "constraints/dense.h"

#include "support/linear_algebra.h"

namespace trammel::test {

DenseRows rows_at(const Model& model, std::initializer_list<const Constraint*> constraints, const VecX<>& q,
                  const VecX<>& v, double t) {
  Kinematics<> kin(model);
  kinematics<double>(model, q, v, kin);
  int m = 0, k = 0;
  for (const Constraint* c : constraints) m += c->rows();
  DenseRows out{VecX<>(m), VecX<>(m), VecX<>(m), MatX<>(m, model.nv())};
  for (const Constraint* c : constraints) {
    Rows rows(c->rows(), static_cast<int>(c->bodies().size()), static_cast<int>(c->velocities().size()));
    c->evaluate({kin, q, v, t}, rows);
    out.phi.segment(k, c->rows()) = rows.phi;
    out.rate.segment(k, c->rows()) = rows.rate;
    out.b.segment(k, c->rows()) = rows.b;
    dense_rows(model, kin, *c, rows, out.A.middleRows(k, c->rows()));
    k += c->rows();
  }
  return out;
}

DenseMotion motion_at(const Model& model, std::initializer_list<const Constraint*> constraints, const VecX<>& q,
                      const VecX<>& v, double t) {
  const DenseRows rows = rows_at(model, constraints, q, v, t);
  const VecX<> a = forward_dynamics(model, q, v, VecX<>::Zero(model.nv()));
  const MatX<> MinvAt = least_squares(mass_matrix(model, q), rows.A.transpose());
  const MatX<> delassus = rows.A * MinvAt;
  const VecX<> lambda = least_squares(delassus, rows.b - rows.A * a);
  return {a + MinvAt * lambda, lambda};
}

}  // namespace trammel::test
