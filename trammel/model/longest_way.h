#pragma once

#include "trammel/model/model.h"

namespace trammel {

/// The longest way on a body from its origin, m: to the joint of a body that it carries, a frame, its mass centre; or its radius of gyration.
/// The size of a mechanism but for how far joints slide. 0 where all bodies are points.
double longest_way(const Model& model);

}  // namespace trammel
