#pragma once

#include <string>

#include "trammel/constraints/paths.h"

namespace trammel {

/// What constraints ask of their parameters. Each returns the good value, or throws an Error that says whose it is.

/// Unit length; throws unless d has a direction.
Vec3<> checked_direction(const Vec3<>& d, const std::string& whose);
BodyDirection checked_direction(const BodyDirection& d, const std::string& whose);

/// Throws unless x is above zero and finite. `whose` with the unit: "radius in m of a cylinder".
double checked_positive(double x, const std::string& whose);

/// Throws unless there is a function.
template <class Path>
Path checked_path(Path path, const std::string& whose) {
  if (!path) throw Error("no function for " + whose, "a callable on jets");
  return path;
}

/// The velocity that is the rate of coordinate q. Throws unless there is one: a quaternion's components have none.
int velocity_of_coordinate(const Model& model, int q);

}  // namespace trammel
