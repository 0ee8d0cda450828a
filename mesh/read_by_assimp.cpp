#include "read_by_assimp.h"

#include <cstring>
#include <filesystem>
#include <map>

#include <assimp/DefaultIOSystem.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/Importer.hpp>

#include "trammel/report/collect_triangles.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

// Opens regular files of the mesh's own folder and below, and no others.
class OwnFolder final : public Assimp::DefaultIOSystem {
 public:
  explicit OwnFolder(const std::string& path) : folder_(fs::canonical(fs::absolute(path).parent_path())) {}

  bool Exists(const char* file) const override { return is_own(file); }
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    if (!is_own(file) || std::strchr(mode, 'w') != nullptr) return nullptr;
    return DefaultIOSystem::Open(file, mode);
  }

 private:
  bool is_own(const char* file) const {
    std::error_code problem;
    const fs::path path = fs::canonical(file, problem);
    if (problem || !fs::is_regular_file(path, problem) || fs::file_size(path, problem) > most_mesh_bytes) return false;
    const fs::path inside = path.lexically_relative(folder_);
    return !inside.empty() && *inside.begin() != "..";
  }

  fs::path folder_;
};

std::optional<Color> color_of(const aiMaterial& material) {
  aiColor4D color;
  if (material.Get("$clr.base", 0, 0, color) != aiReturn_SUCCESS &&  // of glTF
      material.Get(AI_MATKEY_COLOR_DIFFUSE, color) != aiReturn_SUCCESS)
    return std::nullopt;
  const auto part = [](ai_real x) { return std::isfinite(x) ? std::clamp(static_cast<double>(x), 0.0, 1.0) : 0.5; };
  return Color{part(color.r), part(color.g), part(color.b), 1};
}

void collect(const aiMesh& mesh, Collector& into) {
  const auto point = [&](unsigned i) -> std::optional<Point> {
    if (i >= mesh.mNumVertices) return std::nullopt;
    const aiVector3D& x = mesh.mVertices[i];
    return Point{x.x, x.y, x.z};
  };
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    const aiFace& face = mesh.mFaces[f];
    if (face.mNumIndices != 3) continue;  // points and lines
    const auto a = point(face.mIndices[0]), b = point(face.mIndices[1]), c = point(face.mIndices[2]);
    if (!a || !b || !c) return void(into.fail("it has a face over a vertex that is not there"));
    if (!into.add({*a, *b, *c})) return;
  }
}

}  // namespace

MeshFile read_by_assimp(const std::string& path, std::size_t most) {
  Assimp::Importer importer;
  importer.SetIOHandler(new OwnFolder(path));  // the importer's to delete
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  const aiScene* scene = importer.ReadFile(path, aiProcess_Triangulate | aiProcess_PreTransformVertices);
  if (scene == nullptr || !scene->HasMeshes()) {
    const std::string why = importer.GetErrorString();
    return {{}, why.empty() ? "it has no triangles" : why.substr(0, 200)};
  }
  std::map<std::optional<Color>, Collector> by_color;
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
    const aiMesh& mesh = *scene->mMeshes[i];
    const bool has_material = mesh.mMaterialIndex < scene->mNumMaterials;
    const std::optional<Color> color = has_material ? color_of(*scene->mMaterials[mesh.mMaterialIndex]) : std::nullopt;
    collect(mesh, by_color.try_emplace(color, most).first->second);
  }
  MeshFile out;
  for (auto& [color, collector] : by_color) {
    if (!collector.problem.empty()) return {{}, collector.problem};
    collector.out.color = color;
    if (collector.out.count() > 0) out.parts.push_back(std::move(collector.out));
  }
  if (out.parts.empty()) return {{}, "it has no triangles"};
  if (out.count() > most) return {{}, too_many(most)};
  return out;
}

}  // namespace trammel
