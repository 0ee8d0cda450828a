#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/motion/data.h"

namespace trammel {

/// Finds the moments of a motion at which the motors lose hold of it: H u = r (torques.h), and det H changes its sign between two states.
/// There motors that are as many as the control rows cannot move these in some direction (rods in line, a platform turned too far), and u grows
/// without bound. Where motors are more than the rows, det H Hᵀ vanishes, and the rows of H turn round: det H H′ᵀ < 0 between two states.
/// Motors that are fewer are not looked at.
///
/// u det H is smooth through such a moment. Where it does not vanish there, that motor's torque has no bound.
class ReachWatch {
 public:
  explicit ReachWatch(const Problem& problem);

  /// The state whose torques were just solved for; states come in the order of time.
  void watch(const Data& data);

  /// When the torque of a motor has no bound, s; none where it has one.
  std::optional<double> unbounded_at(int motor) const { return unbounded_.empty() ? std::nullopt : unbounded_[motor]; }

  /// The moment, s, when motors whose torques have no bound lost hold between the last two states; none where they did not.
  std::optional<double> just_lost() const { return just_lost_; }

  /// "motors 'lm', 'rm' lose hold of 'pen' near t = 0.598 s, …", one line; empty where they do not.
  std::string text(const Problem& problem) const;

 private:
  double determinant();
  void note(double t, double before, double now, const VecX<>& u);

  int rows_ = 0;         // 0 where nothing is looked at
  MatX<> H_, H_before_;  // where they are square, each row over the largest norm that it had
  VecX<> largest_;       // these norms
  MatX<> scratch_;
  VecX<> u_before_;
  double t_ = 0, det_ = 0;                        // of the state before; 0 where there is none
  std::vector<double> times_;                     // s, by linear interpolation
  std::vector<std::optional<double>> unbounded_;  // s, by motor
  std::optional<double> just_lost_;               // s
};

}  // namespace trammel
