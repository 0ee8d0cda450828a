#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>

namespace trammel::urdf {

/// Finds the files that <mesh filename="…"> names, which may be
///   a path                      relative to the robot file's folder
///   file:///path                absolute
///   package://NAME/rest         NAME/rest in the robot file's folder or in one above it (model:// likewise)
/// Other addresses (http://…) are not found.
class MeshFinder {
 public:
  explicit MeshFinder(const std::string& robot_file);
  std::string find(const std::string& filename);  // an absolute path, or ""

 private:
  std::string search(const std::string& filename) const;

  std::filesystem::path folder_;
  std::unordered_map<std::string, std::string> found_;
};

}  // namespace trammel::urdf
