#pragma once

#include "trammel/urdf/xml.h"

namespace trammel::urdf {

/// What may stand in an element of a URDF, which has the same rule wherever it stands. The rules have no circles: what they describe is
/// only a few elements deep.
const Rule* rule_of(std::string_view tag);

}  // namespace trammel::urdf
