#include "trammel/scenario/robot_file.h"

#include "trammel/mjcf/mjcf.h"
#include "trammel/xml/file.h"

namespace trammel::scenario {

RobotDescription parse_robot(std::string_view text, const std::string& file, const UrdfOptions& options) {
  // behind <?xml …?> and comments the first tag tells
  std::size_t at = text.find('<');
  while (at != std::string_view::npos && at + 1 < text.size() && (text[at + 1] == '?' || text[at + 1] == '!')) {
    const bool comment = text.substr(at).starts_with("<!--");
    const std::size_t end = text.find(comment ? "-->" : ">", at);
    at = end == std::string_view::npos ? end : text.find('<', end);
  }
  const bool is_mjcf = at != std::string_view::npos && text.substr(at).starts_with("<mujoco");
  return is_mjcf ? parse_mjcf(text, file, options.packages) : parse_urdf(text, file, options);
}

RobotDescription read_robot_file(const std::string& path, const UrdfOptions& options) {
  return parse_robot(xml::read_file(path), path, options);
}

}  // namespace trammel::scenario
