#pragma once

#include <string>
#include <vector>

#include "trammel/expression/vocabulary.h"
#include "trammel/scenario/node.h"

namespace trammel::scenario {

/// A number of a scenario: its name, as --set takes it ("bodies.crank.com.0"), the way to it from the root, item by item, and its value
/// in SI units.
struct ScenarioNumber {
  std::string name;
  std::vector<std::size_t> way;
  double value;
};

/// The numbers that leave the structure of what the scenario describes as it is: constants, inputs, gravity, and those of bodies,
/// joints, frames, constraints, forces, control and actuators. Expressions of time or of the robot are none.
std::vector<ScenarioNumber> numbers_of(const Node& root, const Constants& constants);

/// Puts a number in the place of another.
void put_number(Node& root, const ScenarioNumber& where, double value);

}  // namespace trammel::scenario
