#include <Eigen/Geometry>
#include <Eigen/LU>

#include "math/jet_cases.h"
#include "support/seeds.h"

namespace trammel {
namespace {

using namespace trammel::test;

template <class Scalar>
using Vector3 = Eigen::Matrix<Scalar, 3, 1>;
using JetMatrix = Eigen::Matrix<Jet, Eigen::Dynamic, Eigen::Dynamic>;

template <class Derived>
auto value_of(const Eigen::MatrixBase<Derived>& m) {
  return m.unaryExpr([](const Jet& u) { return u.x; }).eval();
}
template <class Derived>
auto rate_of(const Eigen::MatrixBase<Derived>& m) {
  return m.unaryExpr([](const Jet& u) { return u.dx; }).eval();
}
template <class Derived>
auto second_rate_of(const Eigen::MatrixBase<Derived>& m) {
  return m.unaryExpr([](const Jet& u) { return u.ddx; }).eval();
}

JetMatrix random_jets(Eigen::Index rows, Eigen::Index cols, Draw& draw) {
  return JetMatrix::NullaryExpr(rows, cols,
                                [&] { return Jet(draw.uniform(-1, 1), draw.uniform(-1, 1), draw.uniform(-1, 1)); });
}
Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index cols, Draw& draw) {
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return draw.uniform(-1, 1); });
}

TEST(JetInEigen, AConstantMatrixActsOnValueAndRatesAlike) {
  Draw draw;
  const Eigen::Matrix3d M = random_matrix(3, 3, draw);
  const Vector3<Jet> u = random_jets(3, 1, draw);
  const Vector3<Jet> left = M * u, right = (u.transpose() * M.transpose()).transpose();
  for (const auto& product : {left, right}) {
    EXPECT_LE((value_of(product) - M * value_of(u)).norm(), 4 * eps);
    EXPECT_LE((rate_of(product) - M * rate_of(u)).norm(), 4 * eps);
    EXPECT_LE((second_rate_of(product) - M * second_rate_of(u)).norm(), 4 * eps);
  }
  Vector3<Jet> sum = 2 * u + u * 2.0 - u / 0.5 + Eigen::Vector3d::Ones();
  sum += Eigen::Vector3d::UnitX().cast<Jet>();
  sum *= 3.0;
  EXPECT_LE((value_of(sum) - 3 * (2 * value_of(u) + Eigen::Vector3d(2, 1, 1))).norm(), 32 * eps);
  EXPECT_LE((second_rate_of(sum) - 6 * second_rate_of(u)).norm(), 32 * eps);
}

TEST(JetInEigen, DotAndCrossProductsFollowLeibniz) {
  Draw draw;
  const Vector3<Jet> a = random_jets(3, 1, draw), b = random_jets(3, 1, draw);
  const Eigen::Vector3d A = value_of(a), A1 = rate_of(a), A2 = second_rate_of(a);
  const Eigen::Vector3d B = value_of(b), B1 = rate_of(b), B2 = second_rate_of(b);
  const Jet dot(A.dot(B), A1.dot(B) + A.dot(B1), A2.dot(B) + 2 * A1.dot(B1) + A.dot(B2));
  EXPECT_LE(error("a · b", a.dot(b), dot, {1, 2, 4}), 4);
  const Vector3<Jet> cross = a.cross(b);
  EXPECT_LE((value_of(cross) - A.cross(B)).norm(), 4 * eps);
  EXPECT_LE((rate_of(cross) - A1.cross(B) - A.cross(B1)).norm(), 4 * eps);
  EXPECT_LE((second_rate_of(cross) - A2.cross(B) - 2 * A1.cross(B1) - A.cross(B2)).norm(), 8 * eps);
}

