#pragma once

#include <vector>

#include "trammel/motion/data.h"

namespace trammel {

/// Finds the moments of a motion at which the motors lose hold of it: H u = r (torques.h), and det H changes its sign between two states.
/// There motors that are as many as the control rows cannot move these in some direction (rods in line, a platform turned too far), and u grows
/// without bound. Motors that are more or fewer are not looked at.
class ReachWatch {
 public:
  explicit ReachWatch(const Problem& problem);

  /// The state whose torques were just solved for; states come in the order of time.
  void watch(const Data& data);

  /// "motors 'lm', 'rm' lose hold of 'pen' near t = 0.598 s, …", one line; empty where they do not.
  std::string text(const Problem& problem) const;

 private:
  double determinant(const MatX<>& H);

  MatX<> scratch_;
  double t_ = 0, det_ = 0;     // of the state before; 0 where there is none
  std::vector<double> times_;  // s, by linear interpolation
};

}  // namespace trammel
