#pragma once

#include <filesystem>
#include <map>
#include <mutex>

#include "trammel/model/description.h"
#include "trammel/scenario/value.h"
#include "trammel/urdf/urdf.h"

namespace trammel::scenario {

/// The keys of the scenario that describe the robot.
const std::vector<std::string>& robot_keys();

/// Files of robots, each read once, and kept; shared between threads.
class RobotFiles {
 public:
  /// They are looked for in the folder, and read by the options.
  explicit RobotFiles(std::filesystem::path folder, UrdfOptions options = {})
      : folder_(std::move(folder)), options_(std::move(options)) {}
  /// `strict`: even if the options are not.
  RobotDescription read(const std::string& file, bool strict = false);
  std::string path(const std::string& file) const;

 private:
  std::filesystem::path folder_;
  UrdfOptions options_;
  std::mutex mutex_;
  std::map<std::pair<std::string, bool>, RobotDescription> known_;
};

/// All robots and bodies of the scenario as one description, so that frames and joints may reach from one to the other:
///
///   robot: arm.urdf     robot: {file: arm.urdf, base: floating}
///   robots: [{file: arm.urdf, name: left, base: fixed, at: {xyz: [0, 0.4, 0]}, strict: true}, …]
///
///   robot: {file: robot.urdf, loops: robot.yaml}     without: [names of what the files ask for]
///
/// With a name, it stands with a dot before all names of that robot: left.q1. A base that is not fixed is carried by a joint
/// "base".
RobotDescription read_robots(const Map& scenario, RobotFiles& files, const Constants& constants);

}  // namespace trammel::scenario
