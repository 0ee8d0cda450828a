#pragma once

#include "trammel/scenario/plan.h"
#include "trammel/scenario/start.h"

namespace trammel::scenario {

/// What the robots' files ask for (model/described.h), in the words of scenarios: as if their author had written
///
///   constraints: {name, coincide | hinge | slide | weld: [a, b]}, {name, equation: a = 2*b}
///   actuators:   {name, joint, limit}, of a motor on one joint
///   forces:      {name, joint, torque: …}, of a servo, with an input "NAME.control"
///
/// so that rows, columns, forces and messages are theirs.
void add_described_inputs(const RobotDescription& robots, std::span<const DescribedStart* const> starts, System& out);
void plan_described(const RobotDescription& robots, const Scope& scope, Plan& out);

/// The starts in the files that hold: those of `from` in the scenario's `initial`, or else the usual ones.
std::vector<const DescribedStart*> chosen_starts(const RobotDescription& robots, const std::optional<Value>& initial);

}  // namespace trammel::scenario
