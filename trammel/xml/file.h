#pragma once

#include <cstdint>
#include <string>

namespace trammel::xml {

/// More than any robot needs, and little enough to be read and refused quickly.
inline constexpr std::uintmax_t most_bytes = std::uintmax_t{32} << 20;

/// Throws Error if a file or text has more than most_bytes.
void check_size(std::uintmax_t bytes, const std::string& file);

/// The bytes of a file; of one that is too long only so many that check_size notices. Throws Error for a folder, for
/// what does not exist or cannot be read, and for a long file, before reading it.
std::string read_file(const std::string& path);

}  // namespace trammel::xml
