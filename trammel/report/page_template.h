#pragma once

#include <string_view>

namespace trammel {

/// The report page without its data; empty if the library was built without it.
std::string_view page_template();
/// The same of a sweep.
std::string_view sweep_page_template();

}  // namespace trammel
