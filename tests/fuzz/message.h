#pragma once

#include <cstdlib>
#include <string>

/// What every refusal promises: one line that says what was found and what is allowed. Anything else is a finding.
inline void check_message(const std::string& message) {
  const bool one_line = message.find('\n') == std::string::npos;
  const bool complete = message.find("found ") != std::string::npos && message.find("; allowed: ") != std::string::npos;
  if (!one_line || !complete) std::abort();
}
