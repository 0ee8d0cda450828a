#pragma once

#include "trammel/motion/data.h"
#include "trammel/motion/opening.h"

namespace trammel {

/// The worst openings of all constraints of a tree in a run, and their worst rates.
class OpeningWatch {
 public:
  explicit OpeningWatch(const Problem& problem)
      : openings_(problem.is_tree() ? problem.asked().constraints.size() : 0), rates_(openings_.size()) {}

  /// Looks at a state that was solved.
  void watch(const Data& data) {
    for (std::size_t i = 0; i < openings_.size(); ++i) {
      openings_[i].include(opening_of(data, static_cast<int>(i)));
      rates_[i].include(opening_rate_of(data, static_cast<int>(i)));
    }
  }

  const std::vector<Opening>& openings() const { return openings_; }
  const std::vector<Opening>& rates() const { return rates_; }

  /// Of the constraints that motors track.
  Opening worst_path(const Problem& problem) const {
    Opening out;
    for (std::size_t i = problem.held().constraints.size(); i < openings_.size(); ++i) out.include(openings_[i]);
    return out;
  }

 private:
  std::vector<Opening> openings_, rates_;
};

}  // namespace trammel
