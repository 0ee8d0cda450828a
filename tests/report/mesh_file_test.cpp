#include "trammel/report/mesh_file.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <future>

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include "trammel/report/thin_meshes.h"

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
  const MeshFile file = read_mesh_file(scratch.write("a.obj", obj), 100);
  EXPECT_EQ(file.problem, "");
  ASSERT_EQ(file.parts.size(), 1u);
  const Triangles& expected = file.parts[0];
  EXPECT_EQ(expected.vertices.size(), 12u);
  EXPECT_EQ(expected.corners, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3, 0, 3, 1, 2, 1, 3}));
  for (const std::string& path : {scratch.write("a.stl", text_stl()), scratch.write("b.STL", binary_stl())}) {
    const MeshFile read = read_mesh_file(path, 100);
    EXPECT_EQ(read.problem, "");
    ASSERT_EQ(read.parts.size(), 1u);
    EXPECT_EQ(read.parts[0].vertices, expected.vertices) << path;
    EXPECT_EQ(read.parts[0].corners, expected.corners) << path;
  }
}

TEST(MeshFile, WhatCannotBeShownIsToldAndNotShown) {
  const ScratchFolder scratch;
  const auto expect_problem = [](const std::string& path, const char* why, std::size_t most = 100) {
    const MeshFile read = read_mesh_file(path, most);
    EXPECT_NE(read.problem.find(why), std::string::npos) << read.problem;
    EXPECT_TRUE(read.parts.empty());
  };
  expect_problem(scratch.write("half.stl", binary_stl().substr(10, 200)), "its length is not that of an STL file");
  expect_problem(scratch.write("many.stl", binary_stl()), "it has more than 3 triangles", 3);
  expect_problem(scratch.write("none.stl", "solid nothing\nendsolid\n"), "it has no triangles");
  expect_problem(scratch.write("cut.stl", "solid a vertex 0 0"), "it has a vertex without three numbers");
  expect_problem(scratch.write("nan.obj", "v 0 0 nan\nv 0 1 0\nv 1 0 0\nf 1 2 3\n"), "it has a NaN");
  expect_problem(scratch.write("far.obj", "v 0 0 0\nf 1 2 3\n"), "it has a face over vertex 2");
  expect_problem("/dev/zero", "it is no regular file");
  ASSERT_EQ(::mkfifo((scratch.path() / "pipe.dae").c_str(), 0600), 0);
  expect_problem(scratch.path() / "pipe.dae", "it is no regular file");
  const std::string huge = scratch.write("huge.dae", "");
  std::filesystem::resize_file(huge, std::uintmax_t{10} << 30);  // a hole: takes no space on the disk
  expect_problem(huge, "it has more than 64 MB");
  expect_problem(scratch.path() / "nowhere.stl", "No such file");
}

#ifdef TRAMMEL_ASSIMP

// A triangle with legs of 100 cm, red, in a frame that is moved by 1 m along x; its up axis is y.
const std::string collada = R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="t"><lambert><diffuse><color>1 0 0.5 1</color></diffuse></lambert>
</technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="f" count="9">0 0 0 100 0 0 0 100 0</float_array>
<technique_common><accessor source="#f" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="1" material="x"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="w"><node><translate>100 0 0</translate><instance_geometry url="#g"><bind_material>
<technique_common><instance_material symbol="x" target="#m"/></technique_common></bind_material></instance_geometry></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>
)";

TEST(MeshFile, OfColladaHasItsUnitAndItsColoursAndKeepsItsAxes) {
  const ScratchFolder scratch;
  const MeshFile read = read_mesh_file(scratch.write("a.dae", collada), 100);
  ASSERT_EQ(read.problem, "");
  ASSERT_EQ(read.parts.size(), 1u);
  const std::vector<float> expected{1, 0, 0, 2, 0, 0, 1, 1, 0};
  ASSERT_EQ(read.parts[0].vertices.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(read.parts[0].vertices[i], expected[i], 1e-6);
  ASSERT_TRUE(read.parts[0].color);
  EXPECT_NEAR((*read.parts[0].color)[0], 1, 1e-6);
  EXPECT_NEAR((*read.parts[0].color)[2], 0.5, 1e-6);
}

TEST(MeshFile, ObjHasAPartForEachMaterialOfItsOwnFolder) {
  const ScratchFolder scratch;
  scratch.write("two.mtl", "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n");
  const std::string faces = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl red\nf 1 2 3\nusemtl blue\nf 1 2 4\n";
  const MeshFile read = read_mesh_file(scratch.write("two.obj", "mtllib two.mtl\n" + faces), 100);
  ASSERT_EQ(read.parts.size(), 2u) << read.problem;
  EXPECT_NE(read.parts[0].color, read.parts[1].color);
  const MeshFile outside = read_mesh_file(scratch.write("out.obj", "mtllib ../../../etc/passwd\n" + faces), 100);
  EXPECT_EQ(outside.count(), 2u) << outside.problem;
}

// A triangle of edges along x and y, red, in a node that doubles it and lifts it by 5, within one that turns it by 90° about z. In a glTF the
// numbers are 36 bytes of base64; in a GLB they stand behind the text.
std::string gltf(const std::string& where) {
  return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"rotation": [0, 0, 0.70710678118654752, 0.70710678118654752], "children": [1]},
              {"mesh": 0, "translation": [0, 0, 5], "scale": [2, 2, 2]}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
    "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}],
    "buffers": [{"byteLength": 36)" +
         where + "}]}";
}

std::string glb() {
  std::string text = gltf("");
  text.resize((text.size() + 3) / 4 * 4, ' ');
  const auto word = [](std::size_t n) {
    std::string out;
    for (int i = 0; i < 4; ++i) out += static_cast<char>(n >> 8 * i & 255);
    return out;
  };
  const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  std::string numbers(36, 0);
  std::memcpy(numbers.data(), corners, sizeof(corners));
  return "glTF" + word(2) + word(28 + text.size() + 36) + word(text.size()) + "JSON" + text + word(36) +
         std::string("BIN\0", 4) + numbers;
}

TEST(MeshFile, GltfIsPlacedByItsNodesAndHasItsColour) {
  const ScratchFolder scratch;
  const std::string uri =
      R"(, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA")";
  for (const std::string& path : {scratch.write("a.gltf", gltf(uri)), scratch.write("a.glb", glb())}) {
    const MeshFile read = read_mesh_file(path, 100);
    ASSERT_EQ(read.parts.size(), 1u) << path << ": " << read.problem;
    ASSERT_EQ(read.count(), 1u);
    EXPECT_EQ(read.parts[0].color, (Color{1, 0, 0, 1}));
    const float expected[3][3] = {{0, 0, 5}, {0, 2, 5}, {-2, 0, 5}};
    for (int corner = 0; corner < 3; ++corner)
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(read.parts[0].vertices[3 * read.parts[0].corners[corner] + k], expected[corner][k], 1e-6) << path;
  }
}

