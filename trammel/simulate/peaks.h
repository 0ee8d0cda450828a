#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "trammel/motion/uniqueness.h"

namespace trammel {

/// The largest size of a force in a run, whether at the end of a step or inside one, and when it is first reached. Its value is good to about
/// 1e-5 of itself whatever is recorded, where the steps of the run see the force: one that does not touch the motion, such as a short push
/// into a bearing, may come and go between them. Infinite where the force has no bound near t, at which it is
/// singular; not a number where it is so all the time.
struct Peak {
  double value = 0;
  double t = 0;  // s

  bool is_bounded() const { return !std::isinf(value); }
};

/// Of a force and of its moment, each by itself.
struct WrenchPeak {
  Peak force;               // N
  Peak moment;              // N·m
  Peak other;               // |λ| of rows whose unit is not known
  Uniqueness uniqueness{};  // the worst over the run
  std::optional<double>
      singular_since;  // s; from then on there were moments at which it was singular, which do not count
};

struct Peaks {
  std::vector<WrenchPeak> constraints;   // that are held, in the order of Problem::held(): at their points of force
  std::vector<std::string> joint_names;  // whose reactions are recorded,
  std::vector<WrenchPeak> joints;        // and these, about the origin of the outer body
  std::vector<Peak> velocities;          // |Qc| at each velocity, N·m or N
  std::vector<Peak> motors;              // |u| of each, N·m or N
};

}  // namespace trammel
