#pragma once

#include <string>

#include "trammel/report/mesh_file.h"

namespace trammel {

/// Reads a mesh file by assimp: COLLADA, OBJ with its materials, glTF and others, of up to `most` triangles, with the colours of its
/// materials; lengths in the file's own unit become metres, and axes stay as ROS takes them (COLLADA's up axis is not used). The file may name
/// others, which are read if they are in its own folder or below.
///
/// Readers of so many formats are not safe with every file: assimp works in a program of its own, trammel-mesh (mesh/main.cpp), for 20 s and
/// in 2 GB at most, and what goes wrong there is told in `problem`. It is started as a new process, not forked: any number of threads may
/// read at once. It is looked for where TRAMMEL_MESH_READER says; else beside the shared library or the program that has this code, in
/// libexec there or beside that folder, and where it was to be installed; it must be root's, the user's or the owner's of that file. Where it
/// is not found, nothing is read.
MeshFile import_mesh(const std::string& path, std::size_t most);

/// Whether that program is there.
bool can_import_meshes();

}  // namespace trammel
