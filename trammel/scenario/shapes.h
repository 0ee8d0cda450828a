#pragma once

#include <span>

#include "trammel/model/description.h"
#include "trammel/scenario/value.h"

namespace trammel::scenario {

/// A shape by the key that tells it, and how many numbers it takes: sphere: 0.1, cylinder: [0.01, 0.3].
struct ShapeKind {
  const char* key;
  std::size_t numbers;
  const char* allowed;
};
std::span<const ShapeKind> shape_kinds();

/// A color that has a name: red, green, blue, 0 … 1.
struct NamedColor {
  const char* name;
  std::array<double, 3> rgb;
};
std::span<const NamedColor> named_colors();

/// What a body looks like: shape: {capsule: [0.01, 0.3], along: x}, color: steel; or a list of shapes, which may have colors of their own. A
/// shape is about the mass centre, along z, where it has no `at` and no `along`.
std::vector<Visual> read_shapes(const Map& body, const Vec3<>& com, const Constants& constants);

}  // namespace trammel::scenario
