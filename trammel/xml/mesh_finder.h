#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "trammel/xml/remarks.h"

namespace trammel::xml {

/// Finds the files of meshes that a robot's file names, which may be
///
///   a path                      relative to the robot file's folder
///   file:///path                absolute
///   package://NAME/rest         rest in the package NAME (model:// likewise): where the caller says that it is; else NAME in a folder of
///                               ROS_PACKAGE_PATH, in the robot file's folder, or in one above it; else that folder of ROS_PACKAGE_PATH
///                               itself, if it is called so
///
/// Other addresses (http://…) are not found. Only regular files are, and only inside the folders that the user named: the robot file's own,
/// that of the package it is in, the packages that the caller gave, the folders of ROS_PACKAGE_PATH, and for package:// the folder NAME.
/// Neither ".." nor symbolic links lead out of them.
///
/// The package of a file is the nearest folder above with a package.xml. Files are often copied without it: then a file in a folder that is
/// called urdf, robots, mjcf or the like (`folders_of_robots`) is in the package above that, and the folders meshes and assets beside the
/// file's own may be read, too.
class MeshFinder {
 public:
  MeshFinder(const std::string& robot_file, std::map<std::string, std::string> packages);

  /// An absolute path. Where there is none it is empty, and a remark is made, at the place.
  std::string find(const std::string& filename, const Place& place, Remarks& remarks);

 private:
  struct Found {
    std::string path;      // absolute; empty if there is none
    bool outside = false;  // there is one, which is outside of the folders that may be read
  };
  void allow_package();
  Found search(const std::string& filename) const;
  Found in_package(const std::string& package, const std::filesystem::path& rest) const;
  Found if_allowed(const std::filesystem::path& path) const;

  std::filesystem::path folder_;
  std::map<std::string, std::string> packages_;
  std::vector<std::filesystem::path> ros_folders_, allowed_;
  std::unordered_map<std::string, Found> found_;
};

}  // namespace trammel::xml
