#pragma once

#include <string>

#include "trammel/scenario/scenario.h"

namespace trammel {

/// What holds in a scenario, or in a robot's file by itself: each constraint with its rows, motors, inputs, starts, and at the assembled start
/// the rank, and the rows that follow from others, by name.
std::string loops_text(const Scenario& scenario);

/// The same put into the JSON object that robot_json gives.
std::string with_loops(const std::string& robot_json, const Scenario& scenario);

}  // namespace trammel
