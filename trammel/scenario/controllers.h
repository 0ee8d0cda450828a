#pragma once

#include "trammel/scenario/scope.h"
#include "trammel/simulate/controller.h"

namespace trammel::scenario {

/// controllers:
///   - {name: servo, every: 1 ms, delay: 0.5 ms, memory: {sum: 0}, next: {sum: sum + dt*error}, out: {push: -gain*error - 3*sum}}
///
/// Its memory is inputs of the system, servo.sum; in its own expressions sum alone will do, and dt is `every`.

/// The memory of all of them, into the system, before there is a scope.
void add_memories(const Value& value, const Constants& constants, System& out);

/// The values of start(…) are yet to be put in.
std::vector<Controller> read_controllers(const Value& value, const Scope& scope);

/// Puts in what start(…) means.
void begin_controllers(const Start& start, std::vector<Controller>& out);

/// Refuses controllers, and motors that are sampled, in a system alone: it goes from hand to hand without the options of a run, and would lose
/// them in silence.
void refuse_samples_without_a_run(const Node& root);

}  // namespace trammel::scenario
