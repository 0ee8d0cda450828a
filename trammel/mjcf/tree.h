#pragma once

#include "trammel/mjcf/geom.h"

namespace trammel::mjcf {

/// What the rest of a model refers to: its bodies where they stand at qpos0, and its joints in the order of qpos.
struct Tree {
  struct JointFacts {
    std::string name;
    JointType type;
    double ref = 0;  // m or rad: the coordinate where the body stands as the file places it
    std::optional<std::array<double, 2>> range{};
    std::vector<double> qpos0;
  };
  std::map<std::string, Pose<>> bodies;  // X_WB at qpos0, "world" among them
  std::vector<JointFacts> joints;
  std::map<std::string, std::string> frames;  // of sites: the frames that they became

  const JointFacts* joint(const std::string& name) const;
};

/// Everything that readers of a model share.
struct Reader {
  Source& source;
  const Settings& settings;
  const Defaults& defaults;
  const Assets& assets;
  Remarks& remarks;
  RobotDescription& out;
  Tree tree{};
};

/// Reads all <worldbody>s: bodies become links, in whose frames inertials, geoms and sites are placed. Each joint carries its body; of several
/// joints, and of one that is not at the body's origin, all but the last are carried by massless links "BODY at JOINT" between.
/// A hinge or slide with a `ref` has the coordinate of MuJoCo's qpos.
void read_tree(const Element& root, Reader& reader);

/// Whether a range holds: `limited`, or by autolimits that there is one.
bool is_limited(const Item& item, const char* limited, const char* range, const Settings& settings);

}  // namespace trammel::mjcf
