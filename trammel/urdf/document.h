#pragma once

#include <string_view>

#include "trammel/urdf/element.h"

namespace tinyxml2 {
class XMLDocument;
}

namespace trammel::urdf {

/// Parses the text into `out` and returns its only root, which is a <robot>. Throws Error with the line, in words,
/// where the text is no such thing.
Element parse_document(std::string_view text, const std::string& file, tinyxml2::XMLDocument& out);

}  // namespace trammel::urdf
