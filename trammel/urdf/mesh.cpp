#include "trammel/urdf/mesh.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace trammel::urdf {
namespace {

namespace fs = std::filesystem;

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
  for (fs::path folder = folder_; folder != folder.parent_path(); folder = folder.parent_path()) {
    if (!is_file(folder / "package.xml")) continue;
    allowed_.push_back(folder);
    return;
  }
}

MeshFinder::Found MeshFinder::find(const std::string& filename) {
  const auto [known, is_new] = found_.emplace(filename, Found());
  if (is_new) known->second = search(filename);
  return known->second;
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

}  // namespace trammel::urdf
