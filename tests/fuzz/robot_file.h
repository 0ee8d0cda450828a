#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "message.h"
#include "trammel/model/build_model.h"

/// Whatever the bytes are, the reader of a robot's file and the builder give a model, or an Error with a message of one line. Anything else
/// that is thrown, and anything that a sanitizer sees, is a finding.
template <class Parse>
void fuzz_robot_file(const std::uint8_t* data, std::size_t size, const char* file, const Parse& parse) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const trammel::RobotDescription robot = parse(text, file);
    for (const trammel::Warning& warning : robot.warnings)
      if (warning.text.find('\n') != std::string::npos) std::abort();
    trammel::build_model(robot);
  } catch (const trammel::Error& error) {
    check_message(error.what());
  }
}
