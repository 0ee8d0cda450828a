#include "trammel/base/names.h"

#include <gtest/gtest.h>

namespace trammel {
namespace {

const std::vector<std::string> known{"base", "upper_arm", "forearm", "tool"};

TEST(Names, AMisspellingFindsTheNearestName) {
  EXPECT_EQ(nearest_name("bas", known), "base");         // left out
  EXPECT_EQ(nearest_name("toool", known), "tool");       // added
  EXPECT_EQ(nearest_name("foraarm", known), "forearm");  // changed
  EXPECT_EQ(nearest_name("bsae", known), "base");        // swapped
  EXPECT_EQ(nearest_name("upperarm", known), "upper_arm");
}

TEST(Names, WhatIsNoMisspellingFindsNone) {
  EXPECT_EQ(nearest_name("gripper", known), "");
  EXPECT_EQ(nearest_name("", known), "");
  EXPECT_EQ(nearest_name(std::string(100000, 'x'), known), "");
}

TEST(Names, TheListOfAllowedNamesIsCutShort) {
  EXPECT_EQ(allowed_names("bsae", known), "one of base, upper_arm, forearm, tool (did you mean 'base'?)");
  std::vector<std::string> many;
  for (int i = 0; i < 20; ++i) many.push_back("n" + std::to_string(i));
  EXPECT_EQ(allowed_names("zzz", many), "one of n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11 … (20 in all)");
  EXPECT_EQ(allowed_names("x", {}), "none, since there is none");
}

}  // namespace
}  // namespace trammel
