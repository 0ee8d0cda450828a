#include "trammel/urdf/rules.h"

#include <unordered_map>

namespace trammel::urdf {

const Rule* rule_of(std::string_view tag) {
  static const std::unordered_map<std::string_view, Rule> rules{
      {"robot",
       {{"name", "version"},
        {},
        {"link", "joint", "material", "loop", "coupling"},
        {"gazebo", "transmission", "sensor", "ros2_control"}}},
      {"link", {{"name"}, {"inertial"}, {"visual"}, {"collision"}}},
      {"inertial", {{}, {"origin", "mass", "inertia"}, {}, {}}},
      {"mass", {{"value"}, {}, {}, {}}},
      {"inertia", {{"ixx", "ixy", "ixz", "iyy", "iyz", "izz"}, {}, {}, {}}},
      {"origin", {{"xyz", "rpy", "quat_xyzw"}, {}, {}, {}}},
      {"visual", {{"name"}, {"origin", "geometry", "material"}, {}, {}}},
      {"geometry", {{}, {"box", "cylinder", "capsule", "sphere", "mesh"}, {}, {}}},
      {"box", {{"size"}, {}, {}, {}}},
      {"cylinder", {{"radius", "length"}, {}, {}, {}}},
      {"capsule", {{"radius", "length"}, {}, {}, {}}},
      {"sphere", {{"radius"}, {}, {}, {}}},
      {"mesh", {{"filename", "scale"}, {}, {}, {}}},
      {"material", {{"name"}, {"color"}, {}, {"texture"}}},
      {"color", {{"rgba"}, {}, {}, {}}},
      {"joint",
       {{"name", "type", "independent"},
        {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"},
        {},
        {"calibration", "safety_controller"}}},
      {"parent", {{"link"}, {}, {}, {}}},
      {"child", {{"link"}, {}, {}, {}}},
      {"axis", {{"xyz"}, {}, {}, {}}},
      {"limit", {{"lower", "upper", "effort", "velocity"}, {}, {}, {}}},
      {"dynamics", {{"damping", "friction"}, {}, {}, {}}},
      {"loop", {{"name", "type"}, {"predecessor", "successor", "axis"}, {}, {"limit", "dynamics"}}},
      {"coupling", {{"name", "type"}, {"predecessor", "successor", "ratio"}, {}, {}}},
      {"predecessor", {{"link"}, {"origin"}, {}, {}}},
      {"successor", {{"link"}, {"origin"}, {}, {}}},
      {"ratio", {{"value"}, {}, {}, {}}},
      {"mimic", {{"joint", "multiplier", "offset"}, {}, {}, {}}},
  };
  const auto found = rules.find(tag);
  return found == rules.end() ? nullptr : &found->second;
}

}  // namespace trammel::urdf
