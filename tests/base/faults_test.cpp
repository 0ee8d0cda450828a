#include "trammel/base/faults.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace trammel {
namespace {

Error error_at(int line) { return {Place{"a.urdf", line}, "this", "that"}; }

std::string told(const Faults& faults) {
  try {
    faults.refuse();
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Faults, AreToldInTheOrderOfTheirLinesEachOnce) {
  Faults faults;
  EXPECT_EQ(told(faults), "");
  EXPECT_FALSE(faults.attempt([] { throw error_at(7); }));
  EXPECT_TRUE(faults.attempt([] {}));
  faults.add(error_at(3));
  faults.add(error_at(7));
  EXPECT_EQ(told(faults), "a.urdf:3: found this; allowed: that\na.urdf:7: found this; allowed: that");
}

TEST(Faults, OfSeveralErrorsTheFirstGivesThePlace) {
  Faults faults;
  faults.add(error_at(9));
  faults.add(error_at(2));
  try {
    faults.refuse();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().line, 2);
    EXPECT_EQ(error.each().size(), 2u);
    Faults again;
    again.add(error);
    EXPECT_EQ(again.count(), 2u);
  }
}

TEST(Faults, ThatAreVeryManyAreCounted) {
  Faults faults;
  for (int line = 1; line <= 5000; ++line) faults.add(error_at(line));
  const std::string text = told(faults);
  EXPECT_EQ(std::ranges::count(text, '\n'), 100);
  EXPECT_TRUE(text.ends_with("a.urdf: found 4900 mistakes more; allowed: none")) << text.substr(text.size() - 100);
}

}  // namespace
}  // namespace trammel
