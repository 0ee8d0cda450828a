#include "trammel/report/mesh_file.h"

#include <cstring>

#include <gtest/gtest.h>

#include "support/scratch_folder.h"

namespace trammel {
namespace {

using test::ScratchFolder;

// A tetrahedron of edge 1 along the axes, as each kind of file.
const std::string obj =
    "# four points\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1/1/1 2/2/1 4/3/1\nf 1//2 4//2 3//2\nf -3 -2 -1\n";

std::string text_stl() {
  std::string out = "solid tetrahedron\n";
  for (const char* face : {"vertex 0 0 0 vertex 0 1 0 vertex 1 0 0", "vertex 0 0 0 vertex 1 0 0 vertex 0 0 1",
                           "vertex 0 0 0 vertex 0 0 1 vertex 0 1 0", "vertex 1 0 0 vertex 0 1 0 vertex 0 0 1"})
    out += std::string("facet normal 0 0 0 outer loop ") + face + " endloop endfacet\n";
  return out + "endsolid\n";
}

std::string binary_stl() {
  const float faces[4][12] = {{0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0},
                              {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                              {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0},
                              {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}};
  std::string out = "solid, but binary all the same";
  out.resize(80, ' ');
  out += std::string("\4\0\0\0", 4);
  for (const auto& face : faces) {
    char bytes[50] = {};
    std::memcpy(bytes, face, sizeof(face));
    out.append(bytes, sizeof(bytes));
  }
  return out;
}

TEST(MeshFile, ATetrahedronIsTheSameInEveryFormatWithItsCornersMerged) {
  const ScratchFolder scratch;
  const Triangles expected = read_mesh_file(scratch.write("a.obj", obj), 100);
  EXPECT_EQ(expected.problem, "");
  EXPECT_EQ(expected.vertices.size(), 12u);
  EXPECT_EQ(expected.corners, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3, 0, 3, 1, 2, 1, 3}));
  for (const std::string& path : {scratch.write("a.stl", text_stl()), scratch.write("b.STL", binary_stl())}) {
    const Triangles read = read_mesh_file(path, 100);
    EXPECT_EQ(read.problem, "");
    EXPECT_EQ(read.vertices, expected.vertices) << path;
    EXPECT_EQ(read.corners, expected.corners) << path;
  }
}

TEST(MeshFile, WhatCannotBeShownIsToldAndNotShown) {
  const ScratchFolder scratch;
  const auto expect_problem = [](const std::string& path, const char* why, std::size_t most = 100) {
    const Triangles read = read_mesh_file(path, most);
    EXPECT_NE(read.problem.find(why), std::string::npos) << read.problem;
    EXPECT_TRUE(read.vertices.empty() && read.corners.empty());
  };
  expect_problem(scratch.write("half.stl", binary_stl().substr(10, 200)), "its length is not that of an STL file");
  expect_problem(scratch.write("many.stl", binary_stl()), "it has more than 3 triangles", 3);
  expect_problem(scratch.write("none.stl", "solid nothing\nendsolid\n"), "it has no triangles");
  expect_problem(scratch.write("cut.stl", "solid a vertex 0 0"), "it has a vertex without three numbers");
  expect_problem(scratch.write("nan.obj", "v 0 0 nan\nv 0 1 0\nv 1 0 0\nf 1 2 3\n"), "it has a NaN");
  expect_problem(scratch.write("far.obj", "v 0 0 0\nf 1 2 3\n"), "it has a face over vertex 2");
  expect_problem(scratch.write("a.dae", "<COLLADA/>"), "only STL and OBJ are shown");
  expect_problem(scratch.path() / "nowhere.stl", "No such file");
}

}  // namespace
}  // namespace trammel