TEST(JetInEigen, ADirectionStaysUnitLengthAndTimesTheNormIsTheVector) {
  Draw draw;
  for (int i = 0, all = cases(100); i < all; ++i) {
    const Vector3<Jet> a = random_jets(3, 1, draw), n = a.normalized();
    const double spin = rate_of(a).norm() / value_of(a).norm(),
                 pull = second_rate_of(a).norm() / value_of(a).norm() + spin * spin;
    EXPECT_LE(error("|a/|a|| = 1", n.norm(), 1, {1, spin, pull}), 16);
    for (int k = 0; k < 3; ++k)
      EXPECT_LE(error("|a| (a/|a|) = a", a.norm() * n(k), a(k), Jet(1, spin, pull) * a.norm().x), 16);
    EXPECT_LE(error("a · a", a.squaredNorm(), a.dot(a), Jet(1, spin, pull) * a.squaredNorm().x), 4);
  }
  EXPECT_TRUE(same(Vector3<Jet>::Zero().norm(), 0));
  EXPECT_TRUE(without_rates(Vector3<Jet>(Jet(0, 1, 0), 0, 0).norm(), 0));
}

TEST(JetInEigen, APointOnATurningBodyHasTheVelocityAndAccelerationOfRigidMotion) {
  // v = ω × p, a = α × p + ω × (ω × p), from the second rates of R(θ) p
  const Eigen::Vector3d axis = Eigen::Vector3d(1, -2, 2) / 3, p(0.3, 0.7, -0.2);
  const double theta = 0.8, omega = 1.7, alpha = -2.3;
  const Eigen::AngleAxis<Jet> turn(Jet(theta, omega, alpha), axis.cast<Jet>());
  const Vector3<Jet> by_matrix = turn.toRotationMatrix() * p,
                     by_quaternion = Eigen::Quaternion<Jet>(turn) * p.cast<Jet>();
  const Eigen::Vector3d now = Eigen::AngleAxisd(theta, axis) * p, w = omega * axis, v = w.cross(now);
  for (const auto& q : {by_matrix, by_quaternion}) {
    EXPECT_LE((value_of(q) - now).norm(), 8 * eps);
    EXPECT_LE((rate_of(q) - v).norm(), 16 * eps);
    EXPECT_LE((second_rate_of(q) - alpha * axis.cross(now) - w.cross(v)).norm(), 32 * eps);
  }
}

TEST(JetInEigen, DynamicMatricesMultiplyMixAndSolve) {
  Draw draw;
  const Eigen::Index n = 12;
  const JetMatrix X = random_jets(n, n, draw);
  const Eigen::MatrixXd D = random_matrix(n, n, draw);
  const Eigen::VectorXd d = random_matrix(n, 1, draw);
  const JetMatrix product = X * X, lazy = D.lazyProduct(X), cast = D.cast<Jet>() * X, times = D * X.col(0);
  const Eigen::MatrixXd x = value_of(X), dx = rate_of(X), ddx = second_rate_of(X);
  EXPECT_LE((second_rate_of(product) - ddx * x - 2 * dx * dx - x * ddx).norm(), 100 * n * eps);
  EXPECT_LE((second_rate_of(lazy) - D * ddx).norm() + (second_rate_of(cast) - D * ddx).norm(), 20 * n * eps);
  EXPECT_LE((rate_of(times) - D * dx.col(0)).norm(), 10 * n * eps);
  // A y = d with a moving A: the residual of all three orders, A diagonally dominant so that cond ~ 1
  const JetMatrix A = X + 2.0 * double(n) * JetMatrix::Identity(n, n), y = A.partialPivLu().solve(d.cast<Jet>());
  const JetMatrix residual = A * y - d;
  EXPECT_LE(value_of(residual).norm() + rate_of(residual).norm() + second_rate_of(residual).norm(), 20 * n * eps);
  EXPECT_TRUE(X.allFinite());
  EXPECT_TRUE(same(X.maxCoeff(), *std::max_element(X.data(), X.data() + X.size())));
}

TEST(JetInEigen, AMissingRateIsSeenByIsFinite) {
  Vector3<Jet> u(1, 2, Jet(3, 1, 0));
  EXPECT_TRUE(u.array().isFinite().all() && !u.array().isNaN().any());
  u(1).ddx = nan;
  EXPECT_TRUE(!u.array().isFinite().all() && u.array().isNaN().any());
}

}  // namespace
}  // namespace trammel
