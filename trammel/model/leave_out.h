#pragma once

#include "trammel/model/description.h"

namespace trammel {

/// The names of what can be left out of a robot: its constraints, couplings (by their joint), motors and starts.
std::vector<std::string> names_to_leave_out(const RobotDescription& robot);

/// Takes everything of this name away. Throws Error, at the place, with the nearest name, if there is nothing.
void leave_out(const std::string& name, const Place& place, RobotDescription& out);

}  // namespace trammel
