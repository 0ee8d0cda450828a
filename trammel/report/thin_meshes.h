#pragma once

#include "trammel/report/mesh_file.h"

namespace trammel {

/// A part of a mesh, how often it is shown, and how large.
struct ShownPart {
  Triangles* triangles;
  std::size_t times;
  double scale;  // the largest of the mesh's
};

/// Thins the meshes of a whole robot until up to `most` triangles are shown, by meshoptimizer: edges collapse where that changes the shape
/// least, up to an error that is the same length for all parts and only as large as it must be. Parts that cannot be thinned so far without
/// more than a twentieth of the largest part's size are then thinned in proportion. Without meshoptimizer nothing is changed.
void thin_meshes(std::vector<ShownPart>& parts, std::size_t most);

/// Whether the library was built with meshoptimizer.
bool can_thin_meshes();

}  // namespace trammel
