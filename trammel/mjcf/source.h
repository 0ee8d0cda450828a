#pragma once

#include <deque>
#include <map>
#include <memory>

#include "trammel/xml/element.h"
#include "trammel/xml/remarks.h"

namespace tinyxml2 {
class XMLDocument;
}

namespace trammel::mjcf {

using xml::Element;
using xml::Remarks;

/// The documents of a model: its file, and those that it includes. They outlive every element.
class Source {
 public:
  Source();
  ~Source();

  /// Parses the text, whose root is <mujoco> (or, of what is included, <mujocoinclude>).
  Element parse(std::string_view text, const std::string& file, bool included = false);
  /// The children of an element, with what it includes in place of each <include>: files beside the first one, each once.
  std::vector<Element> children(const Element& element);

 private:
  void add_children(const Element& element, std::vector<Element>& out);

  Element read_included(const Element& include);

  struct Document;
  std::deque<std::unique_ptr<Document>> documents_;
  std::map<const tinyxml2::XMLElement*, Element> included_;  // roots, by the <include>
  std::string folder_;
};

/// Goes through the elements by the table of reference.h. Throws Error for what is unknown or refused; remarks on what is not used.
void check_reference(const Element& root, Source& source, Remarks& remarks);

}  // namespace trammel::mjcf
