#pragma once

#include <string>
#include <vector>

#include "trammel/expression/expression.h"

namespace trammel {

/// A law that looks at the robot at t₀ + k·every, k = 0, 1, 2 …, and sets inputs, which hold until they are set again (controllers.h).
struct Controller {
  /// An input of the system, by its number, and what it is set to. `start`: the values of start(…), as BoundExpression takes them.
  struct Setting {
    int input;
    Expression value;
    std::vector<double> start{};
  };
  std::string name;
  double every;               // s, above 0
  double delay = 0;           // s, between a sample and what it sets
  std::vector<Setting> next;  // its memory: inputs that nobody else sets, at the sample itself
  std::vector<Setting> out;   // delay later
};

}  // namespace trammel
