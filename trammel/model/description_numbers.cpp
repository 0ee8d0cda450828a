#include "trammel/model/description_numbers.h"

#include <fmt/core.h>

namespace trammel {

std::vector<DescriptionNumber> numbers_of(RobotDescription& robot) {
  std::vector<DescriptionNumber> out;
  const auto add_three = [&](const std::string& name, Vec3<>& x) {
    for (int k = 0; k < 3; ++k) out.push_back({fmt::format("{}.{}", name, k), &x[k]});
  };
  for (Link& link : robot.links) {
    if (link.name == "world") continue;  // which does not move
    const std::string whose = "bodies." + link.name;
    out.push_back({whose + ".mass", &link.mass});
    add_three(whose + ".com", link.com);
    Symmetric3<>& I = link.inertia;
    int k = 0;
    for (double* x : {&I.xx, &I.yy, &I.zz, &I.xy, &I.xz, &I.yz})
      out.push_back({fmt::format("{}.inertia.{}", whose, k++), x});
  }
  for (Joint& joint : robot.joints) {
    const std::string whose = "joints." + joint.name;
    add_three(whose + ".at.xyz", joint.at.p);
    if (joint.type == JointType::helical) out.push_back({whose + ".pitch", &joint.pitch});
    if (size_of(joint.type).v != 1) continue;
    if (joint.coordinates.empty()) joint.coordinates.emplace_back();
    Coordinate& c = joint.coordinates.front();
    out.push_back({whose + ".damping", &c.damping});
    out.push_back({whose + ".friction", &c.friction});
    out.push_back({whose + ".stiffness", &c.stiffness});
    out.push_back({whose + ".rest", &c.rest});
    out.push_back({whose + ".rotor_inertia", &c.rotor_inertia});
  }
  for (NamedFrame& frame : robot.frames) add_three("frames." + frame.name + ".at.xyz", frame.at.p);
  return out;
}

}  // namespace trammel
