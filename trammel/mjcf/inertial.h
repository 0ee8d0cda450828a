#pragma once

#include "trammel/mjcf/geom.h"

namespace trammel::mjcf {

/// Puts mass, mass centre and inertia of a body into its link: those of its <inertial>, or of its geoms (<compiler inertiafromgeom>), with
/// the bounds and the balance that <compiler> asks for. Meshes are not weighed, which is remarked on.
void put_inertia(const Element& body, const std::vector<Geom>& geoms, Source& source, const Settings& settings,
                 Remarks& remarks, Link& out);

/// Scales all masses and inertias so that they add up to <compiler settotalmass>, where it is given.
void set_total_mass(const Settings& settings, RobotDescription& out);

}  // namespace trammel::mjcf
