#include "trammel/motion/tracking.h"

#include <cassert>

#include "trammel/motion/data.h"

namespace trammel {

int tracked_constraints(const Problem& problem) {
  return static_cast<int>(problem.asked().constraints.size() - problem.held().constraints.size());
}

Miss tracking_miss(const Data& data, int i) {
  assert(data.has_rows(data.problem.asked()));
  const RowSet& set = data.problem.asked();
  const std::size_t at = data.problem.held().constraints.size() + i;
  const int first = set.first_row[at], m = static_cast<int>(data.blocks[at].phi.size());
  const auto weight = set.weight.segment(first, m);
  return {data.phi.segment(first, m).cwiseProduct(weight).norm(),
          data.rate.segment(first, m).cwiseProduct(weight).norm()};
}

}  // namespace trammel
