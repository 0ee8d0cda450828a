#include "trammel/report/import_mesh.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/core.h>

#include "trammel/report/mesh_bytes.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

constexpr int most_seconds = 20;
constexpr std::size_t most_bytes_back = std::size_t{512} << 20;  // 2 million triangles have some 100 MB

// The file that has this code, and that of the program: one of them, or both, is a file of Trammel's.
std::array<std::string, 2> own_files() {
  Dl_info library{};
  const bool known = dladdr(reinterpret_cast<const void*>(&import_mesh), &library) != 0 && library.dli_fname != nullptr;
  std::array<std::string, 2> out{known ? library.dli_fname : "", "/proc/self/exe"};
  for (std::string& file : out) {
    std::error_code problem;
    file = fs::canonical(file, problem).string();
  }
  return out;
}

// Whether it is a program that nobody else can have put there: a folder above may be everybody's.
bool is_ours(const fs::path& program, const std::string& beside) {
  struct stat found {
  }, own{};
  if (stat(program.c_str(), &found) != 0 || !S_ISREG(found.st_mode) || access(program.c_str(), X_OK) != 0) return false;
  const bool known_owner =
      found.st_uid == 0 || found.st_uid == geteuid() || (stat(beside.c_str(), &own) == 0 && found.st_uid == own.st_uid);
  return known_owner && (found.st_mode & S_IWOTH) == 0;
}

// The program that reads, or nothing.
std::string mesh_reader() {
  if (const char* given = std::getenv("TRAMMEL_MESH_READER")) return access(given, X_OK) == 0 ? given : "";
  for (const std::string& file : own_files()) {
    if (file.empty()) continue;
    const fs::path folder = fs::path(file).parent_path();
    for (const fs::path& there : {folder, folder / "libexec", folder.parent_path() / "libexec"})
      if (is_ours(there / "trammel-mesh", file)) return there / "trammel-mesh";
  }
  const std::string installed = TRAMMEL_LIBEXECDIR;
  return !installed.empty() && is_ours(installed + "/trammel-mesh", "/") ? installed + "/trammel-mesh" : "";
}

// The program at work, its output in `out`, with no other file of ours. Returns 0, or the number of an error.
int start(const std::string& reader, const std::string& path, std::size_t most, int out, pid_t& process) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none), sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::string program = reader, file = path, count = std::to_string(most);
  char* words[] = {program.data(), file.data(), count.data(), nullptr};
  const int problem = posix_spawn(&process, program.c_str(), &files, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return problem;
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

bool can_import_meshes() { return !mesh_reader().empty(); }

MeshFile import_mesh(const std::string& path, std::size_t most) {
  const std::string reader = mesh_reader();
  if (reader.empty()) return {{}, "only STL and OBJ are shown: the program trammel-mesh is not found"};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {{}, std::strerror(errno)};
  pid_t process = 0;
  const int problem = start(reader, path, most, ends[1], process);
  close(ends[1]);
  if (problem != 0) {
    close(ends[0]);
    return {{}, fmt::format("{} does not start: {}", reader, std::strerror(problem))};
  }
  const Instant end = std::chrono::steady_clock::now() + std::chrono::seconds(most_seconds);
  bool in_time = true;
  const std::string bytes = read_all(ends[0], end, in_time);
  close(ends[0]);
  const bool well = ended_well(process, end);
  if (!in_time) return {{}, "reading it takes too long"};
  return well ? mesh_from_bytes(bytes) : MeshFile{{}, "it could not be read"};
}

}  // namespace trammel
