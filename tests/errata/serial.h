#pragma once

#include "errata/residuals.h"

namespace trammel::test {

/// The serial manipulator's numbers, by the paper's names; J of bodies 2 and 3 are equal.
struct Serial {
  double l3 = 1;  // m; with the paper's own, ℓ2 = ℓ3, slips between the two do not show
  static constexpr double Jz1 = 3, m2 = 3, m3 = 3, m4 = 1, l2 = 1, Jx = 0.36, Jy = 0.07, Jz = 0.36, g = 9.81;

  /// The robot of robots/serial.urdf with a third body of length l3.
  Model model() const {
    RobotDescription robot = read_urdf(TRAMMEL_SOURCE_DIR "/robots/serial.urdf");
    for (Link& link : robot.links)
      if (link.name == "link3") link.com = {0, l3 / 2, 0};
    for (Joint& joint : robot.joints)
      if (joint.name == "tool_mount") joint.at.p = {0, l3, 0};
    return build_model(robot);
  }
};

/// A length of the third body that is not that of the second.
inline constexpr Serial shorter{0.8};

}  // namespace trammel::test
