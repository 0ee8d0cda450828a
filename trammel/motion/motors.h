#pragma once

#include "trammel/motion/problem.h"

namespace trammel {

class BoundedEffort;

enum class TorqueStatus {
  realised,     // the motors give the motion that the control rows ask for
  limited,      // they would, but for their limits
  unreachable,  // they cannot: the control acts along directions that no motor moves
  no_motion     // the equation of motion itself has no answer here
};
std::string_view name_of(TorqueStatus status);

/// What the motors must give.
struct Torques {
  explicit Torques(const Problem& problem);

  VecX<> u;                    // N·m or N, in the order of the system's actuators
  std::vector<bool> at_limit;  // of each actuator
  VecX<> shortfall;  // b − A v̇ of every control row, in their order: what the motors leave undone, m/s² or rad/s²
  TorqueStatus status = TorqueStatus::realised;
};

/// The motors of a problem at one state: H u = r (torques.h).
struct MotorStage {
  explicit MotorStage(const Problem& problem);

  MatX<> reach;                      // L⁻¹S: what a unit torque of each motor adds to h
  MatX<> H, G;                       // H u = r; G = H W^{−1/2}
  VecX<> r, x, lower, upper, moved;  // x = W^{1/2}(u − preload)
  VecX<> preload;                    // u⁰, about which effort is least; N·m or N
  Indirect<BoundedEffort> effort;
  Status ideal = Status::regular;  // of the motion to be had: with the control rows as constraints
  Torques torques;

  /// Motors whose torques are computed from sample to sample: from here on they give those that they have now.
  void hold() {
    held = torques.u;
    held_status = torques.status;
    holds = true;
  }
  VecX<> held;  // N·m or N
  TorqueStatus held_status = TorqueStatus::realised;
  bool holds = false;
};

}  // namespace trammel
