#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>

#include <gtest/gtest.h>

#include "support/scratch_folder.h"

// The command line as a person meets it: what is printed, and the exit code.

namespace trammel::test {

struct Outcome {
  int exit_code;
  std::string out;  // standard output and error together, unless the command says otherwise
};

/// What a shell makes of it; $trammel is the program.
inline Outcome shell(const std::string& command) {
  std::FILE* pipe = popen(("trammel=" TRAMMEL_BINARY "; " + command).c_str(), "r");
  Outcome outcome{-1, ""};
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) outcome.out.append(buffer.data(), n);
  const int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

inline Outcome trammel(const std::string& arguments) { return shell("$trammel " + arguments + " 2>&1"); }

/// A run that a signal ends once it has said its first line. Signals that the caller of the tests ignores (nohup) are not ignored.
inline Outcome interrupted(const std::string& signal, const std::string& arguments) {
  const ScratchFolder scratch;
  const std::string said = (scratch.path() / "said").string();
  return shell("env --default-signal=" + signal + " $trammel " + arguments + " >" + said + " 2>&1 & " +
               "for i in $(seq 600); do test -s " + said + " && break; sleep 0.1; done; sleep 0.5; kill -" + signal +
               " $!; wait $!; code=$?; cat " + said + "; exit $code");
}

inline void expect_refused(const std::string& arguments, const std::string& message) {
  const Outcome outcome = trammel(arguments);
  EXPECT_EQ(outcome.exit_code, 1) << arguments;
  EXPECT_NE(outcome.out.find(message), std::string::npos) << outcome.out;
}

}  // namespace trammel::test
