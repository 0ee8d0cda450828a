#pragma once

#include "trammel/motion/diagnosis.h"
#include "trammel/simulate/simulate.h"

namespace trammel {

/// What one wants to know of a run before looking at its curves.
struct Summary {
  struct OfConstraint {
    std::string name;
    bool physical = true;
    double worst_phi = 0;  // largest |φ| of its rows over the recording, m or rad; if tracked, the distance at any step
    double worst_rate = 0;  // largest |φ̇| or |ψ|; if tracked, as above
    double peak_force = 0;  // largest |λ| of its rows, N or N·m
  };
  struct OfJoint {
    std::string name;
    double peak_constraint_force = 0;  // largest |Qc|, N·m or N
  };
  struct OfMotor {
    std::string name;
    double peak_torque = 0, limit = 0;  // N·m or N; the peak over all steps
  };

  int rows = 0;  // of all constraints
  int freedoms_before = 0, rank = 0, freedoms_after = 0;
  Status status = Status::regular;  // of the constraints at the start
  std::vector<OfConstraint> constraints;
  std::vector<OfJoint> joints;
  std::vector<OfMotor> motors;
  double energy_error = 0;  // largest change of energy − work, J
  double worst_path = 0;    // the largest distance from a control constraint that motors track, m
  double simulated = 0;     // s
  double seconds = 0;       // that it took
  long steps = 0, rejected_steps = 0, evaluations = 0;

  std::vector<WorkDone> works;    // who put energy in and who took it out, the busiest first
  double together = 0;            // the sum of their works, J: but for an error of the integration it is
  double kinetic_and_weight = 0;  // what kinetic energy and the potential of weight gained, J

  /// A table for a terminal.
  std::string text() const;
};

/// Of a run of the problem that took `seconds`.
Summary summarise(const Problem& problem, const Simulation& run, double seconds);

}  // namespace trammel
