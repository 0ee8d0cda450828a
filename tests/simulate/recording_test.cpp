#include "trammel/simulate/recording.h"

#include <gtest/gtest.h>

#include "trammel/base/error.h"

namespace trammel {
namespace {

TEST(Recording, KeepsWhatItHasWhereItsRoomGrows) {
  Recording out({"t", "q.a"}, 2);
  for (int i = 0; i < 37; ++i) {
    Eigen::Ref<VecX<>> row = out.add_row();
    row << i, 100 - i;
  }
  ASSERT_EQ(out.rows(), 37);
  for (int i = 0; i < 37; ++i) {
    EXPECT_EQ(out(i, "t"), i);
    EXPECT_EQ(out(i, 1), 100 - i);
  }
}

TEST(Recording, NamesTheNearestColumnWhereOneIsNotThere) {
  const Recording out({"t", "q.shoulder"}, 1);
  try {
    (void)out.column("q.sholder");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("q.shoulder"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace trammel
