#pragma once

#include <string>
#include <vector>

#include "trammel/model/description.h"

namespace trammel {

/// A number of a description, and where it stands.
struct DescriptionNumber {
  std::string name;
  double* value;
};

/// The numbers of a description that leave its structure as it is, by name and in SI units:
///
///   bodies.LINK.mass   .com.0 … .com.2   .inertia.0 … .inertia.5 (xx, yy, zz, xy, xz, yz)
///   joints.JOINT.at.xyz.0 … .2   .pitch
///   joints.JOINT.damping  .friction  .stiffness  .rest  .rotor_inertia      of joints with one coordinate
///   frames.FRAME.at.xyz.0 … .2
std::vector<DescriptionNumber> numbers_of(RobotDescription& robot);

}  // namespace trammel
