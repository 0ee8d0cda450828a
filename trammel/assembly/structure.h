#pragma once

#include <functional>

#include "trammel/assembly/assemble.h"
#include "trammel/motion/tree_motion.h"

namespace trammel {

/// Which redundancies belong to the mechanism, and which to the posture it happens to be in.
struct Structure {
  struct RedundantRow {
    std::string row;
    std::vector<std::string> follows_from;
    bool here_alone = false;  // whether it follows from these here, and from others elsewhere
  };

  int freedoms_before = 0;
  int rank_here = 0;
  int rank = 0;                          // the largest over the samples: what the mechanism has nearly everywhere
  int physical_rank = 0;                 // the same of the rows that are not led
  bool has_led_rows = false;             // whether some are: of control and motion
  int samples = 0;                       // postures that could be assembled
  std::vector<RedundantRow> structural;  // rows that follow from others in every sample
  std::vector<RedundantRow> momentary;   // rows that follow from others here, and not elsewhere: a singular posture
  std::vector<RedundantRow> undecided;   // the same, where no other posture could be assembled

  std::string text() const;
};

/// Looks at the constraints at q and at up to `samples` postures around it, each assembled from a random step of up to
/// `spread` (rad or m). `progress` is told which part is done.
Structure examine_structure(const Problem& problem, const VecX<>& q, double t = 0, int samples = 20,
                            double spread = 0.3, const std::function<void(double)>& progress = {});

}  // namespace trammel
