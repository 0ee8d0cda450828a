#include "trammel/xml/element.h"

#include <fmt/core.h>
#include <tinyxml2.h>

#include "trammel/base/names.h"
#include "trammel/xml/numbers.h"
#include "trammel/xml/words.h"

namespace trammel::xml {
namespace {

// "link 'forearm'" for a child of the robot, "<link>" if it has no name.
std::string describe_owner(const tinyxml2::XMLElement& xml) {
  const char* name = xml.Attribute("name");
  const bool is_named = name != nullptr && *name != 0;
  return is_named ? fmt::format("{} '{}'", shortened(xml.Name()), shortened(name))
                  : fmt::format("<{}>", shortened(xml.Name()));
}

const tinyxml2::XMLElement* parent_of(const tinyxml2::XMLElement& xml) {
  return xml.Parent() == nullptr ? nullptr : xml.Parent()->ToElement();
}

// "" or ", but valeu": the likely misspelling among names that are there and mean nothing.
std::string hint(std::string_view missing, Names present, const Names& known, const char* format) {
  std::erase_if(present, [&](const std::string& name) { return contains(known, name); });
  const std::string nearest = nearest_name(missing, present);
  return nearest.empty() ? "" : fmt::format(fmt::runtime(format), shortened(nearest));
}

}  // namespace

std::string_view Element::tag() const { return xml_->Name(); }

Place Element::place() const { return {*file_, xml_->GetLineNum()}; }

Place Element::place_of(const char* attribute) const {
  const tinyxml2::XMLAttribute* found = xml_->FindAttribute(attribute);
  return {*file_, found == nullptr ? xml_->GetLineNum() : found->GetLineNum()};
}

std::string Element::description() const {
  const tinyxml2::XMLElement* owner = xml_;
  const tinyxml2::XMLElement* parent = parent_of(*owner);
  while (parent != nullptr && parent_of(*parent) != nullptr) {
    owner = parent;
    parent = parent_of(*owner);
  }
  if (owner == xml_) return describe_owner(*owner);
  return fmt::format("<{}> in {}", shortened(xml_->Name()), describe_owner(*owner));
}

std::vector<Element> Element::children() const {
  std::vector<Element> out;
  for (const auto* child = xml_->FirstChildElement(); child != nullptr; child = child->NextSiblingElement())
    out.emplace_back(*child, *file_, rules_);
  return out;
}

std::optional<Element> Element::child(const char* tag) const {
  const tinyxml2::XMLElement* found = xml_->FirstChildElement(tag);
  if (found == nullptr) return std::nullopt;
  return Element(*found, *file_, rules_);
}

Element Element::required_child(const char* tag) const {
  if (const std::optional<Element> found = child(tag)) return *found;
  Names present;
  for (const Element& other : children()) present.emplace_back(other.tag());
  const Rule* rule = this->rule();
  const std::string instead = hint(tag, present, rule == nullptr ? Names{} : elements_of(*rule), ", but <{}>");
  throw Error(place(), fmt::format("no <{}> in {}{}", tag, description(), instead), fmt::format("one <{}>", tag));
}

std::optional<std::string> Element::text(const char* attribute) const {
  const char* value = xml_->Attribute(attribute);
  if (value == nullptr) return std::nullopt;
  return value;
}

std::string Element::required_text(const char* attribute, const char* allowed) const {
  if (std::optional<std::string> value = text(attribute)) return *value;
  refuse_missing(attribute, allowed);
}

std::string Element::name(const char* attribute) const {
  const std::string value = required_text(attribute, "a name");
  constexpr std::size_t longest = 1000;  // names stand in messages
  if (value.empty()) refuse(attribute, "a name");
  if (value.size() > longest)
    refuse(attribute, fmt::format("a name of up to {} bytes", longest), fmt::format("{} bytes", value.size()));
  if (value.find_first_of("\t\r\n") != std::string::npos)
    refuse(attribute, "a name on one line", "with a line break or tab");
  return value;
}

std::optional<double> Element::number(const char* attribute) const {
  double value = 0;
  if (!read_numbers(attribute, {&value, 1})) return std::nullopt;
  return value;
}

double Element::required_number(const char* attribute) const {
  if (const std::optional<double> value = number(attribute)) return *value;
  refuse_missing(attribute, finite_numbers(1));
}

std::optional<Vec3<>> Element::vector(const char* attribute) const {
  Vec3<> value;
  if (!read_numbers(attribute, {value.data(), 3})) return std::nullopt;
  return value;
}

Vec3<> Element::required_vector(const char* attribute) const {
  if (const std::optional<Vec3<>> value = vector(attribute)) return *value;
  refuse_missing(attribute, finite_numbers(3));
}

std::optional<std::array<double, 4>> Element::four_numbers(const char* attribute) const {
  std::array<double, 4> value{};
  if (!read_numbers(attribute, value)) return std::nullopt;
  return value;
}

std::array<double, 4> Element::required_four_numbers(const char* attribute) const {
  if (const std::optional<std::array<double, 4>> value = four_numbers(attribute)) return *value;
  refuse_missing(attribute, finite_numbers(4));
}

bool Element::read_numbers(const char* attribute, std::span<double> out) const {
  const char* value = xml_->Attribute(attribute);
  if (value == nullptr) return false;
  const std::string problem = xml::read_numbers(value, out);
  if (!problem.empty()) refuse(attribute, finite_numbers(out.size()), problem);
  return true;
}

void Element::refuse(const char* attribute, const std::string& allowed, const std::string& why) const {
  const std::string reason = why.empty() ? "" : fmt::format(" ({})", why);
  throw Error(place_of(attribute),
              fmt::format("{}=\"{}\"{} of {}", attribute, shortened(xml_->Attribute(attribute)), reason, description()),
              allowed);
}

void Element::refuse_missing(const char* attribute, const std::string& allowed) const {
  Names present;
  for (const auto* other = xml_->FirstAttribute(); other != nullptr; other = other->Next())
    present.emplace_back(other->Name());
  const Rule* rule = this->rule();
  const std::string instead = hint(attribute, present, rule == nullptr ? Names{} : rule->attributes, ", but {}");
  throw Error(place(), fmt::format("no {} of {}{}", attribute, description(), instead), allowed);
}

}  // namespace trammel::xml
