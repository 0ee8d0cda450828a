#pragma once

#include <span>
#include <string>
#include <vector>

#include "trammel/motion/data.h"

namespace trammel {

/// Who puts energy into a system and who takes it out: the power P of each of its channels, W. Together they are the power of all forces
/// but weight (power() of stages.h), which changes the kinetic energy T and the potential V of weight:
///
///   d/dt (T + V) = Σ P
///
///   motor                u v
///   force                τ·v, τ what it adds to the generalised forces
///   joint_spring         −k (q − q₀) v
///   joint_friction       −d v² − f v² / √(v² + v₀²), v₀ the friction speed
///   constraint           λᵀA v + C·v, of a constraint that moves with the time, rubs (C) or is stabilised
///   ideal_constraints    the rest of Qc·v. Where they hold it is zero; over a run it is an error of the integration
struct PowerChannel {
  enum class Kind { motor, force, joint_spring, joint_friction, constraint, ideal_constraints };

  std::string
      name;  // differs from those of all other channels: "motor q1", "friction of q2", a force's or a constraint's own
  Kind kind;
  int index;  // of the motor, the force, the velocity, or the constraint among those of problem.held()
};
std::string_view name_of(PowerChannel::Kind kind);

/// Those of a problem, in the order of the kinds. A problem that is given by its matrices has two: its forces and its constraints.
std::vector<PowerChannel> power_channels(const Problem& problem);

class PowerBalance {
 public:
  explicit PowerBalance(const Problem& problem);

  const std::vector<PowerChannel>& channels() const { return channels_; }

  /// Of the motion that was just solved, at the velocities at which its forces were asked: the power of each channel, W.
  VecX<> evaluate(Data& data);
  /// The same without allocating.
  void evaluate(Data& data, std::span<double> out);

 private:
  double constraint_power(int index, const Data& data);

  std::vector<PowerChannel> channels_;
  std::vector<int> springs_, frictions_;  // their velocities
  std::vector<int> constraints_;          // the indices of the channels that share Qc·v
  bool all_by_constraints_;               // whether there is but one channel, which has all of it
  VecX<> C_;                              // of one constraint
};

}  // namespace trammel
