// The serial manipulator in the paper's redundant coordinates: three angles and the places of three points, tied together
// by nine constraints; and with the elbow's relative angle besides, where the mass matrix is singular.
#include <gtest/gtest.h>

#include "support/paper_systems.h"
#include "support/random.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/formulations/formulations.h"
#include "trammel/motion/dense_equation.h"

namespace trammel {
namespace {

using namespace trammel::test;

constexpr double Jz1 = 3, m2 = 3, m3 = 3, m4 = 1, l2 = 1, l3 = 1, Jx = 0.36, Jy = 0.07, Jz = 0.36, gravity = 9.81;

// γ₁, α₂, χ₃ = α₂ + α₃, then x, y, z of G₂, G₃ and m₄; α₃ behind them where it is kept. Torques T₁ on γ₁, T₂ on α₂ and T₃
// between the links: −T₃ on α₂ and T₃ on χ₃, or on α₃ itself where that is a coordinate.
MatrixSystem serial_in_redundant_coordinates(const Vec3<>& T, bool with_elbow) {
  MatrixSystem out;
  out.coordinates = {"gamma1", "alpha2", "chi3", "x2", "y2", "z2", "x3", "y3", "z3", "x4", "y4", "z4"};
  if (with_elbow) out.coordinates.emplace_back("alpha3");
  // a link pitched by α about x and turned by γ about z spins with (α̇, γ̇ sin α, γ̇ cos α) in its own axes
  const auto about_z = [](double a) { return Jy * std::sin(a) * std::sin(a) + Jz * std::cos(a) * std::cos(a); };
  out.mass = [about_z](const VecX<>& q, double, MatX<>& M) {
    M.setZero();
    M(0, 0) = Jz1 + about_z(q[1]) + about_z(q[2]);
    M(1, 1) = M(2, 2) = Jx;
    for (int k = 0; k < 3; ++k) M(3 + k, 3 + k) = m2, M(6 + k, 6 + k) = m3, M(9 + k, 9 + k) = m4;
  };
  out.forces = [T, with_elbow](const VecX<>& q, const VecX<>& v, double, VecX<>& Q) {
    // ∂/∂α of ½ (Jy sin² α + Jz cos² α) γ̇², and the rate of the same inertia times γ̇
    const auto slope = [](double a) { return (Jy - Jz) * std::sin(2 * a); };
    Q.setZero();
    Q[0] = T[0] - (slope(q[1]) * v[1] + slope(q[2]) * v[2]) * v[0];
    Q[1] = T[1] + 0.5 * slope(q[1]) * v[0] * v[0];
    Q[2] = 0.5 * slope(q[2]) * v[0] * v[0];
    if (with_elbow)
      Q[12] = T[2];
    else
      Q[1] -= T[2], Q[2] += T[2];
    Q[5] = -m2 * gravity;
    Q[8] = -m3 * gravity;
    Q[11] = -m4 * gravity;
  };
  out.constraints.push_back(
      {"places", 9, Level::position,
       [](const VecX<Jet>& q, const VecX<Jet>&, const Jet&, Eigen::Ref<VecX<Jet>> phi) {
         const Jet reach2 = cos(q[1]), rise2 = sin(q[1]), reach3 = cos(q[2]), rise3 = sin(q[2]);
         const Jet reach[] = {reach2 * (l2 / 2), reach2 * l2 + reach3 * (l3 / 2), reach2 * l2 + reach3 * l3};
         const Jet rise[] = {rise2 * (l2 / 2), rise2 * l2 + rise3 * (l3 / 2), rise2 * l2 + rise3 * l3};
         for (int point = 0; point < 3; ++point) {
           phi[3 * point] = q[3 + 3 * point] + sin(q[0]) * reach[point];
           phi[3 * point + 1] = q[4 + 3 * point] - cos(q[0]) * reach[point];
           phi[3 * point + 2] = q[5 + 3 * point] - rise[point];
         }
       },
       Layer::physical});
  if (with_elbow)
    out.constraints.push_back({"elbow", 1, Level::position,
                               [](const VecX<Jet>& q, const VecX<Jet>&, const Jet&, Eigen::Ref<VecX<Jet>> phi) {
                                 phi[0] = q[2] - q[1] - q[12];
                               },
                               Layer::physical});
  return out;
}

// A state of the tree (γ₁, α₂, α₃) in the redundant coordinates.
void place(const VecX<>& q, const VecX<>& v, bool with_elbow, VecX<>& Q, VecX<>& V) {
  const int n = with_elbow ? 13 : 12;
  Q.resize(n);
  V.resize(n);
  const Jet gamma(q[0], v[0]), alpha(q[1], v[1]), chi(q[1] + q[2], v[1] + v[2]);
  VecX<Jet> all(n);
  all[0] = gamma;
  all[1] = alpha;
  all[2] = chi;
  const Jet reach[] = {cos(alpha) * (l2 / 2), cos(alpha) * l2 + cos(chi) * (l3 / 2), cos(alpha) * l2 + cos(chi) * l3};
  const Jet rise[] = {sin(alpha) * (l2 / 2), sin(alpha) * l2 + sin(chi) * (l3 / 2), sin(alpha) * l2 + sin(chi) * l3};
  for (int point = 0; point < 3; ++point) {
    all[3 + 3 * point] = -sin(gamma) * reach[point];
    all[4 + 3 * point] = cos(gamma) * reach[point];
    all[5 + 3 * point] = rise[point];
  }
  if (with_elbow) all[12] = chi - alpha;
  for (int i = 0; i < n; ++i) Q[i] = all[i].x, V[i] = all[i].dx;
}

class SerialRedundant : public ::testing::TestWithParam<bool> {};

TEST_P(SerialRedundant, MaggiGivesTheMotionOfTheTree) {
  const bool with_elbow = GetParam();
  const System tree(paper_robot("serial"));
  const auto index = [&](const char* joint) { return tree.model.bodies()[tree.model.joint(joint)].v; };
  const int joints[] = {index("gamma1"), index("alpha2"), index("alpha3")};
  Random random(41);
  Worst motion("rows that are not met"), inverse("torques that the motion takes, against inverse dynamics"),
      others("the other formulations, in redundant coordinates");
  for (int i = 0, all = cases(200); i < all; ++i) {
    const VecX<> q = random.vector(3, 3), v = random.vector(3, 2);
    const Vec3<> T = random.vector(30);
    const MatrixSystem system = serial_in_redundant_coordinates(T, with_elbow);
    VecX<> Q, V;
    place(q, v, with_elbow, Q, V);
    const Equation e = dense_equation(system, Q, V);
    const Motion by_maggi = maggi(e);
    ASSERT_EQ(by_maggi.status, Status::regular);
    EXPECT_EQ(by_maggi.rank, with_elbow ? 10 : 9);

    VecX<> q_tree(3), v_tree(3), vdot_tree(3);
    const double vdot[] = {by_maggi.vdot[0], by_maggi.vdot[1], by_maggi.vdot[2] - by_maggi.vdot[1]};
    for (int k = 0; k < 3; ++k) {
      q_tree[joints[k]] = q[k];
      v_tree[joints[k]] = v[k];
      vdot_tree[joints[k]] = vdot[k];
    }
    // the torques under which the tree moves like that are the ones that were given
    const VecX<> needed = inverse_dynamics(tree.model, q_tree, v_tree, vdot_tree);
    for (int k = 0; k < 3; ++k) inverse.see(std::abs(needed[joints[k]] - T[k]) / 100);

    const Motion uk = udwadia_kalaba(e);
    ASSERT_TRUE(has_motion(uk.status));
    others.see((uk.vdot - by_maggi.vdot).norm() / by_maggi.vdot.norm());
    const Motion kkt = multipliers(e);
    ASSERT_EQ(kkt.status, Status::regular);
    others.see((kkt.vdot - by_maggi.vdot).norm() / by_maggi.vdot.norm());
    const Motion printed = literal(e);
    EXPECT_EQ(printed.status, with_elbow ? Status::singular : Status::regular);  // M^{−1/2} does not exist
    if (!with_elbow) others.see((printed.vdot - by_maggi.vdot).norm() / by_maggi.vdot.norm());
    motion.see((dense_equation(system, Q, V).A * by_maggi.vdot - e.b).norm() / (1 + e.b.norm()));
  }
  EXPECT_LT(inverse.value(), 1e-12);
  EXPECT_LT(others.value(), 1e-12);
  EXPECT_LT(motion.value(), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Elbow, SerialRedundant, ::testing::Bool(),
                         [](const auto& kept) { return kept.param ? "Kept" : "Left_out"; });

}  // namespace
}  // namespace trammel
