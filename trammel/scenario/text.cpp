#include "trammel/scenario/text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/core.h>

#include "trammel/scenario/scenario.h"

namespace trammel::scenario {
namespace {

void check_size(std::uintmax_t bytes, const std::string& file) {
  if (bytes > most_bytes)
    throw Error(Place{file}, fmt::format("more than 10 MB ({} bytes)", bytes), "a scenario of up to 10 MB");
}

// How many bytes the character at the front takes; 0 if they are no UTF-8, or a control character.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return lead == '\t' || lead == '\n' || lead == '\r' || (lead >= 0x20 && lead != 0x7F) ? 1 : 0;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || length > text.size()) return 0;
  char32_t c = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    c = (c << 6) | (byte(i) & 0x3F);
  }
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};  // by length: longer forms are forbidden
  const bool is_character = c >= smallest[length] && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
  return is_character ? length : 0;
}

}  // namespace

std::string read_file(const std::filesystem::path& path, const std::string& what) {
  namespace fs = std::filesystem;
  const Place place{path.string()};
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (!fs::exists(status)) throw Error(place, "no such file", "the name of a " + what);
  if (fs::is_directory(status)) throw Error(place, "a folder", "the name of a " + what);
  if (fs::is_regular_file(status)) {
    const std::uintmax_t size = fs::file_size(path, problem);
    if (!problem) check_size(size, place.file);
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw Error(place, fmt::format("a file that cannot be opened ({})", std::strerror(errno)), "a readable file");
  // of a pipe the size is only known in the end
  std::string text;
  std::array<char, 1 << 16> chunk;
  while (text.size() <= most_bytes && (stream.read(chunk.data(), chunk.size()) || stream.gcount() > 0))
    text.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
  if (stream.bad()) throw Error(place, "a file that cannot be read to its end", "a readable file");
  return text;
}

void check_text(std::string_view text, const std::string& file) {
  check_size(text.size(), file);
  int line = 1, column = 1;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text.substr(i));
    if (length == 0)
      throw Error(Place{file, line, column},
                  fmt::format("the byte 0x{:02x}, which is no text", static_cast<unsigned char>(text[i])),
                  "text in UTF-8");
    ++column;
    if (text[i] == '\n') {
      ++line;
      column = 1;
    }
    i += length;
  }
}

std::string_view line_of(std::string_view text, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line && begin < text.size(); ++i) {
    const std::size_t end = text.find('\n', begin);
    begin = end == std::string_view::npos ? text.size() : end + 1;
  }
  std::string_view found = text.substr(begin, text.find('\n', begin) - begin);
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

int character_count(std::string_view text) {
  return static_cast<int>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace trammel::scenario

namespace trammel {

std::string with_caret(const Error& error, std::string_view text) {
  const Place& place = error.place();
  if (place.line == 0 || place.column == 0) return error.what();
  const std::string_view line = scenario::line_of(text, place.line);
  constexpr std::size_t longest_shown = 400;
  const bool is_text =
      std::ranges::none_of(line, [](char c) { return c == 0x7F || (c >= 0 && c < 0x20 && c != '\t'); });
  if (line.empty() || line.size() > longest_shown || !is_text) return error.what();
  // tabs stay tabs, so that the caret stands under its character
  std::string below;
  for (const char c : line) {
    if (scenario::character_count(below) + 1 >= place.column) break;
    if (c == '\t' || (static_cast<unsigned char>(c) & 0xC0) != 0x80) below += c == '\t' ? '\t' : ' ';
  }
  return fmt::format("{}\n  {}\n  {}^", error.what(), line, below);
}

}  // namespace trammel
