#pragma once

#include <string>

#include "trammel/report/mesh_file.h"

namespace trammel {

/// A mesh file of up to `most` triangles as assimp reads it, in metres, with the colours of its materials. It may name other files, of which
/// those in its own folder or below are read. Throws whatever assimp throws.
MeshFile read_by_assimp(const std::string& path, std::size_t most);

}  // namespace trammel
