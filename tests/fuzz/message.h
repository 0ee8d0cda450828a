#pragma once

#include <cstdlib>
#include <sstream>
#include <string>

/// What every refusal promises: lines that say what was found and what is allowed, one for each mistake. Anything else is a finding.
inline void check_message(const std::string& message) {
  std::istringstream lines(message);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    if (line.find("found ") == std::string::npos || line.find("; allowed: ") == std::string::npos) std::abort();
  if (count == 0) std::abort();
}
