#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace trammel {

/// Writes a file and makes sure that all of it arrived. An empty answer is success; else the reason.
std::string write_whole(const std::filesystem::path& path, std::string_view content);

}  // namespace trammel
