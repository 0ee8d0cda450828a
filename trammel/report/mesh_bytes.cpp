#include "trammel/report/mesh_bytes.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace trammel {
namespace {

void append(const void* data, std::size_t bytes, std::string& out) {
  out.append(static_cast<const char*>(data), bytes);
}

template <class T>
void append(const std::vector<T>& list, std::string& out) {
  const std::uint64_t count = list.size();
  append(&count, sizeof(count), out);
  append(list.data(), count * sizeof(T), out);
}

}  // namespace

std::string to_bytes(const MeshFile& mesh) {
  std::string out;
  append(std::vector<char>(mesh.problem.begin(), mesh.problem.end()), out);
  for (const Triangles& part : mesh.parts) {
    append(part.color ? std::vector<double>(part.color->begin(), part.color->end()) : std::vector<double>(), out);
    append(part.vertices, out);
    append(part.corners, out);
  }
  return out;
}

namespace {

// Takes a list from the front of the bytes. False if there is none: nothing that comes from the process is trusted.
template <class T>
bool take(std::string_view& bytes, std::vector<T>& out) {
  std::uint64_t count = 0;
  if (bytes.size() < sizeof(count)) return false;
  std::memcpy(&count, bytes.data(), sizeof(count));
  bytes.remove_prefix(sizeof(count));
  if (count > bytes.size() / sizeof(T)) return false;
  out.resize(count);
  if (count > 0) std::memcpy(out.data(), bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
  return true;
}

bool is_sound(const Triangles& part) {
  return part.vertices.size() % 3 == 0 && part.corners.size() % 3 == 0 && !part.corners.empty() &&
         std::ranges::all_of(part.corners, [&](std::uint32_t i) { return i < part.vertices.size() / 3; }) &&
         std::ranges::all_of(part.vertices, [](float x) { return std::isfinite(x); });
}

}  // namespace

MeshFile mesh_from_bytes(std::string_view bytes) {
  const MeshFile broken{{}, "it could not be read"};
  std::vector<char> problem;
  if (!take(bytes, problem)) return broken;
  MeshFile out{{}, std::string(problem.begin(), problem.end())};
  while (!bytes.empty()) {
    std::vector<double> color;
    Triangles part;
    if (!take(bytes, color) || !take(bytes, part.vertices) || !take(bytes, part.corners) || !is_sound(part))
      return broken;
    if (color.size() == 4) part.color = Color{color[0], color[1], color[2], color[3]};
    out.parts.push_back(std::move(part));
  }
  return out.parts.empty() && out.problem.empty() ? broken : out;
}

}  // namespace trammel
