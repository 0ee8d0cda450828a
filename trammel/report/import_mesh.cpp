#include "trammel/report/import_mesh.h"

#ifndef TRAMMEL_ASSIMP

namespace trammel {

MeshFile import_mesh(const std::string&, std::size_t) {
  return {{}, "only STL and OBJ are shown (built without assimp)"};
}

}  // namespace trammel

#else

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <assimp/DefaultIOSystem.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/Importer.hpp>

#include "trammel/report/collect_triangles.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

constexpr int most_seconds = 20;
constexpr std::size_t most_bytes_back = std::size_t{512} << 20;  // 2 million triangles have some 100 MB

// Opens regular files of the mesh's own folder and below, and no others.
class OwnFolder final : public Assimp::DefaultIOSystem {
 public:
  explicit OwnFolder(const std::string& path) : folder_(fs::canonical(fs::path(path).parent_path())) {}

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

// What the process says to its parent: the problem, and the parts.

void append(const void* data, std::size_t bytes, std::string& out) {
  out.append(static_cast<const char*>(data), bytes);
}

template <class T>
void append(const std::vector<T>& list, std::string& out) {
  const std::uint64_t count = list.size();
  append(&count, sizeof(count), out);
  append(list.data(), count * sizeof(T), out);
}

std::string to_bytes(const MeshFile& mesh) {
  std::string out;
  append(std::vector<char>(mesh.problem.begin(), mesh.problem.end()), out);
  for (const Triangles& part : mesh.parts) {
    append(part.color ? std::vector<double>(part.color->begin(), part.color->end()) : std::vector<double>(), out);
    append(part.vertices, out);
    append(part.corners, out);
  }
  return out;
}

// Takes a list from the front of the bytes. False if there is none: nothing that comes from the process is trusted.
template <class T>
bool take(std::string_view& bytes, std::vector<T>& out) {
  std::uint64_t count = 0;
  if (bytes.size() < sizeof(count)) return false;
  std::memcpy(&count, bytes.data(), sizeof(count));
  bytes.remove_prefix(sizeof(count));
  if (count > bytes.size() / sizeof(T)) return false;
  out.resize(count);
  if (count > 0) std::memcpy(out.data(), bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
  return true;
}

bool is_sound(const Triangles& part) {
  return part.vertices.size() % 3 == 0 && part.corners.size() % 3 == 0 && !part.corners.empty() &&
         std::ranges::all_of(part.corners, [&](std::uint32_t i) { return i < part.vertices.size() / 3; }) &&
         std::ranges::all_of(part.vertices, [](float x) { return std::isfinite(x); });
}

MeshFile from_bytes(std::string_view bytes) {
  const MeshFile broken{{}, "it could not be read"};
  std::vector<char> problem;
  if (!take(bytes, problem)) return broken;
  MeshFile out{{}, std::string(problem.begin(), problem.end())};
  while (!bytes.empty()) {
    std::vector<double> color;
    Triangles part;
    if (!take(bytes, color) || !take(bytes, part.vertices) || !take(bytes, part.corners) || !is_sound(part))
      return broken;
    if (color.size() == 4) part.color = Color{color[0], color[1], color[2], color[3]};
    out.parts.push_back(std::move(part));
  }
  return out.parts.empty() && out.problem.empty() ? broken : out;
}

void limit(int what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(what, &both);
}

// Whether this is the process's only thread. A child that is forked beside others may find locks held by threads that it does not have.
// A thread that was joined may be listed a moment longer.
bool is_alone() {
  for (int attempt = 0; attempt < 50; ++attempt) {
    std::error_code problem;
    const fs::directory_iterator tasks("/proc/self/task", problem);
    if (problem) return false;
    if (std::distance(begin(tasks), end(tasks)) == 1) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

[[noreturn]] void work_apart(const std::string& path, std::size_t most, int out) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGTERM, SIGINT}) std::signal(signal, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, most_seconds);
  limit(RLIMIT_FSIZE, 0);  // of files; a pipe takes what it is given
#ifndef __SANITIZE_ADDRESS__
  limit(RLIMIT_DATA, rlim_t{2} << 30);
#endif
  std::string bytes;
  try {
    bytes = to_bytes(read_by_assimp(path, most));
  } catch (...) {  // assimp throws all kinds
    _exit(1);
  }
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t written = write(out, bytes.data() + at, bytes.size() - at);
    if (written <= 0) _exit(1);
    at += static_cast<std::size_t>(written);
  }
  _exit(0);
}

using Instant = std::chrono::steady_clock::time_point;

// All that comes out of the pipe in the time there is.
std::string read_all(int in, Instant end, bool& in_time) {
  std::string out;
  in_time = true;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd ready{in, POLLIN, 0};
    const int count = left.count() > 0 ? poll(&ready, 1, static_cast<int>(left.count())) : 0;
    if (count < 0 && errno == EINTR) continue;
    in_time = count > 0;
    if (count <= 0) return out;
    char chunk[1 << 16];
    const ssize_t got = read(in, chunk, sizeof(chunk));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return out;
    if (out.size() > most_bytes_back) return out;
    out.append(chunk, static_cast<std::size_t>(got));
  }
}

// Waits for the process until the end of its time, and stops it then. Whether it ended by itself and well.
bool ended_well(pid_t child, Instant end) {
  int status = 0;
  for (;;) {
    const pid_t done = waitpid(child, &status, WNOHANG);
    if (done == child) return status == 0;
    if (done < 0 && errno != EINTR) return true;  // nobody keeps its status: what it said must do
    if (std::chrono::steady_clock::now() > end) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return false;
}

}  // namespace

MeshFile import_mesh(const std::string& path, std::size_t most) {
  if (!is_alone()) return {{}, "such files are read only in a process of one thread"};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {{}, std::strerror(errno)};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    work_apart(path, most, ends[1]);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return {{}, std::strerror(errno)};
  }
  const Instant end = std::chrono::steady_clock::now() + std::chrono::seconds(most_seconds);
  bool in_time = true;
  const std::string bytes = read_all(ends[0], end, in_time);
  close(ends[0]);
  const bool well = ended_well(child, end);
  if (!in_time) return {{}, "reading it takes too long"};
  return well ? from_bytes(bytes) : MeshFile{{}, "it could not be read"};
}

}  // namespace trammel

#endif
