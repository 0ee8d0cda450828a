#pragma once

#include <optional>

#include "trammel/motion/diagnosis.h"
#include "trammel/simulate/simulate.h"

namespace trammel {

/// What one wants to know of a run before looking at its curves. Peaks are those of Simulation::peaks: sizes of forces and moments, each by
/// itself, with their times.
struct Summary {
  struct OfConstraint {
    std::string name;
    bool physical = true;
    bool tracked = false;                                          // by motors: it has no force of its own
    bool compliant = false;                                        // it gives way to forces
    bool in_metres = false, in_radians = false, in_other = false;  // which units its rows have
    Opening open_by, rate;                                         // the worst of all steps
    WrenchPeak peak;                                               // at its point of force
  };
  struct OfVelocity {
    std::string name, unit;  // "N·m" or "N"; empty where it is not known
    Peak peak;               // of Qc there
  };
  struct OfJoint {
    std::string name;
    WrenchPeak peak;  // of the reaction in its guides, about the origin of its outer body
  };
  struct OfMotor {
    std::string name, unit;  // "N·m" or "N"
    Peak peak;               // of its torque
    double limit = 0;        // infinite where there is none
  };

  int rows = 0;  // of all constraints
  int freedoms_before = 0, rank = 0, freedoms_after = 0;
  Status status = Status::regular;  // of the constraints at the start
  std::vector<OfConstraint> constraints;
  std::vector<OfVelocity> velocities;
  std::vector<OfJoint> joints;  // whose reactions are recorded
  std::vector<OfMotor> motors;
  double moment_length = 1;          // m, over which moments are compared with forces where a force is shared
  std::vector<Passage> passages;     // singular postures on the way
  std::vector<Passage> near_misses;  // those that it comes near to, and does not pass
  EnergyBalance energy;              // over all steps
  Opening worst_path;                // of the constraints that motors track
  double simulated = 0;              // s
  double seconds = 0;                // that it took
  long steps = 0, rejected_steps = 0, evaluations = 0;
  std::optional<double> stiff_since;  // s; from when on damping and friction of joints were taken implicitly, by ark5

  std::vector<WorkDone> works;    // who put energy in and who took it out, the busiest first
  double together = 0;            // the sum of their works, J: but for an error of the integration it is
  double kinetic_and_weight = 0;  // what kinetic energy and the potential of weight gained, J

  /// The worst opening of all constraints that hold; the largest force and moment of any of these that is bounded.
  Opening worst_opening() const;
  double largest_force() const;
  double largest_moment() const;

  /// Below this a force (N) or a moment (N·m) is nothing but rounding of the others.
  double rounding_of_force() const;
  double rounding_of_moment() const { return rounding_of_force() * moment_length; }

  /// "'left tyre', 'right tyre' share a force that the motion does not determine: …"; one sentence a line, none where forces are unique.
  std::vector<std::string> remarks() const;

  /// A table for a terminal.
  std::string text() const;
};

/// "2.1e-09 J of 12 J exchanged", with the verdict behind it where that is not good.
std::string text_of(const EnergyBalance& energy);

/// Of a run of the problem that took `seconds`.
Summary summarise(const Problem& problem, const Simulation& run, double seconds);

}  // namespace trammel
