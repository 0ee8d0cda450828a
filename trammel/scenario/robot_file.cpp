#include "trammel/scenario/robot_file.h"

namespace trammel::scenario {

RobotDescription read_robot_file(const std::string& path, const UrdfOptions& options) {
  return read_urdf(path, options);
}

}  // namespace trammel::scenario
