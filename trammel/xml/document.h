#pragma once

#include <string_view>

#include "trammel/xml/element.h"

namespace tinyxml2 {
class XMLDocument;
}

namespace trammel::xml {

/// What a document is asked to be: its root's tag, and how messages show it.
struct Format {
  const char* root;   // "robot"
  const char* shown;  // "a URDF: <robot name="…"> … </robot>"
  RuleOf rules = nullptr;
};

/// Parses the text into `out` and returns its only root. Throws Error with the line, in words, where the text is no such thing.
Element parse_document(std::string_view text, const std::string& file, const Format& format,
                       tinyxml2::XMLDocument& out);

}  // namespace trammel::xml
