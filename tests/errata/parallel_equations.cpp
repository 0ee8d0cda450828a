// The equations of the parallel robot's paper. Vectors of 12 are in its order qa1, qb1, xa1, ya1, qa2 …
#include <gtest/gtest.h>

#include "errata/residuals.h"
#include "trammel/dynamics/energy.h"
#include "trammel/dynamics/frame_motion.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/motion/dense_equation.h"
#include "trammel/motion/tree_motion.h"

namespace trammel::test {
namespace {

constexpr double L = 0.244;
using Matrix12 = Eigen::Matrix<double, Eigen::Dynamic, 12>;

// Arm 1 by itself: what it needs to move so, and the parts of Lagrange's equations, by jets.
class Arm {
 public:
  Arm(const Vec3<>& gravity, const VecX<>& q, const VecX<>& v, const VecX<>& vdot)
      : model_(paper_robot("parallel", gravity)), q_(filled(q)), v_(filled(v)), vdot_(filled(vdot)) {}

  VecX<> forces() const { return first(inverse_dynamics(model_, q_, v_, vdot_)); }
  VecX<> momentum() const { return first(mass_matrix(model_, q_) * v_); }  // ∂K/∂q̇

  /// d/dt ∂K/∂q̇ along the motion.
  VecX<> momentum_rate() const {
    const VecX<Jet> p = mass(moving(q_, v_, vdot_)).lazyProduct(moving(v_, vdot_));
    return first(VecX<>::NullaryExpr(12, [&](int i) { return p[i].dx; }));
  }
  VecX<> slope_of_kinetic_energy() const {  // ∂K/∂q
    return slope([&](const VecX<Jet>& q) {
      const VecX<Jet> v = v_.cast<Jet>();
      return v.dot(VecX<Jet>(mass(q).lazyProduct(v))) * 0.5;
    });
  }
  VecX<> slope_of_potential() const {  // ∂P/∂q
    return slope([&](const VecX<Jet>& q) {
      Positions<Jet> where(model_);
      positions<Jet>(model_, q, where);
      return potential_energy<Jet>(model_, q, where);
    });
  }

 private:
  VecX<> filled(const VecX<>& arm) const {
    VecX<> all = VecX<>::Zero(12);
    all.head(4) = arm;
    return parallel_order(model_, all);
  }
  VecX<> first(const VecX<>& all) const { return parallel_order(model_, all, true).head(4); }

  MatX<Jet> mass(const VecX<Jet>& q) const {
    Positions<Jet> where(model_);
    positions<Jet>(model_, q, where);
    WorldInertias<Jet> inertias(model_), carried(model_);
    world_inertias<Jet>(model_, where, inertias);
    MatX<Jet> M(12, 12);
    mass_matrix<Jet>(model_, where, inertias, carried, M);
    return M;
  }
  template <class Function>
  VecX<> slope(const Function& of) const {
    VecX<> out(12);
    for (int i = 0; i < 12; ++i) out[i] = of(moving(q_, VecX<>::Unit(12, i))).dx;
    return first(out);
  }

