#include <Eigen/QR>

#include "trammel/dynamics/energy.h"
#include "trammel/formulations/conclusion.h"
#include "trammel/formulations/formulations.h"
#include "trammel/formulations/impressed.h"
#include "trammel/formulations/saddle_point.h"
#include "trammel/model/configuration.h"

namespace trammel {
namespace {

// The coordinates are x of q ⊕ x. Where x turns a quaternion, R = R₀ exp[x], the velocity is v = J_r(x) ẋ with
//
//   J_r(x) = 1 − ½ [x] + O(x²),      so J_r = 1 at x = 0, and J̇_r ẋ = −½ ẋ × ẋ = 0: there v = ẋ and v̇ = ẍ.
//
// Everywhere else v = ẋ. T(x, ẋ) = T(q ⊕ x, J_r(x) ẋ), differentiated on jets in s along x = s·direction.
class EnergyAlong {
 public:
  EnergyAlong(const Model& model, const VecX<>& q, const VecX<>& direction)
      : model_(model),
        direction_(direction),
        kin_(model),
        q_(coordinate_jets(model, q, direction, VecX<>::Zero(model.nv()))) {
    positions<Jet>(model, q_, kin_);
  }

  // dT/ds at x = s·direction, ẋ = xdot + s·change.
  double kinetic_rate(const VecX<>& xdot, const VecX<>& change) {
    const VecX<> turning = quaternion_cross(direction_, xdot);
    VecX<Jet> v(model_.nv());
    for (int i = 0; i < model_.nv(); ++i) v[i] = {xdot[i], change[i] - 0.5 * turning[i]};
    velocities<Jet>(model_, v, kin_);
    return kinetic_energy<Jet>(model_, v, kin_).dx;
  }

  double potential_rate() const { return potential_energy<Jet>(model_, q_, kin_).dx; }

 private:
  // a × b in the blocks that turn quaternions, zero elsewhere
  VecX<> quaternion_cross(const VecX<>& a, const VecX<>& b) const {
    VecX<> out = VecX<>::Zero(model_.nv());
    for (const Body& body : model_.bodies())
      for (int k = 0; k < body.nv; ++k)
        if (drives_quaternion(body.type, k)) {
          const int first = body.v + k;
          out.segment<3>(first) = cross<double>(a.segment<3>(first), b.segment<3>(first));
          break;
        }
    return out;
  }

  const Model& model_;
  VecX<> direction_;
  Kinematics<Jet> kin_;
  VecX<Jet> q_;
};

// M_ij = ∂²T/∂ẋ_i∂ẋ_j: the rate of T at ẋ = e_j + s e_i.
MatX<> inertia(const Model& model, const VecX<>& q) {
  const int n = model.nv();
  const MatX<> unit = MatX<>::Identity(n, n);
  EnergyAlong still(model, q, VecX<>::Zero(n));
  MatX<> M(n, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= j; ++i) M(i, j) = M(j, i) = still.kinetic_rate(unit.col(j), unit.col(i));
  return M;
}

// ∂T/∂x − ∂V/∂x − (d/ds ∂T/∂ẋ along x = sẋ): what is left of Lagrange's equation beside M ẍ. T is quadratic in ẋ, so
// ∂T/∂ẋ_i = (T(ẋ + σe_i) − T(ẋ − σe_i)) / 2σ for any σ; σ = |ẋ| rounds least.
VecX<> velocity_and_potential_forces(const Model& model, const VecX<>& q, const VecX<>& xdot) {
  const int n = model.nv();
  const MatX<> unit = MatX<>::Identity(n, n);
  const VecX<> constant = VecX<>::Zero(n);
  const double sigma = xdot.norm() > 0 ? xdot.norm() : 1;
  EnergyAlong motion(model, q, xdot);
  VecX<> out(n);
  for (int i = 0; i < n; ++i) {
    EnergyAlong coordinate(model, q, unit.col(i));
    const VecX<> step = sigma * unit.col(i);
    const double momentum_rate =
        (motion.kinetic_rate(xdot + step, constant) - motion.kinetic_rate(xdot - step, constant)) / (2 * sigma);
    out[i] = coordinate.kinetic_rate(xdot, constant) - coordinate.potential_rate() - momentum_rate;
  }
  return out;
}

// Rows of which every other is a sum.
std::vector<int> independent_rows(const MatX<>& A, const RankTolerance& tolerance) {
  if (A.size() == 0) return {};
  Eigen::ColPivHouseholderQR<MatX<>> qr((unit_lengths(A).asDiagonal() * A).transpose());
  qr.setThreshold(tolerance.relative);
  const auto& order = qr.colsPermutation().indices();
  return {order.begin(), order.begin() + qr.rank()};
}

}  // namespace

Motion lagrange(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options) {
  const Impressed now(system, q, v, t, options.baumgarte);
  Equation equation = now.rows;
  equation.M = inertia(system.model, q);
  // the springs are in V
  equation.Q = now.forces + now.friction + velocity_and_potential_forces(system.model, q, v);
  if (!is_finite(equation)) return no_motion(equation);

  const std::vector<int> chosen = independent_rows(equation.A, options.rank);
  const int rank = static_cast<int>(chosen.size());
  const MatX<> A = equation.A(chosen, Eigen::all);
  const SaddlePoint solution = saddle_point(equation.M, equation.Q, A, equation.b(chosen), rank);
  if (!solution.determined) return no_motion(equation);
  Motion out(system.model.nv(), static_cast<int>(equation.A.rows()));
  out.vdot = solution.x;
  out.Qc = A.transpose() * solution.lambda;
  conclude(equation.A, equation.b, rank, out);
  return out;
}

}  // namespace trammel
