#include <Eigen/QR>

#include "trammel/dynamics/frame_motion.h"
#include "trammel/formulations/conclusion.h"
#include "trammel/formulations/formulations.h"
#include "trammel/formulations/impressed.h"
#include "trammel/formulations/reduced_motion.h"

namespace trammel {
namespace {

// Adds one body to the inertia forces M v̇ and to all other forces, Q. With the partial velocities J = [J_ω; J_v] of
// its mass centre and its accelerations J v̇ + [α; a],
//
//   J_ωᵀ(I (J_ω v̇ + α) + ω × Iω) + J_vᵀ m (J_v v̇ + a − g)
void add_body(const Model& model, const Kinematics<>& kin, int body, Equation& out) {
  const Inertia<>& inertia = model.bodies()[body].inertia;
  const Frame centre{"", body, {Mat3<>::Identity(), inertia.com()}};
  Eigen::Matrix<double, 6, Eigen::Dynamic> J(6, model.nv());
  frame_jacobian<double>(model, kin, centre, J);
  const Vec6<> bias = frame_bias_acceleration<double>(kin, centre);
  const Vec3<> w = frame_velocity<double>(kin, centre).head<3>();

  const Mat3<> I = inertia.about_com().rotated(kin.bodies[body].X_WB.R).matrix();
  out.M += J.topRows<3>().transpose() * I * J.topRows<3>();
  out.M += J.bottomRows<3>().transpose() * inertia.mass * J.bottomRows<3>();
  out.Q -= J.topRows<3>().transpose() * (I * bias.head<3>() + cross<double>(w, I * w));
  out.Q += J.bottomRows<3>().transpose() * inertia.mass * (model.gravity() - bias.tail<3>());
}

// A P = Q [R₁ R₂; 0 0]: the speeds that P puts first depend on the others, u̇_d = R₁⁻¹(Qᵀb − R₂ u̇).
Allowed speeds_allowed_by(const Equation& equation, const RankTolerance& tolerance) {
  const int n = static_cast<int>(equation.A.cols()), m = static_cast<int>(equation.A.rows());
  Allowed out{MatX<>::Identity(n, n), VecX<>::Zero(n), 0};
  if (m == 0 || n == 0) return out;
  const VecX<> unit = unit_lengths(equation.A);
  Eigen::ColPivHouseholderQR<MatX<>> qr(unit.asDiagonal() * equation.A);
  qr.setThreshold(tolerance.relative);
  const int rank = out.rank = static_cast<int>(qr.rank());
  if (rank == 0) return out;
  const MatX<> R = qr.matrixQR().topRows(rank);
  const auto R1 = R.leftCols(rank).triangularView<Eigen::Upper>();
  const VecX<> c = qr.householderQ().transpose() * unit.cwiseProduct(equation.b);
  VecX<> g = VecX<>::Zero(n);
  g.head(rank) = R1.solve(c.head(rank));
  MatX<> Z(n, n - rank);
  Z.bottomRows(n - rank).setIdentity();
  if (rank < n) Z.topRows(rank) = -R1.solve(R.rightCols(n - rank));
  out.g = qr.colsPermutation() * g;
  out.Z = qr.colsPermutation() * Z;
  return out;
}

}  // namespace

Motion kane(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options) {
  const Model& model = system.model;
  const Impressed now(system, q, v, t, options.baumgarte);
  Equation equation = now.rows;
  equation.M = MatX<>::Zero(model.nv(), model.nv());
  for (int c = 0; c < model.nv(); ++c) equation.M(c, c) = model.coordinates()[c].rotor_inertia;
  equation.Q = now.forces + now.springs + now.friction;
  for (int body = 0; body < model.body_count(); ++body) add_body(model, now.kin, body, equation);
  return reduced_motion(equation, speeds_allowed_by(equation, options.rank));
}

}  // namespace trammel
