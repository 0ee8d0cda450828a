#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "message.h"
#include "trammel/mjcf/mjcf.h"
#include "trammel/model/build_model.h"

// Whatever the bytes are, the reader and the builder give a model, or an Error with a message of one line. Anything else
// that is thrown, and anything that a sanitizer sees, is a finding.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const trammel::RobotDescription robot = trammel::parse_mjcf(text, "/nowhere/fuzz.xml");
    for (const trammel::Warning& warning : robot.warnings)
      if (warning.text.find('\n') != std::string::npos) std::abort();
    trammel::build_model(robot);
  } catch (const trammel::Error& error) {
    check_message(error.what());
  }
  return 0;
}
