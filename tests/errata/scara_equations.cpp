// The equations of the SCARA paper. Its twists are [v; ω], ours [ω; v]: the formulas are the same in both orders.
#include <gtest/gtest.h>

#include "errata/residuals.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/motion/dense_equation.h"
#include "trammel/motion/tree_motion.h"

namespace trammel::test {
namespace {

constexpr double l0 = 0, l1 = 0.2, l2 = 0.25, r1 = 0.1, r2 = 0.125;
constexpr double mass[] = {20, 15, 15, 0.5}, Iz[] = {0.27, 0.31, 0.02, 0.0001};

// Eqs. (15) to (27) by the product of exponentials, links and joints counted from 0.
struct Exponentials {
  Vec6<> xi[4];  // (33)
  Pose<> exponential[4];
  Pose<> g0[4], g[4];  // g_SCi(0) and g_SCi(q), (15)
  Mat6<> inertia[4];   // M_i

  explicit Exponentials(const VecX<>& q) {
    xi[0] << 0, 0, 1, 0, 0, 0;
    xi[1] << 0, 0, 1, l1, 0, 0;
    xi[2] << 0, 0, 1, l1 + l2, 0, 0;
    xi[3] << 0, 0, 0, 0, 0, 1;
    const double along[] = {r1, l1 + r2, l1 + l2, l1 + l2};
    for (int i = 0; i < 4; ++i) {
      exponential[i] = exp_se3(xi[i] * q[i]);
      g0[i].p = {0, along[i], l0};
      inertia[i].setZero();
      inertia[i].diagonal() << Iz[i], Iz[i], Iz[i], mass[i], mass[i], mass[i];
      g[i] = product(0, i) * g0[i];
    }
  }

  Pose<> product(int first, int last) const {  // e^{ξ_first q_first} … e^{ξ_last q_last}
    Pose<> out;
    for (int k = first; k <= last; ++k) out = out * exponential[k];
    return out;
  }

