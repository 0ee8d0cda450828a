#include "trammel/urdf/mesh.h"

#include <string_view>

namespace trammel::urdf {
namespace {

namespace fs = std::filesystem;

// The path in its shortest form, or "" if there is no such file. Whatever the system says against a path means "no".
std::string if_file(const fs::path& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem) ? path.lexically_normal().string() : "";
}

}  // namespace

MeshFinder::MeshFinder(const std::string& robot_file) {
  std::error_code problem;
  folder_ = fs::absolute(fs::path(robot_file), problem).parent_path();
}

std::string MeshFinder::find(const std::string& filename) {
  const auto [known, is_new] = found_.emplace(filename, "");
  if (is_new) known->second = search(filename);
  return known->second;
}

std::string MeshFinder::search(const std::string& filename) const {
  if (filename.starts_with("file://")) return if_file(filename.substr(7));
  const std::size_t scheme = filename.find("://");
  if (scheme == std::string::npos) return if_file(folder_ / filename);
  const std::string kind = filename.substr(0, scheme);
  if (kind != "package" && kind != "model") return "";
  const fs::path rest = fs::path(filename.substr(scheme + 3)).relative_path();
  for (fs::path folder = folder_;; folder = folder.parent_path()) {
    if (std::string path = if_file(folder / rest); !path.empty()) return path;
    if (folder == folder.parent_path()) return "";
  }
}

}  // namespace trammel::urdf
