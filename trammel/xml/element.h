#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/base/error.h"
#include "trammel/math/vector.h"
#include "trammel/xml/rule.h"

namespace tinyxml2 {
class XMLElement;
}

namespace trammel::xml {

/// An element of an XML file, whose attributes are read strictly: all of the text must be numbers, as many as asked
/// for, finite, written with a point whatever the locale. Complaints name the attribute, the element, and the link or
/// joint in which it stands. The document and the name of the file must outlive it.
class Element {
 public:
  /// The rules tell what is misspelt where something is missing.
  Element(const tinyxml2::XMLElement& xml, const std::string& file, RuleOf rules = nullptr)
      : xml_(&xml), file_(&file), rules_(rules) {}

  const tinyxml2::XMLElement& xml() const { return *xml_; }
  std::string_view tag() const;
  Place place() const;
  Place place_of(const char* attribute) const;

  /// "<origin> in joint 'elbow'", "joint 'elbow'".
  std::string description() const;

  std::vector<Element> children() const;
  std::optional<Element> child(const char* tag) const;  // the first
  Element required_child(const char* tag) const;

  /// Texts of attributes. A name must be there, with 1 to 1000 bytes and without line breaks or tabs.
  std::optional<std::string> text(const char* attribute) const;
  std::string required_text(const char* attribute, const char* allowed) const;
  std::string name(const char* attribute = "name") const;

  /// Numbers of attributes: none if the attribute is not there.
  std::optional<double> number(const char* attribute) const;
  double required_number(const char* attribute) const;
  std::optional<Vec3<>> vector(const char* attribute) const;
  Vec3<> required_vector(const char* attribute) const;
  std::optional<std::array<double, 4>> four_numbers(const char* attribute) const;
  std::array<double, 4> required_four_numbers(const char* attribute) const;

  /// Refuses the value of an attribute that is there.
  [[noreturn]] void refuse(const char* attribute, const std::string& allowed, const std::string& why = "") const;

 private:
  bool read_numbers(const char* attribute, std::span<double> out) const;
  const Rule* rule() const { return rules_ == nullptr ? nullptr : rules_(tag()); }
  [[noreturn]] void refuse_missing(const char* attribute, const std::string& allowed) const;

  const tinyxml2::XMLElement* xml_;
  const std::string* file_;
  RuleOf rules_;
};

}  // namespace trammel::xml
