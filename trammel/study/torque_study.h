#pragma once

#include "trammel/scenario/scenario.h"
#include "trammel/study/summary.h"

namespace trammel {

/// The torques of motors along the motion that control rows ask for, as if these held by themselves.
struct TorqueStudy {
  System system;  // with the motors
  Simulation motion;
  Recording torques;                     // t, u.MOTOR … at the rows of the motion
  std::vector<Summary::OfMotor> motors;  // with their peaks, also inside steps unless inputs are set from outside
  std::string singular;   // where the motors lose hold of the motion (reach_watch.h); empty if they do not
  std::string shortfall;  // the first moment at which the motors do not suffice, and why; empty if there is none

  bool realised() const {
    return shortfall.empty() && motion.status == RunStatus::finished &&
           motion.energy.verdict != EnergyBalance::Verdict::bad;
  }
};

/// The scenario's system with its motors; where it has none but leads joints, with one on each of these. Throws Error where there is
/// neither, or nothing to track.
System driven_system(const Scenario& scenario);

/// Along the motion of that system which the scenario asks for.
TorqueStudy study_torques(const Scenario& scenario, System driven);

}  // namespace trammel
