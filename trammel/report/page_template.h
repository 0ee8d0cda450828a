#pragma once

#include <string_view>

namespace trammel {

/// The report page without its data; empty if the library was built without it.
std::string_view page_template();

}  // namespace trammel
