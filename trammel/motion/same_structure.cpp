#include "trammel/motion/same_structure.h"

#include <algorithm>

#include <fmt/core.h>

namespace trammel {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(fmt::format("a change of {}", what), "changes of numbers alone; compile the system anew");
}

template <class Item, class Same>
void compare(const std::vector<Item>& one, const std::vector<Item>& other, const char* what, Same&& same) {
  if (one.size() != other.size())
    refuse(fmt::format("the number of {}s from {} to {}", what, one.size(), other.size()));
  for (std::size_t i = 0; i < one.size(); ++i)
    if (one[i].name != other[i].name || !same(one[i], other[i])) refuse(fmt::format("the {} '{}'", what, one[i].name));
}

bool same_rows(const NamedConstraint& one, const NamedConstraint& other) {
  const Constraint &a = *one.law, &b = *other.law;
  if (a.rows() != b.rows() || one.layer != other.layer || one.leads != other.leads || !one.working != !other.working ||
      !std::ranges::equal(a.bodies(), b.bodies()) || !std::ranges::equal(a.velocities(), b.velocities()))
    return false;
  for (int k = 0; k < a.rows(); ++k)
    if (a.level(k) != b.level(k)) return false;
  return true;
}

void compare_trees(const Model& one, const Model& other) {
  if (one.body_count() != other.body_count())
    refuse(fmt::format("the number of bodies from {} to {}", one.body_count(), other.body_count()));
  for (int i = 0; i < one.body_count(); ++i) {
    const Body &a = one.bodies()[i], &b = other.bodies()[i];
    if (one.joint_name(i) != other.joint_name(i) || a.parent != b.parent || a.type != b.type)
      refuse(fmt::format("the joint '{}'", one.joint_name(i)));
  }
}

}  // namespace

void check_same_structure(const System& one, const System& other) {
  compare_trees(one.model, other.model);
  compare(one.constraints, other.constraints, "constraint", same_rows);
  compare(one.actuators, other.actuators, "actuator",
          [](const Actuator& a, const Actuator& b) { return a.velocity == b.velocity; });
  compare(one.forces, other.forces, "force", [](const NamedForce&, const NamedForce&) { return true; });
  compare(one.inputs, other.inputs, "input", [](const Input&, const Input&) { return true; });
}

}  // namespace trammel
