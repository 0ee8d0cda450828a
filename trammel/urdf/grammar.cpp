#include "trammel/urdf/grammar.h"

#include <unordered_map>

#include <fmt/core.h>
#include <tinyxml2.h>

#include "trammel/base/names.h"
#include "trammel/urdf/rules.h"
#include "trammel/xml/words.h"

namespace trammel::urdf {
namespace {

[[noreturn]] void refuse_xacro(const Place& place, const std::string& found) {
  throw Error(place, fmt::format("{}, which is xacro and not yet URDF", found),
              fmt::format("plain URDF: run 'xacro {} > expanded.urdf' and read its result",
                          place.file.empty() ? "FILE" : place.file));
}

// The remark on something that nobody knows: "unknown element <jiont> in <robot> is not used (did you mean <joint>?)".
Remarks::Wording unknown(const char* what, const std::string& shown, const std::string& where,
                         const std::string& suggestion) {
  const std::string hint = suggestion.empty() ? "" : fmt::format(" (did you mean {}?)", suggestion);
  return {fmt::format("unknown {} {} {} is not used{}", what, shown, where, hint),
          fmt::format("unknown {}s {} {} are not used{}", what, shown, where, hint)};
}

void check_attributes(const Element& element, const Rule& rule, Remarks& remarks) {
  for (const auto* a = element.xml().FirstAttribute(); a != nullptr; a = a->Next()) {
    const std::string name = a->Name();
    const std::string_view value = a->Value();
    const Place place = element.place_of(a->Name());
    if (value.find("${") != std::string_view::npos || value.find("$(") != std::string_view::npos)
      refuse_xacro(place, fmt::format("{}=\"{}\" of {}", shortened(name), shortened(value), element.description()));
    if (contains(rule.attributes, name) || name == "xmlns" || name.starts_with("xmlns:")) continue;
    remarks.add(place, fmt::format("{} of {}", name, element.tag()), [&] {
      return unknown("attribute", shortened(name), fmt::format("of <{}>", element.tag()),
                     nearest_name(name, rule.attributes));
    });
  }
}

void remark_on_child(const Element& child, const Element& parent, const Rule& rule, Remarks& remarks) {
  const std::string tag(child.tag());
  const bool known = contains(rule.unused, tag);
  remarks.add(child.place(), fmt::format("<{}> in <{}>", tag, parent.tag()), [&]() -> Remarks::Wording {
    if (known) return {fmt::format("<{}> element is not used", tag), fmt::format("<{}> elements are not used", tag)};
    const std::string nearest = nearest_name(tag, elements_of(rule));
    return unknown("element", fmt::format("<{}>", shortened(tag)), fmt::format("in <{}>", parent.tag()),
                   nearest.empty() ? "" : fmt::format("<{}>", nearest));
  });
}

// Returns the children that the table has a rule for.
std::vector<Element> check_children(const Element& parent, const Rule& rule, Remarks& remarks, Faults& faults) {
  std::unordered_map<std::string_view, int> lines;  // of those that may stand once
  std::vector<Element> known;
  for (const Element& child : parent.children()) {
    const std::string_view tag = child.tag();
    if (tag.starts_with("xacro:")) refuse_xacro(child.place(), fmt::format("<{}>", shortened(tag)));
    if (contains(rule.once, tag)) {
      const auto [first, is_new] = lines.emplace(tag, child.place().line);
      if (!is_new) {
        faults.add(Error(child.place(),
                         fmt::format("a second {} (the first is in line {})", child.description(), first->second),
                         fmt::format("one <{}>", tag)));
        continue;
      }
    } else if (!contains(rule.many, tag)) {
      remark_on_child(child, parent, rule, remarks);
      continue;
    }
    known.push_back(child);
  }
  return known;
}

void remark_on_text(const Element& element, Remarks& remarks) {
  for (const auto* node = element.xml().FirstChild(); node != nullptr; node = node->NextSibling()) {
    if (node->ToText() == nullptr) continue;
    const std::string shown = shortened(node->Value());
    const Place place{element.place().file, node->GetLineNum()};
    remarks.add(place, fmt::format("text in {}", element.tag()), [&]() -> Remarks::Wording {
      return {fmt::format("stray text in <{}> is not used ('{}')", element.tag(), shown),
              fmt::format("stray texts in <{}> are not used (the first is '{}')", element.tag(), shown)};
    });
  }
}

}  // namespace

void check_grammar(const Element& robot, Remarks& remarks, Faults& faults) {
  std::vector<Element> stack{robot};
  while (!stack.empty()) {
    const Element element = stack.back();
    stack.pop_back();
    const Rule& rule = *rule_of(element.tag());  // the children that are returned below have one
    check_attributes(element, rule, remarks);
    remark_on_text(element, remarks);
    const std::vector<Element> children = check_children(element, rule, remarks, faults);
    stack.insert(stack.end(), children.rbegin(), children.rend());
  }
}

}  // namespace trammel::urdf
