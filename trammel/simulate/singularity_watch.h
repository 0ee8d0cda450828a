#pragma once

#include <array>
#include <vector>

#include "trammel/motion/row_strength.h"
#include "trammel/simulate/passage.h"
#include "trammel/simulate/peak_watch.h"

namespace trammel {

/// Finds the singular postures that a run passes (singular_passage.h). The smallest part σ of a row's usual size that a pivot has
/// (row_strength.h) comes down to zero there along a line, and goes up along another: |t − t*|. Where three steps end as such a pair of lines
/// would have it, Newton's method for |σ| finds t* inside the steps. Where σ comes down to less than 0.01, and a tenth of the largest, and
/// turns before it is zero, the mechanism comes near such a posture and does not pass it: a parallelogram whose coupler is a little too long.
///
/// σ changes by about its usual size within a radian. A step that turns by so much that both its ends may lie beside zero is looked into.
class SingularityWatch {
 public:
  SingularityWatch(const Problem& problem, const RowStrength& strength)
      : strength_(strength), rows_(problem.is_tree() ? problem.held().rows : 0) {}

  /// A state that was solved: where a step ends. Whether the data were then solved elsewhere, to look inside steps.
  bool watch(Data& data, const PeakWatch::Inside& inside);

  /// Whether it may ask to look inside steps.
  bool looks_inside() const { return rows_ > 0; }

  /// Whether a step from the last state to this one, of `turn` (rad, or lengths over ℓ), may pass a posture that its ends do not tell.
  bool may_pass_inside(const Data& data, double turn) const {
    return rows_ > 0 && count_ > 0 && turn > 0.5 && samples_[2].part + part_of(data) < 1.5 * turn;
  }

  /// How often σ has turned, without passing zero, where it was no more than rounding. A mechanism does so once in a while at the most; one
  /// that is singular wherever it goes trembles there.
  long trembles() const { return trembles_; }

  const std::vector<Passage>& passages() const { return passages_; }
  const std::vector<Passage>& near_misses() const { return near_misses_; }

 private:
  struct Sample {
    double t = 0, part = 1;
    int row = 0;  // the weakest, where it is near zero
  };
  bool foretells_zero() const;
  double part_of(const Data& data) const;
  bool turns_before_zero() const;
  void search(Data& data, const PeakWatch::Inside& inside);

  const RowStrength& strength_;
  int rows_;
  std::array<Sample, 3> samples_;  // the last one last
  int count_ = 0;
  long trembles_ = 0;
  double largest_ = 0;  // of the parts
  std::vector<Passage> passages_, near_misses_;
};

}  // namespace trammel
