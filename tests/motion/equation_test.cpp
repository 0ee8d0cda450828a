#include "trammel/motion/equation.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "support/condition.h"
#include "support/linear_algebra.h"
#include "support/random.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/formulations/formulations.h"
#include "trammel/motion/dense_factor.h"

namespace trammel {
namespace {

using namespace trammel::test;

MatX<> random_matrix(Random& random, int rows, int columns) {
  return MatX<>::NullaryExpr(rows, columns, [&] { return random.uniform(-1, 1); });
}

MatX<> random_mass(Random& random, int n, double spread = 10) {
  const MatX<> Q = orthogonal_factor(random_matrix(random, n, n));
  const VecX<> d = VecX<>::NullaryExpr(n, [&] { return random.log_uniform(1, spread); });
  return Q * d.asDiagonal() * Q.transpose();
}

// m consistent rows of the given rank: b comes from some acceleration.
Equation random_equation(Random& random, int n, int m, int rank) {
  Equation e{random_mass(random, n), random.vector(n, 5), {}, {}};
  e.A = random_matrix(random, m, rank) * random_matrix(random, rank, n);
  e.b = e.A * random.vector(n, 3);
  return e;
}

TEST(Equation, FormulationsAgreeOnConsistentRowsWithinTheirCondition) {
  Random random(1);
  Worst worst("formulations apart, over eps·cond");
  for (int i = 0, all = cases(1000); i < all; ++i) {
    const int n = random.integer(1, 12), rank = random.integer(1, n), m = random.integer(rank, n + 4);
    const Equation e = random_equation(random, n, m, rank);
    const double bound = eps * condition(e, rank);
    const Motion uk = udwadia_kalaba(e), formula = literal(e), lagrange = multipliers(e);
    EXPECT_EQ(uk.rank, rank);
    EXPECT_EQ(uk.status == Status::redundant, m > rank) << name_of(uk.status);
    worst.see(difference(uk, formula) / bound);
    if (m == rank)
      worst.see(difference(uk, lagrange) / bound);
    else
      EXPECT_EQ(lagrange.status, Status::singular);  // it cannot, and says so
  }
  EXPECT_LT(worst.value(), 100);
}

RC_GTEST_PROP(Equation, DuplicatingAndRescalingRowsChangesNothing, ()) {
  Random random(*any_seed());
  const int n = random.integer(2, 10), rank = random.integer(1, n);
  const Equation e = random_equation(random, n, rank, rank);
  Equation more = e;
  more.A.conservativeResize(2 * rank, n);
  more.b.conservativeResize(2 * rank);
  for (int k = 0; k < rank; ++k) {
    const double scale = random.log_uniform(1e-6, 1e6);
    more.A.row(rank + k) = more.A.row(k) * scale;
    more.b[rank + k] = more.b[k] * scale;
  }
  const Motion plain = udwadia_kalaba(e), doubled = udwadia_kalaba(more);
  RC_ASSERT(doubled.rank == rank);
  RC_ASSERT(difference(doubled, plain) < 1e-9 * condition(e, rank));  // 1e6 between the scales costs six digits
}

RC_GTEST_PROP(Equation, NoAdmissibleAccelerationIsNearerToTheFreeOne, ()) {
  // Gauss: (v̇ − a)ᵀM(v̇ − a) is least among all v̇ with A v̇ = b
  Random random(*any_seed());
  const int n = random.integer(2, 10), rank = random.integer(1, n - 1);
  const Equation e = random_equation(random, n, rank + random.integer(0, 3), rank);
  const Motion motion = udwadia_kalaba(e);
  const VecX<> a = solve_definite(e.M, e.Q);
  const auto distance = [&](const VecX<>& vdot) { return (vdot - a).dot(e.M * (vdot - a)); };
  const MatX<> Q = orthogonal_factor(e.A.topRows(rank).transpose());  // any `rank` of its rows are independent
  for (int i = 0; i < 20; ++i) {
    const VecX<> other = motion.vdot + Q.rightCols(n - rank) * random.vector(n - rank, random.log_uniform(1e-3, 10));
    RC_ASSERT(distance(other) >= distance(motion.vdot) * (1 - 1e-10));
  }
  RC_ASSERT(std::abs(motion.Qc.dot(Q.rightCols(n - rank) * random.vector(n - rank, 1))) <
            1e-8 * (1 + motion.Qc.norm()));
}

// The answer with 64 bits of mantissa, by another library's QR: y = Q R⁻ᵀ r of Y = L⁻¹Aᵀ.
VecX<> in_long_double(const Equation& e) {
  using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Eigen::LLT<Long> L(e.M.cast<long double>());
  const Long A = e.A.cast<long double>(), Y = L.matrixL().solve(Long(A.transpose()));
  const Long h = L.matrixL().solve(Long(e.Q.cast<long double>()));
  const Long r = e.b.cast<long double>() - Y.transpose() * h;
  const Eigen::HouseholderQR<Long> qr(Y);
  const Long R = qr.matrixQR().topRows(A.rows());
  Long y = Long::Zero(Y.rows(), 1);
  y.topRows(A.rows()) = R.transpose().triangularView<Eigen::Lower>().solve(r);
  y = qr.householderQ() * y;
  return Long(L.matrixU().solve(Long(h + y))).cast<double>();
}

TEST(Equation, IllConditionedRowsKeepTheirDigitsWhereTheDelassusMatrixLosesThem) {
  Random random(5);
  std::printf("   σ_min   digits kept, QR of Y   digits kept, A M⁻¹Aᵀ\n");
  for (const double sigma : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    double worst_qr = 0, worst_delassus = 0;
    for (int i = 0; i < 50; ++i) {
      const int n = 8, m = 4;
      Equation e{random_mass(random, n), random.vector(n, 5), {}, {}};
      // the last row leans on the others but for sigma of a direction of its own
      e.A = random_matrix(random, m, n);
      e.A.row(m - 1) = e.A.row(0) - 0.5 * e.A.row(1) + sigma * e.A.row(m - 1);
      const VecX<> wanted = random.vector(n, 3);
      e.b = e.A * wanted;
      const VecX<> exact = in_long_double(e);
      const Motion motion = udwadia_kalaba(e);
      const MatX<> MinvA = solve_definite(e.M, e.A.transpose());
      const VecX<> free = solve_definite(e.M, e.Q);
      const VecX<> delassus = free + MinvA * solve_symmetric(e.A * MinvA, e.b - e.A * free);
      worst_qr = std::max(worst_qr, (motion.vdot - exact).norm() / exact.norm());
      worst_delassus = std::max(worst_delassus, (delassus - exact).norm() / exact.norm());
    }
    std::printf("  %7.0e   %20.1f   %20.1f\n", sigma, -std::log10(worst_qr), -std::log10(worst_delassus));
    EXPECT_LT(worst_qr, 1e4 * eps / sigma);  // 8 digits at 1e-5 and more; entries of A and M spread by some tens
  }
}

RC_GTEST_PROP(Equation, ControlRowsThatContradictTheLoopsLeaveTheLoopsExact, ()) {
  Random random(*any_seed());
  const int n = random.integer(3, 10), loops = random.integer(1, n - 1);
  Equation e = random_equation(random, n, loops, loops);
  e.physical = loops;
  const int control = random.integer(1, 4);
  e.A.conservativeResize(loops + control, n);
  e.b.conservativeResize(loops + control);
  // inside the span of the loops, asking for something else
  for (int k = 0; k < control; ++k) {
    e.A.row(loops + k) = random.vector(loops, 1).transpose() * e.A.topRows(loops);
    e.b[loops + k] = random.uniform(5, 10) * 100;
  }
  const Motion motion = udwadia_kalaba(e);
  RC_ASSERT(motion.status == Status::contradictory);
  const double scale = 1 + motion.vdot.norm();
  RC_ASSERT(motion.residual.head(loops).norm() < 1e-13 * scale * condition(e, loops));
  // and the control rows, having nothing to act on, change nothing
  Equation without = e;
  without.A = e.A.topRows(loops);
  without.b = e.b.head(loops);
  RC_ASSERT(difference(motion, udwadia_kalaba(without)) < 1e-12 * condition(e, loops));
}

RC_GTEST_PROP(Equation, ContradictoryRowsOfOneLayerAreMetInTheLeastSquaresSense, ()) {
  Random random(*any_seed());
  const int n = random.integer(2, 8), rank = random.integer(1, n - 1);
  Equation e = random_equation(random, n, rank + 2, rank);
  e.b = random.vector(rank + 2, 5);
  const Motion motion = udwadia_kalaba(e), formula = literal(e);
  RC_ASSERT(motion.status == Status::contradictory);
  // the literal formula's pseudo-inverse means the same: least |A v̇ − b|, then least distance to the free motion
  RC_ASSERT(std::abs(motion.residual.norm() - formula.residual.norm()) < 1e-8 * (1 + formula.residual.norm()));
  RC_ASSERT(difference(motion, formula) < 1e-10 * std::pow(condition(e, rank), 2));
}

TEST(Equation, ASingularMassMatrixIsFineWhereTheConstraintsMakeUpForIt) {
  // Udwadia and Phohomsiri: a wheel rolls down, y its travel without mass, θ its turn
  const double m = 2, R = 0.3, Ic = 0.07, alpha = 0.4, g = 9.81;
  Equation e{MatX<>::Zero(2, 2), VecX<>(2), MatX<>(1, 2), VecX<>::Zero(1)};
  e.M(1, 1) = m * R * R + Ic;
  e.Q << 0, m * g * R * std::sin(alpha);
  e.A << 1, -R;
  const Motion motion = udwadia_kalaba(e);
  const double turn = m * g * R * std::sin(alpha) / (m * R * R + Ic);
  EXPECT_NE(motion.status, Status::singular);
  EXPECT_NEAR(motion.vdot[0], R * turn, 1e-13);
  EXPECT_NEAR(motion.vdot[1], turn, 1e-13);

  e.A << 0, 1;  // says nothing about y
  EXPECT_EQ(udwadia_kalaba(e).status, Status::singular);
  EXPECT_EQ(literal(e).status, Status::singular);
}

TEST(Equation, WithoutRowsTheMotionIsFreeAndWithTooManyItIsStill) {
  Random random(9);
  Equation e{random_mass(random, 4), random.vector(4, 5), MatX<>(0, 4), VecX<>(0)};
  const Motion free = udwadia_kalaba(e);
  EXPECT_EQ(free.rank, 0);
  EXPECT_EQ(free.status, Status::regular);
  EXPECT_LT(free.Qc.norm(), 1e-14);
  e.A = random_matrix(random, 9, 4);
  const VecX<> wanted = random.vector(4, 2);
  e.b = e.A * wanted;
  const Motion locked = udwadia_kalaba(e);
  EXPECT_EQ(locked.rank, 4);
  EXPECT_EQ(locked.status, Status::redundant);
  EXPECT_LT((locked.vdot - wanted).norm(), 1e-13);
}

TEST(Equation, MultipliersOfASingularMassMatrixMakeUpItsForce) {
  // a massless coordinate driven by a row with a right-hand side: Qc = Aᵀλ
  Random random(9);
  for (int i = 0; i < 50; ++i) {
    MatX<> M = MatX<>::Zero(4, 4);
    M.topLeftCorner(3, 3) = random_mass(random, 3);
    const MatX<> A = random_matrix(random, 2, 4);
    const VecX<> Q = random.vector(4, 5), b = random.vector(2, 5);
    DenseFactor factor(M, A, 2, {});
    ASSERT_TRUE(factor.regular());
    const Motion motion = factor.solve(Q, b);
    EXPECT_LT((A.transpose() * factor.multipliers() - motion.Qc).norm(), 1e-9 * (1 + motion.Qc.norm()));
  }
}

}  // namespace
}  // namespace trammel
