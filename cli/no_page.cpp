#include "page_template.h"

namespace trammel::cli {

std::string_view page_template() { return {}; }

}  // namespace trammel::cli
