#pragma once

#include <map>
#include <string>
#include <string_view>

#include "trammel/model/description.h"

namespace trammel {

/// Reads a robot from a file in MuJoCo's format: bodies, their joints and inertias (given, or of primitive geoms), sites as frames, equalities
/// as constraints, fixed tendons, actuators, keyframes as starts; with defaults, classes and includes. docs/robots.md has what is made of each
/// element.
///
/// What is malformed, unknown or changes the motion in a way that is not computed throws Error with file, line, what was found and what is
/// allowed. What is not used (contact, sensors, display, options of MuJoCo's solver …) is said in the description's warnings, one for each
/// kind.
///
/// Meshes are looked for as xml/mesh_finder.h says, with the folders of `packages`.
RobotDescription read_mjcf(const std::string& path, const std::map<std::string, std::string>& packages = {});

/// The same from text. `file` stands in messages, and tells where to look for meshes and for what is included.
RobotDescription parse_mjcf(std::string_view text, const std::string& file,
                            const std::map<std::string, std::string>& packages = {});

}  // namespace trammel
