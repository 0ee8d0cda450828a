#include <algorithm>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/mjcf/transmission.h"

namespace trammel::mjcf {

const Tree::JointFacts& joint_of(const Item& item, const char* attribute, const Tree& tree) {
  const std::string name = item.text(attribute).value_or("");
  const Tree::JointFacts* joint = tree.joint(name);
  std::vector<std::string> known;
  for (const Tree::JointFacts& other : tree.joints) known.push_back(other.name);
  if (joint == nullptr) item.refuse(attribute, allowed_names(name, known));
  if (joint->qpos0.size() != 1) item.refuse(attribute, "a hinge or a slide");
  return *joint;
}

Tendons read_tendons(const Element& root, Reader& reader) {
  Tendons out;
  for (const Element& section : reader.source.children(root)) {
    if (section.tag() != "tendon") continue;
    for (const Element& element : reader.source.children(section)) {
      if (element.tag() != "fixed") continue;
      const Item item = reader.defaults.of(element, "", "tendon");
      for (const char* attribute : {"stiffness", "damping", "frictionloss", "armature"}) {
        const std::vector<double> given = item.numbers(attribute, 1, 10).value_or(std::vector<double>{});
        if (std::ranges::any_of(given, [](double value) { return value != 0; }))
          item.refuse(attribute, "0: forces in tendons are not computed");
      }
      const std::string name = element.text("name") ? element.name() : fmt::format("tendon {}", out.size() + 1);
      JointSum sum;
      for (const Element& child : reader.source.children(element)) {
        if (child.tag() != "joint") continue;
        const Item joint(child);
        sum.terms.push_back({child.required_number("coef"), joint_of(joint, "joint", reader.tree).name});
      }
      if (sum.terms.empty())
        throw Error(element.place(), fmt::format("{} without joints", element.description()), "one joint at least");
      if (!out.emplace(name, sum).second)
        throw Error(element.place(), fmt::format("a second tendon named '{}'", name), "a name that no other has");
    }
  }
  return out;
}

}  // namespace trammel::mjcf
