#include "robot_file.h"
#include "trammel/urdf/urdf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // in the root folder, so that few folders are searched for meshes
  fuzz_robot_file(data, size, "/fuzz.urdf", [](auto text, auto file) { return trammel::parse_urdf(text, file); });
  return 0;
}
