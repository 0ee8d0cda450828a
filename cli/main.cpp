#include "program.h"

namespace {

namespace fs = std::filesystem;

// Where the program was installed, or in its sources.
fs::path study_folder() {
  std::error_code ignored;
  const fs::path installed = fs::read_symlink("/proc/self/exe", ignored).parent_path() / "../share/trammel/reproduce";
  return fs::is_directory(installed) ? installed : fs::path(TRAMMEL_SOURCE_DIR) / "reproduce";
}

}  // namespace

int main(int argc, char** argv) { return trammel::cli::run_program(argc, argv, study_folder()); }
