#pragma once

#include <map>
#include <string>
#include <string_view>

#include "trammel/model/description.h"

namespace trammel {

/// How a URDF is read.
struct UrdfOptions {
  /// Refuses what no robot can have. Otherwise, where a physical robot is meant, what is odd is used as it is given, and told in warnings:
  /// inertias that no body has and joints that move no mass (judge_inertias.h), mimics that name a fixed joint or none.
  bool strict = false;
  /// Where packages are, by their names, for meshes "package://NAME/rest".
  std::map<std::string, std::string> packages{};
};

/// Reads a robot from a URDF file: links with their inertials and visuals, joints of all six URDF types, limits,
/// damping, friction, mimics (as couplings) and materials. Lengths in m, angles in rad, masses in kg, as URDF has them.
///
/// What is malformed throws Error with file, line, what was found and what is allowed, a line for each mistake. What URDF knows and Trammel does
/// not use (collision, transmission …), what nobody knows, and what is missing but not needed (a mesh file) is said in
/// the description's warnings, one for each kind. Whether the links make a robot is for build_model to find out.
///
/// Meshes are looked for as xml/mesh_finder.h says.
RobotDescription read_urdf(const std::string& path, const UrdfOptions& options = {});

/// The same from text. `file` stands in messages, and tells where to look for meshes.
RobotDescription parse_urdf(std::string_view text, const std::string& file, const UrdfOptions& options = {});

}  // namespace trammel
