#include "trammel/base/fold.h"

#include <gtest/gtest.h>

namespace trammel {
namespace {

using Texts = std::vector<std::string>;

TEST(Fold, ShowsTheFirstOfManyAlikeAndHowManyMoreThereAre) {
  Texts many;
  for (int i = 0; i < 40; ++i)
    many.push_back("joint 'q" + std::string(1, static_cast<char>('a' + i % 26)) + "' passes its upper limit -1." +
                   std::to_string(i) + "e-0" + std::to_string(i % 10) + " at t = " + std::to_string(i) + " s");
  many.insert(many.begin() + 20, "the page is left out");
  const Texts shown = folded(many, 3);
  EXPECT_EQ(shown, (Texts{many[0], many[1], many[2], "and 37 more like it", "the page is left out"}));
}

TEST(Fold, LeavesShortListsAsTheyAre) {
  const Texts few{"'a' is 1", "'b' is 2", "'c' is 3", "'d' is 4", "other"};
  EXPECT_EQ(folded(few, 4), few);
  EXPECT_EQ(folded(few, 3), few);  // a line would stand for a line
  EXPECT_EQ(folded(few, 2), (Texts{few[0], few[1], "and 2 more like it", "other"}));
  EXPECT_EQ(folded(few, 3, "rows"), (Texts{few[0], few[1], few[2], "and 2 more rows"}));
  EXPECT_EQ(folded(few, 4, "rows"), few);
}

}  // namespace
}  // namespace trammel
