#pragma once

#include <array>
#include <vector>

#include "trammel/motion/row_strength.h"
#include "trammel/simulate/passage.h"
#include "trammel/simulate/peak_watch.h"

namespace trammel {

/// Finds the singular postures that a run passes (singular_passage.h). The smallest part σ of a row's usual size that a pivot has
/// (row_strength.h) comes down to zero there along a line, and goes up along another: |t − t*|. Where three steps end as such a pair of lines
/// would have it, Newton's method for |σ| finds t* inside the steps.
class SingularityWatch {
 public:
  SingularityWatch(const Problem& problem, const RowStrength& strength)
      : strength_(strength), rows_(problem.is_tree() ? problem.held().rows : 0) {}

  /// A state that was solved: where a step ends. Whether the data were then solved elsewhere, to look inside steps.
  bool watch(Data& data, const PeakWatch::Inside& inside);

  /// Whether it may ask to look inside steps.
  bool looks_inside() const { return rows_ > 0; }

  const std::vector<Passage>& passages() const { return passages_; }

 private:
  struct Sample {
    double t = 0, part = 1;
  };
  bool foretells_zero() const;
  double part_of(const Data& data) const;
  void search(Data& data, const PeakWatch::Inside& inside);

  const RowStrength& strength_;
  int rows_;
  std::array<Sample, 3> samples_;  // the last one last
  int count_ = 0;
  std::vector<Passage> passages_;
};

}  // namespace trammel
