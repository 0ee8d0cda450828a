#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "message.h"
#include "trammel/scenario/scenario.h"
#include "trammel/sweep/sweep.h"

// Whatever the bytes are, the reader gives a sweep of this pendulum, or an Error with a message of one line. Anything else that is thrown,
// and anything that a sanitizer sees, is a finding. Starts are not to be assembled: that is slow, and tested elsewhere.

namespace {

namespace fs = std::filesystem;

fs::path folder_with_a_pendulum() {
  const fs::path folder = fs::temp_directory_path() / "trammel-fuzz-sweep";
  fs::create_directories(folder);
  std::ofstream(folder / "pendulum.yaml")
      << "constants: {length: 0.5}\n"
         "bodies: {bob: {mass: 1, com: [0, 0, -length], inertia: [1e-3, 1e-3, 1e-3]}}\n"
         "joints: [{name: a, revolute: y, from: world, to: bob}]\n"
         "simulate: {duration: 1 s}\n";
  return folder;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fs::path folder = folder_with_a_pendulum();
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const trammel::Sweep sweep =
        trammel::read_sweep_text(text, "fuzz.yaml", folder, {"initial.assemble=false", "simulate.drift=none"});
    for (const long i : {0L, sweep.case_count() - 1}) (void)sweep.overrides(i);
    (void)header_of(sweep);
  } catch (const trammel::Error& error) {
    check_message(error.what());
    (void)trammel::with_caret(error, text);
  }
  return 0;
}
