#pragma once

#include "trammel/base/faults.h"
#include "trammel/model/description.h"
#include "trammel/urdf/visual.h"
#include "trammel/urdf/xml.h"

namespace trammel::urdf {

/// Reads a link. URDF gives the inertia about the mass centre along the axes of the inertial's own <origin>, turned by
/// R against the link's: I = R I_given Rᵀ. A link without <inertial> has no mass.
/// What is wrong is added to `faults`; the link is then of no use.
Link read_link(const Element& link, VisualReader& visuals, Faults& faults);

}  // namespace trammel::urdf
