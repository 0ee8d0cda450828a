#pragma once

#include <functional>

#include "trammel/constraints/bias_jets.h"

namespace trammel {

/// Motions that are given: functions of the time (s), written on jets so that they come with their exact rates.
using ScalarPath = std::function<Jet(const Jet& t)>;
using VectorPath = std::function<Vec3<Jet>(const Jet& t)>;
using RotationPath = std::function<Mat3<Jet>(const Jet& t)>;

/// Where a path is now, and how it moves.
template <class Path>
auto moving(const Path& path, double t) {
  return path(Jet(t, 1));
}

/// Where a path is at t, as the scalar of t asks.
inline double at(const ScalarPath& path, double t) { return path(t).x; }
inline Vec3<> at(const VectorPath& path, double t) { return values(path(t)); }
inline Mat3<> at(const RotationPath& path, double t) {
  return path(t).unaryExpr([](const Jet& x) { return x.x; });
}
template <class Path>
auto at(const Path& path, const Jet& t) {
  return path(t);
}

}  // namespace trammel
