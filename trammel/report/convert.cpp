#include "trammel/report/convert.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include <fmt/core.h>

namespace trammel {
namespace {

constexpr const char* converter = "rsvg-convert";

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// A file without a name, gone when it is closed. Files, unlike pipes, never make one side wait for the other.
class Scratch {
 public:
  explicit Scratch(const std::string& text = "") : file_(std::tmpfile()) {
    const bool written = file_ && std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size();
    if (!written || std::fflush(file_.get()) != 0)
      throw std::runtime_error(fmt::format("{}: no temporary file: {}", converter, std::strerror(errno)));
    std::rewind(file_.get());
  }
  int descriptor() const { return fileno(file_.get()); }
  std::string content() const {
    std::string out;
    std::array<char, 65536> buffer{};
    std::rewind(file_.get());
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), file_.get())) out.append(buffer.data(), n);
    return out;
  }

 private:
  std::unique_ptr<std::FILE, Close> file_;
};

// Runs the converter from PATH with these arguments, no shell between. Its exit code; −1 if it did not start or was killed.
int run_converter(std::vector<std::string> arguments, const Scratch& in, const Scratch& out, const Scratch& error) {
  arguments.insert(arguments.begin(), converter);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, error.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, converter, &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

bool can_convert_svg() { return run_converter({"--version"}, Scratch(), Scratch(), Scratch()) == 0; }

std::string converted_svg(const std::string& svg, const std::string& format) {
  const Scratch in(svg), out, error;
  const int code = run_converter({"--format", format, "--zoom", format == "png" ? "3" : "1"}, in, out, error);
  std::string picture = out.content();
  if (code == 0 && !picture.empty()) return picture;
  const std::string said = error.content();
  throw std::runtime_error(fmt::format("{} made no {}: {}", converter, format,
                                       said.empty() ? "it did not finish" : said.substr(0, said.find('\n'))));
}

}  // namespace trammel
