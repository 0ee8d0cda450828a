#include "trammel/base/indirect.h"

#include <gtest/gtest.h>

#include <vector>

namespace trammel {
namespace {

struct Hidden;

// Held, copied and moved where nobody knows what it is.
struct Holder {
  Indirect<Hidden> hidden;
};
Holder copy_of(const Holder& holder) { return holder; }

struct Hidden {
  explicit Hidden(int size) : numbers(size, 1.0) {}
  std::vector<double> numbers;
};

TEST(Indirect, IsCopiedWithItsHolder) {
  Holder one;
  one.hidden.emplace(3);
  Holder other = copy_of(one);
  other.hidden->numbers[0] = 5;
  EXPECT_EQ(one.hidden->numbers[0], 1);
  one = other;
  EXPECT_EQ(one.hidden->numbers[0], 5);
  EXPECT_NE(&*one.hidden, &*other.hidden);
}

TEST(Indirect, IsMovedWithItsHolderAndLeavesNone) {
  Holder one;
  EXPECT_FALSE(one.hidden);
  const Hidden* const made = &one.hidden.emplace(3);
  const Holder other = std::move(one);
  EXPECT_EQ(&*other.hidden, made);
  EXPECT_FALSE(one.hidden);  // NOLINT(bugprone-use-after-move): that is what is asked
  EXPECT_FALSE(copy_of(one).hidden);
}

TEST(Indirect, TakesTheNextInPlaceOfTheLast) {
  Indirect<Hidden> hidden;
  hidden.emplace(3);
  EXPECT_EQ(hidden.emplace(4).numbers.size(), 4u);
}

}  // namespace
}  // namespace trammel
