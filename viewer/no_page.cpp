#include "trammel/report/page_template.h"

namespace trammel {

std::string_view page_template() { return {}; }
std::string_view sweep_page_template() { return {}; }

}  // namespace trammel