  Mat6<> A(int i, int j) const {  // (25)
    if (i < j) return Mat6<>::Zero();
    return inverse_of(adjoint(product(j + 1, i)));
  }
};

// The velocity of each link's mass centre along the link's own axes, by the recursion.
std::vector<Vec3<>> centre_velocities(const Model& model, const VecX<>& q, const VecX<>& v) {
  Kinematics<> kin(model);
  kinematics<double>(model, q, v, kin);
  std::vector<Vec3<>> out;
  for (int i = 0; i < 4; ++i) {
    const Vec3<> to_centre = kin.bodies[i].X_WB.R * model.bodies()[i].inertia.com();
    const Mat3<> axes = kin.pose(model.frame("link" + std::to_string(i + 1))).R;
    out.emplace_back(axes.transpose() * motion_at<double>(kin.motion[i].V, to_centre).tail<3>());
  }
  return out;
}

// (8): the force of the constraints, by M^{±1/2} B⁺ (b − A M⁻¹Q).
Residual root_of_the_mass(const VecX<>& q, const VecX<>& v, double t) {
  const System system = scara_on_helix();
  const Equation e = dense_equation(system, q, v, t);
  const VecX<> truth = solve_motion(system, q, v, t).Qc;
  const MatX<> B = e.A * power(e.M, -0.5);
  const VecX<> miss = e.b - e.A * inverse_of(e.M) * e.Q;
  return {"2", largest(power(e.M, -0.5) * pseudo_inverse(B) * miss - truth),
          largest(power(e.M, 0.5) * pseudo_inverse(B) * miss - truth)};
}

// (17): ξ†_j = Ad⁻¹(e^{ξ_1 q_1} … e^{ξ_i q_i} g_SCi(0)) ξ_j; the product begins with joint j.
Residual first_exponential(const Model& model, const VecX<>& q, const VecX<>& v) {
  const Exponentials x(q);
  const std::vector<Vec3<>> truth = centre_velocities(model, q, v);
  Residual out{"3", 0, 0};
  for (int i = 0; i < 4; ++i) {
    Vec6<> printed = Vec6<>::Zero(), corrected = printed;
    for (int j = 0; j <= i; ++j) {
      printed += inverse_of(adjoint(x.product(0, i) * x.g0[i])) * x.xi[j] * v[j];
      corrected += inverse_of(adjoint(x.product(j, i) * x.g0[i])) * x.xi[j] * v[j];
    }
    out.printed = std::max(out.printed, (printed.tail<3>() - truth[i]).norm());
    out.corrected = std::max(out.corrected, (corrected.tail<3>() - truth[i]).norm());
  }
  return out;
}

// Under (24): J_i = Ad⁻¹(g_SCi(q)) [A_i1 ξ_1 … A_ii ξ_i 0 …]; g_SCi is meant at q = 0.
Residual link_jacobian(const Model& model, const VecX<>& q, const VecX<>& v) {
  const Exponentials x(q);
  const std::vector<Vec3<>> truth = centre_velocities(model, q, v);
  Residual out{"4a", 0, 0};
  for (int i = 0; i < 4; ++i) {
    Vec6<> sum = Vec6<>::Zero();
    for (int j = 0; j <= i; ++j) sum += x.A(i, j) * x.xi[j] * v[j];
    const Vec6<> printed = inverse_of(adjoint(x.g[i])) * sum, corrected = inverse_of(adjoint(x.g0[i])) * sum;
    out.printed = std::max(out.printed, (printed.tail<3>() - truth[i]).norm());
    out.corrected = std::max(out.corrected, (corrected.tail<3>() - truth[i]).norm());
  }
  return out;
}

// (27) with M′_l, whichever it is.
MatX<> mass_from(const Exponentials& x, const std::vector<Mat6<>>& reflected) {
  MatX<> M = MatX<>::Zero(4, 4);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int l = std::max(i, j); l < 4; ++l)
        M(i, j) += (x.A(l, i) * x.xi[i]).dot(reflected[l] * (x.A(l, j) * x.xi[j]));
  return M;
}

std::vector<Mat6<>> reflected_inertias(const Exponentials& x) {
  std::vector<Mat6<>> out;
  for (int l = 0; l < 4; ++l) {
    const Mat6<> Ad = adjoint(x.g0[l].inverse());
    out.emplace_back(Ad.transpose() * x.inertia[l] * Ad);
  }
  return out;
}

// (26): M′_i = Ad(g_SCi(q))ᵀ M_i Ad⁻¹(g_SCi(q)); g_SCi is meant at q = 0, inverted on both sides.
Residual reflected_inertia(const Model& model, const VecX<>& q) {
  const Exponentials x(q);
  std::vector<Mat6<>> printed;
  for (int l = 0; l < 4; ++l) {
    const Mat6<> Ad = adjoint(x.g[l]);
    printed.emplace_back(Ad.transpose() * x.inertia[l] * inverse_of(Ad));
  }
  const MatX<> truth = mass_matrix(model, q);
  return {"4b", largest(mass_from(x, printed) - truth), largest(mass_from(x, reflected_inertias(x)) - truth)};
}

// (30): C q̇ from ∂M_ij/∂q_k, whose first bracket is printed as [A_li ξ_i, ξ_k] in place of [A_ki ξ_i, ξ_k].
VecX<> velocity_terms(const Exponentials& x, const VecX<>& v, bool as_printed) {
  const std::vector<Mat6<>> inertia = reflected_inertias(x);
  const auto slope = [&](int i, int j, int k) {
    double sum = 0;
    for (int l = std::max(i, j); l < 4; ++l) {
      const Vec6<> first = motion_cross<double>(x.A(as_printed ? l : k, i) * x.xi[i], x.xi[k]);
      const Vec6<> second = motion_cross<double>(x.A(k, j) * x.xi[j], x.xi[k]);
      sum += (x.A(l, k) * first).dot(inertia[l] * (x.A(l, j) * x.xi[j])) +
             (x.A(l, i) * x.xi[i]).dot(inertia[l] * (x.A(l, k) * second));
    }
    return sum;
  };
  VecX<> out = VecX<>::Zero(4);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k) out[i] += 0.5 * (slope(i, j, k) + slope(i, k, j) - slope(k, j, i)) * v[k] * v[j];
  return out;
}

Residual first_bracket(const Model& model, const VecX<>& q, const VecX<>& v) {
  const VecX<> none = VecX<>::Zero(4);
  const VecX<> truth = inverse_dynamics(model, q, v, none) - inverse_dynamics(model, q, none, none);
  const Exponentials x(q);
  return {"5", largest(velocity_terms(x, v, true) - truth), largest(velocity_terms(x, v, false) - truth)};
}

