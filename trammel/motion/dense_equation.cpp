#include "trammel/motion/dense_equation.h"

#include "trammel/constraints/dense_rows.h"
#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/dynamics/passive_forces.h"

namespace trammel {

Equation dense_constraints(const System& system, const Movement<double>& now, const Baumgarte& baumgarte) {
  const int n = system.model.nv();
  Equation out{{}, {}, MatX<>(0, n), VecX<>(0), 0};
  for (const Layer layer : {Layer::physical, Layer::control})
    for (const NamedConstraint& constraint : system.constraints) {
      if (constraint.layer != layer) continue;
      const Constraint& law = *constraint.law;
      const int m = law.rows(), before = static_cast<int>(out.A.rows());
      Rows rows = rows_for(law);
      law.evaluate(now, rows);
      out.A.conservativeResize(before + m, n);
      out.b.conservativeResize(before + m);
      dense_rows(system.model, now.kin, law, rows, out.A.bottomRows(m));
      const Baumgarte& own = constraint.baumgarte ? *constraint.baumgarte : baumgarte;
      out.b.tail(m) = rows.b - own.alpha * rows.rate - own.beta * rows.phi;
      if (layer == Layer::physical) out.physical += m;
    }
  return out;
}

Equation dense_equation(const System& system, const VecX<>& q, const VecX<>& v, double t, const Baumgarte& baumgarte) {
  const Model& model = system.model;
  TreeWorkspace<> work(model);
  kinematics<double>(model, q, v, work.kin);
  world_inertias<double>(model, work.kin, work.inertias);
  const std::vector<double> inputs = system.input_values();
  const Movement<double> now{work.kin, q, v, t, inputs};
  Equation out = dense_constraints(system, now, baumgarte);
  out.M = mass_matrix(model, q);
  out.Q.resize(model.nv());
  passive_forces<double>(model, q, v, out.Q);
  for (const NamedForce& force : system.forces) force.law->add_to(model, now, out.Q);
  VecX<> bias(model.nv());
  bias_forces<double>(model, work.kin, work.inertias, work.vectors, bias);
  out.Q -= bias;
  return out;
}

Equation dense_equation(const MatrixSystem& system, const VecX<>& q, const VecX<>& v, double t,
                        const Baumgarte& baumgarte) {
  MatrixRows rows(system);
  evaluate_rows(system, q, v, t, rows);
  const int n = system.size();
  Equation out{MatX<>(n, n), VecX<>(n), rows.A, rows.b - baumgarte.alpha * rows.rate - baumgarte.beta * rows.phi,
               rows.physical};
  system.mass(q, t, out.M);
  system.forces(q, v, t, out.Q);
  return out;
}

}  // namespace trammel
