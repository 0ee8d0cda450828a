#include "trammel/xml/file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/core.h>

#include "trammel/base/error.h"

namespace trammel::xml {

void check_size(std::uintmax_t bytes, const std::string& file) {
  if (bytes > most_bytes)
    throw Error(Place{file}, fmt::format("more than 32 MB ({} bytes)", bytes), "a robot's file of up to 32 MB");
}

std::string read_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (!fs::exists(status)) throw Error(Place{path}, "no such file", "the name of a robot's file");
  if (fs::is_directory(status)) throw Error(Place{path}, "a folder", "the name of a robot's file");
  if (fs::is_regular_file(status)) {
    const std::uintmax_t size = fs::file_size(path, problem);
    if (!problem) check_size(size, path);
  }
  // pipes are welcome (trammel info <(xacro …)), whose size is only known in the end
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw Error(Place{path}, fmt::format("a file that cannot be opened ({})", std::strerror(errno)), "a readable file");
  std::string text;
  std::array<char, 1 << 16> chunk;
  while (text.size() <= most_bytes && (stream.read(chunk.data(), chunk.size()) || stream.gcount() > 0))
    text.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
  if (stream.bad()) throw Error(Place{path}, "a file that cannot be read to its end", "a readable file");
  return text;
}

}  // namespace trammel::xml
