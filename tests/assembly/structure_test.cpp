#include "trammel/assembly/structure.h"

#include <gtest/gtest.h>

#include "support/closed_mechanisms.h"

namespace trammel {
namespace {

using namespace trammel::test;

TEST(Structure, APlanarLoopClosedInSpaceIsRedundantEverywhere) {
  const Looped looped = hinged_four_bar();
  const Structure structure = examine_structure(compile(looped.system), looped.q);
  EXPECT_GE(structure.samples, 15);
  EXPECT_EQ(structure.rank, 2);
  EXPECT_EQ(structure.structural.size(), 3u);
  EXPECT_TRUE(structure.momentary.empty()) << structure.text();
}

TEST(Structure, AFoldedFourBarLosesARankForAMoment) {
  const Looped looped = folding_four_bar();
  const VecX<> folded = Vec3<>(0, 0, pi);  // all four bars on one line
  const Structure structure = examine_structure(compile(looped.system), folded);
  EXPECT_EQ(structure.rank_here, 1);
  EXPECT_EQ(structure.rank, 2);
  EXPECT_TRUE(structure.structural.empty());
  ASSERT_EQ(structure.momentary.size(), 1u);
  EXPECT_NE(structure.text().find("a singular posture"), std::string::npos);

  EXPECT_EQ(examine_structure(compile(looped.system), looped.q).rank_here, 2);
}

}  // namespace
}  // namespace trammel
