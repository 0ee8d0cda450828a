#include "trammel/base/parallel_for.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace trammel {
namespace {

TEST(ParallelFor, GivesEveryItemToOneWorker) {
  for (int count = 0; count < 40; ++count) {
    for (const int workers : {1, 2, 3, 7}) {
      for (const int grain : {1, 4}) {
        std::vector<int> seen(count);
        parallel_for(count, workers, grain, [&](int worker, int begin, int end) {
          EXPECT_LT(worker, workers);
          EXPECT_EQ(begin % grain, 0);
          for (int i = begin; i < end; ++i) ++seen[i];
        });
        for (const int times : seen) EXPECT_EQ(times, 1);
      }
    }
  }
}

TEST(ParallelFor, ThrowsWhatAWorkerThrows) {
  const auto fail_at_5 = [](int, int begin, int end) {
    if (begin <= 5 && 5 < end) throw std::runtime_error("five");
  };
  EXPECT_THROW(parallel_for(8, 4, 1, fail_at_5), std::runtime_error);
  EXPECT_THROW(parallel_for(8, 1, 1, fail_at_5), std::runtime_error);
}

}  // namespace
}  // namespace trammel
