#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace trammel::scenario {

inline constexpr std::uintmax_t most_bytes = 10'000'000;

/// The bytes of a file. Throws Error for a folder, for what does not exist or cannot be read, and, before reading it, for a
/// file of more than most_bytes.
/// `what` it is to be stands in messages.
std::string read_file(const std::filesystem::path& path, const std::string& what = "scenario file");

/// Throws Error, with line and column, unless the text is UTF-8 of up to most_bytes without control characters.
void check_text(std::string_view text, const std::string& file);

/// The line, counting from 1, without its end; empty if there is no such line.
std::string_view line_of(std::string_view text, int line);

/// How many characters of UTF-8 the text has.
int character_count(std::string_view text);

}  // namespace trammel::scenario
