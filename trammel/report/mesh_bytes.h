#pragma once

#include <string>
#include <string_view>

#include "trammel/report/mesh_file.h"

namespace trammel {

/// What the program trammel-mesh writes: the problem, and the parts. Both ends are of one build, on one machine.
std::string to_bytes(const MeshFile& mesh);

/// Nothing of the bytes is trusted: what no mesh can be becomes a problem.
MeshFile mesh_from_bytes(std::string_view bytes);

}  // namespace trammel
