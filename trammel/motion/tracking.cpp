#include "trammel/motion/tracking.h"

#include <cassert>
#include <cmath>

#include "trammel/motion/data.h"
#include "trammel/system/worst_error.h"

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

void see_miss(const Data& data, int i, WorstError& out) {
  assert(data.has_rows(data.problem.asked()));
  const RowSet& set = data.problem.asked();
  const std::size_t at = data.problem.held().constraints.size() + i;
  const int first = set.first_row[at], end = first + static_cast<int>(data.blocks[at].phi.size());
  for (const std::string_view unit : {"m", "rad", ""}) {
    double square = 0, weighted_square = 0;
    for (int row = first; row < end; ++row) {
      if (data.problem.rows()[row].unit != unit) continue;
      square += data.phi[row] * data.phi[row];
      weighted_square += data.phi[row] * data.phi[row] * set.weight[row] * set.weight[row];
    }
    if (square > 0) out.see(std::sqrt(square), std::sqrt(weighted_square / square), unit);
  }
}

}  // namespace trammel
