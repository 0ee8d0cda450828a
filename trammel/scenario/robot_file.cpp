#include "trammel/scenario/robot_file.h"

#include "trammel/urdf/urdf.h"

namespace trammel::scenario {

RobotDescription read_robot_file(const std::string& path) { return read_urdf(path); }

}  // namespace trammel::scenario
