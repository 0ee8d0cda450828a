#include <csignal>
#include <cstdlib>

#include <sys/resource.h>
#include <unistd.h>

#include "read_by_assimp.h"
#include "trammel/report/mesh_bytes.h"

/// trammel-mesh FILE MOST: reads a mesh file by assimp and writes its triangles to the standard output (mesh_bytes.h), or why there are none.
/// Readers of so many formats are not safe with every file: the library runs this program, and what goes wrong in it costs one mesh. It
/// limits itself before it opens the file: 20 s, 2 GB, no file written.
namespace {

constexpr unsigned most_seconds = 20;

void limit(int what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(what, &both);
}

void limit_all() {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, most_seconds);
  limit(RLIMIT_FSIZE, 0);  // of files; a pipe takes what it is given
#ifndef __SANITIZE_ADDRESS__
  limit(RLIMIT_DATA, rlim_t{2} << 30);
#endif
  alarm(most_seconds);  // also where nobody waits for it any more
}

bool write_all(const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
    if (written <= 0) return false;
    at += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return EXIT_FAILURE;
  limit_all();
  int outcome = EXIT_FAILURE;
  try {
    const trammel::MeshFile mesh = trammel::read_by_assimp(words[1], std::strtoull(words[2], nullptr, 10));
    if (write_all(trammel::to_bytes(mesh))) outcome = EXIT_SUCCESS;
  } catch (...) {  // assimp throws all kinds
  }
  _exit(outcome);  // what assimp's destructors would do at the end costs no mesh
}