// (43) has c124 for c123; (45) names α and β where (42) has φ and ψ.
std::vector<Residual> orientation(const Model& model, const VecX<>& q) {
  Positions<> where(model);
  positions<double>(model, q, where);
  const Mat3<> truth = where.pose(model.frame("tool")).R;
  const double c123 = std::cos(q[0] + q[1] + q[2]), s123 = std::sin(q[0] + q[1] + q[2]),
               c124 = std::cos(q[0] + q[1] + q[3]);
  Mat3<> printed, corrected;
  printed << c124, -s123, 0, s123, c123, 0, 0, 0, 1;
  corrected << c123, -s123, 0, s123, c123, 0, 0, 0, 1;

  const auto unset = [](std::initializer_list<std::string> given) {
    int out = 0;
    for (const char* angle : {"phi", "psi", "gamma"})
      out += std::find(given.begin(), given.end(), angle) == given.end();
    return out;
  };
  const int unset_printed = unset({"alpha", "beta", "gamma"}), unset_corrected = unset({"phi", "psi", "gamma"});

  // R_zyz of (42) with the angles of (45)
  const double phi = 0, psi = 0, gamma = std::atan2(-truth(0, 1), truth(0, 0));
  const auto about_z = [](double a) {
    Mat3<> R;
    R << std::cos(a), -std::sin(a), 0, std::sin(a), std::cos(a), 0, 0, 0, 1;
    return R;
  };
  Mat3<> about_y;
  about_y << std::cos(psi), 0, std::sin(psi), 0, 1, 0, -std::sin(psi), 0, std::cos(psi);
  return {{"7", largest(printed - truth), largest(corrected - truth)},
          {"8a", 1.0 * unset_printed, 1.0 * unset_corrected},
          {"8b", no_number, largest(about_z(phi) * about_y * about_z(gamma) - truth)}};
}

// (10) with p of the four rows, p < n; and with p = n rows that are not independent.
std::vector<Residual> multipliers_of(const VecX<>& q, const VecX<>& v, double t) {
  const Equation all = dense_equation(scara_on_helix(), q, v, t);
  const auto solve = [](const Equation& e, VecX<>& vdot) {
    const int n = static_cast<int>(e.Q.size()), p = static_cast<int>(e.b.size());
    MatX<> matrix = MatX<>::Zero(n + p, n + p);
    matrix.topLeftCorner(n, n) = e.M;
    matrix.topRightCorner(n, p) = -e.A.transpose();
    matrix.bottomLeftCorner(p, n) = e.A;
    VecX<> right(n + p);
    right << e.Q, e.b;
    vdot = least_squares(matrix, right).topRows(n);
    return n + p - rank_of(matrix);  // unknowns left open
  };
  Residual motion{"10a", no_number, 0}, open{"10b", 0, 0};
  for (int p = 1; p < 4; ++p) {
    const Equation some{all.M, all.Q, all.A.topRows(p), all.b.head(p)};
    VecX<> vdot;
    open.corrected += solve(some, vdot);
    motion.corrected = std::max(motion.corrected, largest(vdot - udwadia_kalaba(some).vdot));
  }
  Equation twice = all;
  twice.A.row(2) = twice.A.row(0);
  twice.b[2] = twice.b[0];
  VecX<> vdot;
  open.printed = solve(twice, vdot);
  return {motion, open};
}

// (37): e^{ξq} has the translation (1 − e^{ωq})(ω × v) + q ω ωᵀ v, which needs a rotation; without one it is q v.
Residual exponential_of_a_slide(const Model& model, const VecX<>& q) {
  Positions<> there(model), before(model);
  positions<double>(model, q, there);
  VecX<> drawn_in = q;
  drawn_in[3] = 0;
  positions<double>(model, drawn_in, before);
  const Frame& tool = model.frame("tool");
  const Vec3<> truth = there.pose(tool).p - before.pose(tool).p;
  const Vec3<> w = Vec3<>::Zero(), slide(0, 0, 1);
  const Vec3<> printed = (Mat3<>::Identity() - Mat3<>::Identity()) * cross(w, slide) + q[3] * w * w.dot(slide);
  return {"35", (printed - truth).norm(), (q[3] * slide - truth).norm()};
}

}  // namespace

std::vector<Residual> scara_equations(const States& states) {
  const Model model = paper_robot("scara");
  const VecX<>&q = states.at("scara.q"), &v = states.at("scara.v");
  const double t = states.at("scara.t")[0];
  std::vector<Residual> out = {root_of_the_mass(q, v, t), first_exponential(model, q, v), link_jacobian(model, q, v),
                               reflected_inertia(model, q), first_bracket(model, q, v)};
  // (32): the translation of g_ST(0)
  const std::vector<double> printed_translation = {0, l1 + l2, l0, 1}, translation = {0, l1 + l2, l0};
  out.push_back({"6", 1.0 * printed_translation.size(), 1.0 * translation.size()});
  for (const Residual& r : orientation(model, q)) out.push_back(r);
  // ξ_4 = [v_4; 0] with v_4 as a row and as a column
  const Eigen::RowVector3d printed_v4(0, 0, 1);
  const Vec3<> v4(0, 0, 1);
  out.push_back({"9", 1.0 * (printed_v4.rows() + 3), 1.0 * (v4.rows() + 3)});
  for (const Residual& r : multipliers_of(q, v, t)) out.push_back(r);
  out.push_back(exponential_of_a_slide(model, q));
  return out;
}

}  // namespace trammel::test
