#include "trammel/system/matrix_system.h"

namespace trammel {

int MatrixSystem::rows() const {
  int out = 0;
  for (const Constraint& constraint : constraints) out += constraint.rows;
  return out;
}

MatrixRows::MatrixRows(const MatrixSystem& system)
    : phi(system.rows()), rate(system.rows()), b(system.rows()), A(system.rows(), system.size()) {
  for (const MatrixSystem::Constraint& constraint : system.constraints)
    if (constraint.layer == Layer::physical) physical += constraint.rows;
}

namespace {

void evaluate_constraint(const MatrixSystem::Constraint& constraint, int first, const VecX<>& q, const VecX<>& v,
                         double t, MatrixRows& out) {
  const int n = static_cast<int>(q.size()), m = constraint.rows;
  VecX<Jet> errors(m), q_jets(n), v_jets(n);
  for (int i = 0; i < n; ++i) {
    q_jets[i] = {q[i], v[i], 0};
    v_jets[i] = v[i];
  }
  constraint.law(q_jets, v_jets, {t, 1}, errors);
  const bool at_position = constraint.level == Level::position;
  for (int k = 0; k < m; ++k) {
    out.phi[first + k] = at_position ? errors[k].x : 0;
    out.rate[first + k] = at_position ? errors[k].dx : errors[k].x;
    out.b[first + k] = at_position ? -errors[k].ddx : -errors[k].dx;
  }

  q_jets = q.cast<Jet>();
  VecX<Jet>& moved = at_position ? q_jets : v_jets;
  for (int i = 0; i < n; ++i) {
    moved[i].dx = 1;
    constraint.law(q_jets, v_jets, t, errors);
    moved[i].dx = 0;
    for (int k = 0; k < m; ++k) out.A(first + k, i) = errors[k].dx;
  }
}

}  // namespace

void evaluate_rows(const MatrixSystem& system, const VecX<>& q, const VecX<>& v, double t, MatrixRows& out) {
  int first = 0;
  for (const Layer layer : {Layer::physical, Layer::control})
    for (const MatrixSystem::Constraint& constraint : system.constraints) {
      if (constraint.layer != layer) continue;
      evaluate_constraint(constraint, first, q, v, t, out);
      first += constraint.rows;
    }
}

}  // namespace trammel
