#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What becomes of each element and attribute of MJCF: read, noted (a warning says that it is not used) or refused.
namespace trammel::mjcf {

enum class Treatment { read, noted, refused };

struct Entry {
  Treatment treatment = Treatment::read;
  std::map<std::string, Treatment, std::less<>> attributes{};
};

/// By where the element stands: "body/joint", "equality/weld", "compiler"; nullptr if MJCF has no such element. What an element holds that is
/// not read is not looked into.
const Entry* entry_of(std::string_view path);
std::vector<std::string> paths();

/// The path of an element in one of this path.
std::string path_of(const std::string& parent, const std::string& tag);

}  // namespace trammel::mjcf
