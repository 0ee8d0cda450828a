#pragma once

#include "trammel/xml/element.h"
#include "trammel/xml/remarks.h"
#include "trammel/xml/rule.h"

namespace trammel::urdf {

using namespace xml;

}  // namespace trammel::urdf
