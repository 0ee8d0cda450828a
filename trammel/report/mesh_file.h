#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trammel {

using Color = std::array<double, 4>;  // red, green, blue, alpha, each 0 … 1

/// Triangles to look at. Corners in the same place are one.
struct Triangles {
  std::vector<float> vertices;         // x, y, z of each, m
  std::vector<std::uint32_t> corners;  // three for each triangle
  std::optional<Color> color{};        // the file's own

  std::size_t count() const { return corners.size() / 3; }
};

/// A mesh file: a part for each colour.
struct MeshFile {
  std::vector<Triangles> parts;
  std::string problem{};  // why there are none; empty if there are some

  std::size_t count() const {
    std::size_t sum = 0;
    for (const Triangles& part : parts) sum += part.count();
    return sum;
  }
};

/// Reads STL, binary or text, OBJ, and whatever assimp reads (import_mesh.h), of up to `most` triangles and 64 MB; regular files alone. What
/// cannot be shown is no error: it is told in `problem`.
MeshFile read_mesh_file(const std::string& path, std::size_t most);

}  // namespace trammel
