#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trammel {

/// Triangles to look at. Corners in the same place are one.
struct Triangles {
  std::vector<float> vertices;         // x, y, z of each, as the file has them
  std::vector<std::uint32_t> corners;  // three for each triangle
  std::string problem{};               // why there are none; empty if there are some

  std::size_t count() const { return corners.size() / 3; }
};

/// Reads STL, binary or text, and OBJ, of up to `most` triangles. What cannot be shown is no error: it is told in `problem`.
Triangles read_mesh_file(const std::string& path, std::size_t most);

}  // namespace trammel
