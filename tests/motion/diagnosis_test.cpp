#include "trammel/motion/diagnosis.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include "support/seeds.h"
#include "trammel/constraints/joint_coupling.h"

namespace trammel {
namespace {

using namespace trammel::test;

// The row A v̇ = b: joints coupled along a parabola in time.
void ask(System& system, const std::string& name, const VecX<>& A, double b, Layer layer = Layer::physical) {
  std::vector<JointCoupling::Term> terms;
  for (int i = 0; i < A.size(); ++i) terms.push_back({i, A[i]});
  const ScalarPath path = [b](const Jet& t) { return 0.5 * b * t * t; };
  system.constrain(name, std::make_shared<JointCoupling>(system.model, terms, path), layer);
}

System random_chain(Random& random, int n, bool weightless) {
  const JointType types[] = {JointType::revolute, JointType::prismatic};
  return System(build_model(random_robot(random, n, types), weightless ? Vec3<>::Zero() : random.vector(10)));
}

// Rows in both layers of which the later ones are sums of the first, b too but for `error` of its size.
void ask_redundantly(Random& random, System& system, double size, double error) {
  const int n = system.model.nv(), rank = random.integer(1, n - 1), rows = rank + random.integer(1, 4);
  MatX<> A = MatX<>::NullaryExpr(rows, n, [&] { return random.uniform(-1, 1); });
  VecX<> b = size * random.vector(rows, 1);
  for (int row = rank; row < rows; ++row) {
    const VecX<> part = random.vector(rank, 1);
    A.row(row) = part.transpose() * A.topRows(rank);
    b[row] = part.dot(b.head(rank)) + error * size * random.uniform(-1, 1);
  }
  const int physical = random.integer(0, rows);
  for (int row = 0; row < rows; ++row)
    ask(system, "row " + std::to_string(row), A.row(row), b[row], row < physical ? Layer::physical : Layer::control);
}

TEST(Diagnosis, TheStatusIsContradictoryIfAndOnlyIfSomeRowDoesNotAgreeWithWhatItFollowsFrom) {
  Random random(17);
  int contradictory = 0, agreeing = 0;
  for (int i = 0, all = cases(5000); i < all; ++i) {
    System system = random_chain(random, random.integer(2, 7), random.integer(0, 1) == 0);
    const int n = system.model.nv();
    const double size = random.log_uniform(1e-6, 1e6), error = random.log_uniform(1e-16, 1);
    ask_redundantly(random, system, size, error);
    if (random.integer(0, 1) == 0)
      for (int j = 0; j < n; ++j) system.drive({"motor " + std::to_string(j), j});
    const double rank_tolerance = random.integer(0, 3) == 0 ? 1e-8 : RankTolerance{}.relative;
    const Diagnosis found = diagnose(system, random_configuration(random, system.model), random.vector(n, 1), 0,
                                     {.rank = {.relative = rank_tolerance}});
    const bool agree = std::ranges::all_of(found.redundant, &Diagnosis::RedundantRow::agrees);
    EXPECT_EQ(found.status == Status::contradictory, !agree) << "case " << i << ", error " << error << "\n"
                                                             << found.text();
    (agree ? agreeing : contradictory) += 1;
  }
  EXPECT_GT(contradictory, cases(500));  // the cases are what they are meant to be
  EXPECT_GT(agreeing, cases(500));
}

TEST(Diagnosis, ARowThatAgreesWithWhatItFollowsFromIsNotBlamedForAnotherThatDoesNot) {
  Random random(19);
  System system = random_chain(random, 3, true);
  const VecX<> A = Vec3<>(1, -2, 0.5);
  ask(system, "first", A, 1);
  ask(system, "twin", A, 1);
  ask(system, "stranger", A, 2);
  const Diagnosis found = diagnose(system, VecX<>::Zero(3), VecX<>::Zero(3));
  EXPECT_EQ(found.status, Status::contradictory);
  ASSERT_EQ(found.redundant.size(), 2u);
  EXPECT_EQ(found.redundant[0].row, "twin");
  EXPECT_TRUE(found.redundant[0].agrees);  // although least squares meet neither of the three
  EXPECT_EQ(found.redundant[1].row, "stranger");
  EXPECT_FALSE(found.redundant[1].agrees);
}

}  // namespace
}  // namespace trammel
