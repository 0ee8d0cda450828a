#include "trammel/xml/mesh_finder.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include <fmt/core.h>

#include "trammel/xml/words.h"

namespace trammel::xml {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 8> folders_of_robots{"urdf",  "urdfs", "robot", "robots",
                                                            "xacro", "sdf",   "mjcf",  "xml"};

// Whatever the system says against a path means "no".
bool is_file(const fs::path& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem);
}

bool is_inside(const fs::path& path, const fs::path& folder) {
  std::error_code problem;
  const fs::path real = fs::canonical(path, problem), root = fs::canonical(folder, problem);
  if (problem) return false;
  const fs::path way = real.lexically_relative(root);
  return !way.empty() && *way.begin() != "..";
}

std::vector<fs::path> ros_package_path() {
  std::vector<fs::path> out;
  const char* list = std::getenv("ROS_PACKAGE_PATH");
  std::istringstream folders(list == nullptr ? "" : list);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty()) out.emplace_back(folder);
  return out;
}

}  // namespace

MeshFinder::MeshFinder(const std::string& robot_file, std::map<std::string, std::string> packages)
    : packages_(std::move(packages)), ros_folders_(ros_package_path()) {
  std::error_code problem;
  folder_ = fs::absolute(fs::path(robot_file), problem).parent_path();
  allowed_ = ros_folders_;
  allowed_.push_back(folder_);
  for (const auto& [name, path] : packages_) allowed_.emplace_back(path);
  allow_package();
}

void MeshFinder::allow_package() {
  fs::path package = folder_.lexically_normal();
  for (fs::path folder = package; folder != folder.parent_path(); folder = folder.parent_path())
    if (is_file(folder / "package.xml")) return allowed_.push_back(folder);
  for (const char* name : {"meshes", "assets"}) allowed_.push_back(package.parent_path() / name);
  while (std::ranges::find(folders_of_robots, package.filename().string()) != folders_of_robots.end())
    package = package.parent_path();
  if (package != package.root_path()) allowed_.push_back(package);
}

std::string MeshFinder::find(const std::string& filename, const Place& place, Remarks& remarks) {
  const auto [known, is_new] = found_.emplace(filename, Found());
  if (is_new) known->second = search(filename);
  const auto& [path, outside] = known->second;
  if (outside)
    remarks.add(place, "mesh outside", [&]() -> Remarks::Wording {
      return {fmt::format("mesh file is outside of the robot's folders, and is not read ({})", shortened(filename)),
              fmt::format("mesh files are outside of the robot's folders, and are not read (the first is {})",
                          shortened(filename))};
    });
  else if (path.empty())
    remarks.add(place, "mesh", [&]() -> Remarks::Wording {
      return {fmt::format("mesh file was not found ({})", shortened(filename)),
              fmt::format("mesh files were not found (the first is {})", shortened(filename))};
    });
  return path;
}

MeshFinder::Found MeshFinder::if_allowed(const fs::path& path) const {
  if (!is_file(path)) return {};
  if (std::ranges::any_of(allowed_, [&](const fs::path& folder) { return is_inside(path, folder); }))
    return {path.lexically_normal().string(), false};
  return {"", true};
}

// Where the package is: the first place that has the file. Without a name it is the robot's own.
MeshFinder::Found MeshFinder::in_package(const std::string& package, const fs::path& rest) const {
  if (const auto given = packages_.find(package); given != packages_.end())
    return if_allowed(fs::path(given->second) / rest);
  std::vector<fs::path> places;
  for (const fs::path& folder : ros_folders_) places.push_back(folder / package);
  for (fs::path folder = folder_;; folder = folder.parent_path()) {
    places.push_back(folder / package);
    if (folder == folder.parent_path()) break;
  }
  for (const fs::path& folder : ros_folders_)
    if (folder.filename() == package) places.push_back(folder);
  bool outside = false;
  for (const fs::path& place : places) {
    if (!is_file(place / rest)) continue;
    if (package.empty()) return if_allowed(place / rest);
    if (is_inside(place / rest, place)) return {(place / rest).lexically_normal().string(), false};
    outside = true;
  }
  return {"", outside};
}

MeshFinder::Found MeshFinder::search(const std::string& filename) const {
  if (filename.starts_with("file://")) return if_allowed(filename.substr(7));
  const std::size_t scheme = filename.find("://");
  if (scheme == std::string::npos) return if_allowed(folder_ / filename);
  const std::string kind = filename.substr(0, scheme);
  if (kind != "package" && kind != "model") return {};
  const std::string address = filename.substr(scheme + 3);
  const std::size_t slash = address.find('/');
  const std::string package = address.substr(0, slash);
  if (slash == std::string::npos || package == "." || package == "..") return {};
  return in_package(package, fs::path(address.substr(slash)).relative_path());
}

}  // namespace trammel::xml
