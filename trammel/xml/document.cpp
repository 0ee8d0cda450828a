#include "trammel/xml/document.h"

#include <fmt/core.h>
#include <tinyxml2.h>

#include "trammel/xml/text.h"
#include "trammel/xml/words.h"

namespace trammel::xml {
namespace {

// tinyxml2's own complaint in words; what check_text has found before does not occur.
[[noreturn]] void refuse_xml(const tinyxml2::XMLDocument& document, const std::string& file, const Format& format) {
  const Place place{file, document.ErrorLineNum()};
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      throw Error(place, "an empty file", format.shown);
    case tinyxml2::XML_ERROR_PARSING_TEXT:
      throw Error(place, "text outside of all elements", format.shown);
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      throw Error(place, "an attribute that is broken or given twice", "attributes as name=\"value\", each once");
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
      throw Error(place, "a misplaced or broken <?…?>", "<?xml version=\"1.0\"?> at the head of the file");
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      throw Error(place, fmt::format("elements nested {} deep", TINYXML2_MAX_ELEMENT_DEPTH),
                  fmt::format("fewer than {}", TINYXML2_MAX_ELEMENT_DEPTH));
    default:
      throw Error(place, "a broken element", "<name attribute=\"value\"/> or <name> … </name>");
  }
}

}  // namespace

Element parse_document(std::string_view text, const std::string& file, const Format& format,
                       tinyxml2::XMLDocument& out) {
  check_text(text, file);
  out.Parse(text.data(), text.size());
  if (out.Error()) refuse_xml(out, file, format);

  const tinyxml2::XMLElement* root = nullptr;
  for (const auto* node = out.FirstChild(); node != nullptr; node = node->NextSibling()) {
    const Place place{file, node->GetLineNum()};
    if (node->ToText() != nullptr) throw Error(place, "text outside of all elements", format.shown);
    const tinyxml2::XMLElement* element = node->ToElement();
    if (element == nullptr) continue;
    if (root != nullptr)
      throw Error(place, fmt::format("<{}> as a second root element", shortened(element->Name())),
                  fmt::format("one <{}>", format.root));
    root = element;
  }
  if (root == nullptr) throw Error(Place{file}, "no element", format.shown);
  const Element found(*root, file, format.rules);
  if (found.tag() != format.root)
    throw Error(found.place(), fmt::format("the root element <{}>", shortened(found.tag())), format.shown);
  return found;
}

}  // namespace trammel::xml
