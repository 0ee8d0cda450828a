#pragma once

#include <string>

#include "trammel/report/mesh_file.h"

namespace trammel {

/// Reads a mesh file by assimp: COLLADA, OBJ with its materials, glTF and others, of up to `most` triangles, with the colours of its
/// materials; lengths in the file's own unit become metres, and axes stay as ROS takes them (COLLADA's up axis is not used). The file may name
/// others, which are read if they are in its own folder or below.
///
/// Readers of so many formats are not safe with every file: assimp works in a process of its own, for 20 s and in 2 GB at most, and what goes
/// wrong there is told in `problem`. The process is forked: where the caller's has other threads, whose locks the child would find as they
/// were, nothing is read. Nor is it without assimp (TRAMMEL_ASSIMP=OFF).
MeshFile import_mesh(const std::string& path, std::size_t most);

}  // namespace trammel
