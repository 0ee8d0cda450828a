#include "robot_file.h"
#include "trammel/mjcf/mjcf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz_robot_file(data, size, "/nowhere/fuzz.xml",
                  [](auto text, auto file) { return trammel::parse_mjcf(text, file); });
  return 0;
}