TEST(MeshFile, ThatAssimpCannotReadIsTold) {
  const ScratchFolder scratch;
  for (const char* name : {"a.dae", "a.glb", "a.gltf", "a.ply", "a.xyz"}) {
    const MeshFile read = read_mesh_file(scratch.write(name, "<COLLADA/>"), 100);
    EXPECT_NE(read.problem, "") << name;
    EXPECT_TRUE(read.parts.empty());
  }
  EXPECT_NE(read_mesh_file(scratch.write("b.dae", collada), 0).problem.find("more than 0 triangles"),
            std::string::npos);
}

TEST(MeshFile, OfColladaIsReadByManyThreadsAtOnce) {
  const ScratchFolder scratch;
  const std::string file = scratch.write("a.dae", collada), bad = scratch.write("b.dae", "<COLLADA/>");
  std::vector<std::future<std::size_t>> counts;
  for (int i = 0; i < 16; ++i)
    counts.push_back(
        std::async(std::launch::async, [&, i] { return read_mesh_file(i % 4 == 3 ? bad : file, 100).count(); }));
  for (int i = 0; i < 16; ++i) EXPECT_EQ(counts[i].get(), i % 4 == 3 ? 0u : 1u);
}

// What is set as long as it lives.
class MeshReader {
 public:
  explicit MeshReader(const std::string& program) { setenv("TRAMMEL_MESH_READER", program.c_str(), 1); }
  ~MeshReader() { unsetenv("TRAMMEL_MESH_READER"); }
  MeshReader(const MeshReader&) = delete;
  MeshReader& operator=(const MeshReader&) = delete;
};

TEST(MeshFile, WithoutTheProgramThatReadsIsStlOrObjOrTold) {
  const ScratchFolder scratch;
  const MeshReader nowhere("/nowhere/trammel-mesh");
  EXPECT_NE(read_mesh_file(scratch.write("a.dae", collada), 100).problem.find("trammel-mesh is not found"),
            std::string::npos);
  const MeshFile plain = read_mesh_file(scratch.write("a.obj", "mtllib a.mtl\n" + obj), 100);
  EXPECT_EQ(plain.count(), 4u) << plain.problem;
}

// Another program in its place: nothing of what it says is trusted.
TEST(MeshFile, OfAProgramThatSaysNonsenseIsTold) {
  const ScratchFolder scratch;
  const std::string file = scratch.write("a.dae", collada);
  for (const char* says : {"exit 0", "exit 1", "kill -SEGV $$", "echo hello", "head -c 1000000 /dev/zero",
                           "head -c 4096 /dev/urandom", "printf '\\377\\377\\377\\377\\377\\377\\377\\377'"}) {
    const std::string program = scratch.write("says", std::string("#!/bin/sh\n") + says + "\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const MeshReader other(program);
    const MeshFile read = read_mesh_file(file, 100);
    EXPECT_NE(read.problem, "") << says;
    EXPECT_TRUE(read.parts.empty()) << says;
  }
}

// A sphere of 32768 triangles: thinned to 2000 all its points still lie close to it.
TEST(ThinMeshes, KeepTheShape) {
  Triangles sphere;
  constexpr int n = 128;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j < n; ++j) {
      const double a = M_PI * i / n, b = 2 * M_PI * j / n;
      for (const double x : {std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)})
        sphere.vertices.push_back(static_cast<float>(x));
    }
  const auto at = [](int i, int j) { return static_cast<std::uint32_t>(i * n + j % n); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (const std::uint32_t k : {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1)})
        sphere.corners.push_back(k);
  Triangles tiny{{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2}};
  std::vector<ShownPart> parts{{&sphere, 2, 1}, {&tiny, 1, 1e-3}};
  thin_meshes(parts, 4000);
  EXPECT_LE(2 * sphere.count() + tiny.count(), 4000u);
  EXPECT_GT(sphere.count(), 200u);
  EXPECT_EQ(tiny.count(), 1u);
  double farthest = 0;
  for (std::size_t c = 0; c < sphere.corners.size(); c += 3) {
    double middle[3] = {0, 0, 0};
    for (int k = 0; k < 3; ++k)
      for (int x = 0; x < 3; ++x) middle[x] += static_cast<double>(sphere.vertices[3 * sphere.corners[c + k] + x]) / 3;
    farthest = std::max(farthest, 1 - std::hypot(middle[0], middle[1], middle[2]));
  }
  EXPECT_LT(farthest, 0.05);
}

#endif

}  // namespace
}  // namespace trammel