  Model model_;
  VecX<> q_, v_, vdot_;
};

// (8), (12b): which function is differentiated, and how. Torques on qa and qb, and for (12b) the force along ya.
std::vector<Residual> lagrange_equations(const VecX<>& q, const VecX<>& v, const VecX<>& vdot) {
  const Arm level(Vec3<>::Zero(), q, v, vdot), upright({0, -9.81, 0}, q, v, vdot);
  const VecX<> K_q = level.slope_of_kinetic_energy(), P_q = upright.slope_of_potential(), p = level.momentum(),
               p_dot = level.momentum_rate(), none = VecX<>::Zero(4);
  const auto miss = [](const VecX<>& left, const VecX<>& truth) { return largest((left - truth).head(2)); };
  return {// T for L = K − P, T being the kinetic energy; the plane stood upright, where P is not constant
          {"13a", miss(p_dot - K_q, upright.forces()), miss(p_dot - (K_q - P_q), upright.forces())},
          // ∂/∂t of ∂L/∂q̇ at fixed q and q̇ is zero
          {"13b", miss(none - K_q, level.forces()), miss(p_dot - K_q, level.forces())},
          // (∂L/∂ẏ) − ∂L/∂y
          {"13c", std::abs(p[3] - K_q[3] - level.forces()[3]), std::abs(p_dot[3] - K_q[3] - level.forces()[3])}};
}

// (11b): the torque on qb.
Residual last_term(const VecX<>& q, const VecX<>& v, const VecX<>& vdot) {
  const double m = 1.0771, r = 0.1621, I = 0.0098;
  const double qa = q[0], qb = q[1], va = v[0], vb = v[1];
  const double inertia_terms = (I + m * (r * r + L * r * std::cos(qb))) * vdot[0] + (I + m * r * r) * vdot[1] -
                               m * r * vdot[2] * std::sin(qa + qb) + m * r * vdot[3] * std::cos(qa + qb);
  const double printed = inertia_terms + m * L * r * va * vb * std::sin(qb),
               corrected = inertia_terms + m * L * r * va * va * std::sin(qb);
  const double truth = Arm(Vec3<>::Zero(), q, v, vdot).forces()[1];
  return {"14", std::abs(printed - truth), std::abs(corrected - truth)};
}

// A2 of (19), as printed, with zeros for the bases; and with the columns of the bases.
Matrix12 tip_rows(const VecX<>& q, bool as_printed) {
  const auto arm = [&](int i) {  // ∂E_i/∂(qa, qb, xa, ya)
    const double a = q[4 * i], ab = q[4 * i] + q[4 * i + 1];
    Eigen::Matrix<double, 2, 4> J;
    J << -L * std::sin(a) - L * std::sin(ab), -L * std::sin(ab), 0, 0,  //
        L * std::cos(a) + L * std::cos(ab), L * std::cos(ab), 0, 0;
    if (!as_printed) J.rightCols<2>().setIdentity();
    return J;
  };
  Matrix12 A2 = Matrix12::Zero(4, 12);
  for (int other : {1, 2}) {
    A2.block<2, 4>(2 * other - 2, 0) = arm(0);
    A2.block<2, 4>(2 * other - 2, 4 * other) = -arm(other);
  }
  return A2;
}

Matrix12 base_rows() {  // A1 of (17)
  Matrix12 A1 = Matrix12::Zero(6, 12);
  for (int i = 0; i < 3; ++i) A1(2 * i, 4 * i + 2) = A1(2 * i + 1, 4 * i + 3) = 1;
  return A1;
}

// b2 of (19).
VecX<> tip_right_side(const VecX<>& q, const VecX<>& v) {
  const auto pull = [&](int i) {
    const double a = q[4 * i], ab = a + q[4 * i + 1], w = v[4 * i], wb = w + v[4 * i + 1];
    return Eigen::Vector2d(L * w * w * std::cos(a) + L * wb * wb * std::cos(ab),
                           L * w * w * std::sin(a) + L * wb * wb * std::sin(ab));
  };
  VecX<> b(4);
  b << pull(0) - pull(1), pull(0) - pull(2);
  return b;
}

// With bases that move, A2 q̇ is how fast the tips part; with bases held by A1 the missing columns do no harm.
std::vector<Residual> base_columns(const States& states) {
  const System driven = parallel_driven();
  const Model& model = driven.model;
  const VecX<>&q = states.at("driven.q"), &v = states.at("driven.v"), &loose = states.at("loose.v");
  Kinematics<> kin(model);
  kinematics<double>(model, parallel_order(model, q), parallel_order(model, loose), kin);
  const auto tip = [&](const char* name) { return frame_velocity(kin, model.frame(name)).segment<2>(3).eval(); };
  VecX<> parting(4);
  parting << tip("tip1") - tip("tip2"), tip("tip1") - tip("tip3");

  const Equation e = dense_equation(driven, parallel_order(model, q), parallel_order(model, v), 1);
  const VecX<> truth = solve_motion(driven, parallel_order(model, q), parallel_order(model, v), 1).vdot;
  const auto with = [&](bool as_printed) {
    Equation own = e;
    MatX<> A(10, 12);
    A << base_rows(), tip_rows(q, as_printed);
    for (int row = 0; row < 10; ++row) own.A.row(row) = parallel_order(model, A.row(row).transpose()).transpose();
    own.b << VecX<>::Zero(6), tip_right_side(q, v);
    return largest(udwadia_kalaba(own).vdot - truth);
  };
  return {{"16a", largest(tip_rows(q, true) * loose - parting), largest(tip_rows(q, false) * loose - parting)},
          {"16b", with(true), with(false)}};
}

// B of (5), by which the constraint force is Qc = M^{1/2} B⁺ (b − A M⁻¹Q).
Residual root_of_the_mass(const VecX<>& q, const VecX<>& v) {
  const System system = parallel_driven();
  const VecX<> q_model = parallel_order(system.model, q), v_model = parallel_order(system.model, v);
  const Equation e = dense_equation(system, q_model, v_model, 1);
  const VecX<> truth = solve_motion(system, q_model, v_model, 1).Qc;
  const VecX<> miss = e.b - e.A * inverse_of(e.M) * e.Q;
  const MatX<> printed = e.A * power(e.M, 0.5), corrected = e.A * power(e.M, -0.5);
  return {"12", largest(power(e.M, 0.5) * pseudo_inverse(printed) * miss - truth),
          largest(power(e.M, 0.5) * pseudo_inverse(corrected) * miss - truth)};
}

// Where the tips are, if qb is measured from the horizontal (Table 1), or from link a.
Residual angle_of_the_second_link(const VecX<>& q) {
  const auto apart = [&](bool from_horizontal) {
    const auto tip = [&](int i) {
      const double a = q[4 * i], b = from_horizontal ? q[4 * i + 1] : a + q[4 * i + 1];
      return Eigen::Vector2d(q[4 * i + 2] + L * std::cos(a) + L * std::cos(b),
                             q[4 * i + 3] + L * std::sin(a) + L * std::sin(b));
    };
    return std::max((tip(0) - tip(1)).norm(), (tip(0) - tip(2)).norm());
  };
  return {"15", apart(true), apart(false)};
}

// A, b, τ and A3 as they are printed, by their sizes.
std::vector<Residual> sizes() {
  const Matrix12 A1 = base_rows(), A2 = Matrix12::Zero(4, 12);
  MatX<> stacked(10, 12);
  stacked << A1, A2;
  const std::vector<double> b1 = {0, 0, 0, 0, 0};
  const auto torque = [](double t) { return 0.1 * std::cos(std::numbers::pi * t); };
  const std::vector<double> tau = {torque(0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const std::vector<double> first_row_of_A3 = {-L, -L, 1, 0, 0, 0, 0, 0, 0, 0, 0};  // its first two depend on q
  return {{"17", 1.0 * (A1.cols() + A2.cols()), 1.0 * stacked.cols()},
          {"18a", 1.0 * b1.size(), 1.0 * A1.rows()},
          {"18b", 1.0 * tau.size(), 12},
          {"18c", 1.0 * first_row_of_A3.size(), 12}};
}

}  // namespace

std::vector<Residual> parallel_equations(const States& states) {
  const VecX<>&q = states.at("arm.q"), &v = states.at("arm.v"), &vdot = states.at("arm.vdot");
  std::vector<Residual> out = {root_of_the_mass(states.at("driven.q"), states.at("driven.v"))};
  for (const Residual& r : lagrange_equations(q, v, vdot)) out.push_back(r);
  out.push_back(last_term(q, v, vdot));
  out.push_back(angle_of_the_second_link(states.at("assembled.q")));
  for (const Residual& r : base_columns(states)) out.push_back(r);
  for (const Residual& r : sizes()) out.push_back(r);
  return out;
}

}  // namespace trammel::test
