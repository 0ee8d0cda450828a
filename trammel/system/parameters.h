#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trammel {

struct System;

/// A number of a system that can be changed by its name, in SI units: "constants.r", "bodies.crank.mass".
struct Parameter {
  std::string name;
  double value;
};

/// Numbers that are to differ from what the author gave.
using Changes = std::map<std::string, double, std::less<>>;

/// Where a system comes from: it makes the same one, by structure, with other numbers. Immutable, shared between threads.
class SystemSource {
 public:
  virtual ~SystemSource() = default;
  /// Every number that can be changed, as the author gave it.
  virtual std::vector<Parameter> parameters() const = 0;
  /// The system with some of them changed; what the author made of these follows. Throws Error where one is not known, or where it
  /// makes no sense.
  virtual System make(const Changes& changes) const = 0;
};

/// Throws Error unless every change is of a known parameter, and finite.
void check_changes(const Changes& changes, const std::vector<Parameter>& known);

/// A system as a function of its numbers: `make` is given all of them.
System parametrised(std::vector<Parameter> nominal, std::function<System(const Changes& numbers)> make);

}  // namespace trammel
