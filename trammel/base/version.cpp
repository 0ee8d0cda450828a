#include "trammel/base/version.h"

namespace trammel {

std::string_view version() { return TRAMMEL_VERSION; }

}  // namespace trammel
