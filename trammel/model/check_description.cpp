#include "trammel/model/check_description.h"

#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include <fmt/core.h>

#include "trammel/base/faults.h"
#include "trammel/base/names.h"

namespace trammel {
namespace {

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

// Names must be there and differ; returns the set of them.
template <class Items>
std::unordered_set<std::string> check_names(const Items& items, const char* what, Faults& faults) {
  std::unordered_map<std::string, Place> seen;
  std::unordered_set<std::string> names;
  for (const auto& item : items) {
    if (item.name.empty())
      faults.add(Error(item.place, fmt::format("a {} without a name", what), "a name that no other has"));
    const auto [first, is_new] = seen.emplace(item.name, item.place);
    if (!is_new) {
      const std::string where = to_string(first->second);
      faults.add(Error(item.place,
                       fmt::format("a second {} named '{}'{}", what, item.name,
                                   where.empty() ? "" : fmt::format(" (the first is at {})", where)),
                       "a name that no other has"));
    }
    names.insert(item.name);
  }
  return names;
}

bool is_finite(const Symmetric3<>& I) { return I.matrix().allFinite(); }

void check_length(const Vec3<>& p, const Place& place, const std::string& whose) {
  if (const double length = p.cwiseAbs().maxCoeff(); length > largest_length)
    throw Error(place, fmt::format("a length of {:g} m of {}, too large to compute with", length, whose),
                fmt::format("up to {:g} m", largest_length));
}

void check_link(const Link& link) {
  if (!std::isfinite(link.mass) || link.mass < 0)
    throw Error(link.place, fmt::format("mass {:g} kg of link '{}'", link.mass, link.name), "0 or more");
  if (!link.com.allFinite())
    throw Error(link.place, fmt::format("a mass centre of link '{}' that is not finite", link.name), "finite numbers");
  check_length(link.com, link.place, fmt::format("link '{}'", link.name));
  if (!is_finite(link.inertia))
    throw Error(link.place, fmt::format("an inertia of link '{}' that is not finite", link.name), "finite numbers");
  if (link.lenient) return;
  if (!is_semidefinite(link.inertia)) refuse_inertia(link);
  if (link.mass == 0 && link.inertia.matrix().norm() > 0)
    throw Error(link.place, fmt::format("an inertia of link '{}', which has no mass", link.name),
                "a mass above 0, or no inertia");
}

void check_coordinate(const Coordinate& c, const Joint& joint, bool may_have_spring) {
  const auto refuse = [&](const std::string& found, const char* allowed) {
    throw Error(joint.place, fmt::format("{} of joint '{}'", found, joint.name), allowed);
  };
  if (!(c.lower <= c.upper)) refuse(fmt::format("limits {:g} … {:g}", c.lower, c.upper), "lower up to upper");
  const auto at_least_zero = [&](double value, const char* what) {
    if (!(value >= 0)) refuse(fmt::format("{} {:g}", what, value), "0 or more");
  };
  at_least_zero(c.speed_limit, "speed limit");
  at_least_zero(c.effort_limit, "effort limit");
  const auto finite_from_zero = [&](double value, const char* what) {
    if (!(value >= 0) || !std::isfinite(value)) refuse(fmt::format("{} {:g}", what, value), "0 or more, finite");
  };
  finite_from_zero(c.damping, "damping");
  finite_from_zero(c.friction, "friction");
  finite_from_zero(c.stiffness, "stiffness");
  finite_from_zero(c.rotor_inertia, "rotor inertia");
  if (!std::isfinite(c.rest)) refuse(fmt::format("spring rest position {:g}", c.rest), "a finite number");
  if (c.stiffness > 0 && !may_have_spring)
    refuse("a spring on the quaternion", "springs on coordinates whose rate is the velocity");
}

// Along the axes of a quaternion rotors J make the moment ω × Jω, which a number on the diagonal of M does not know of: it
// vanishes where they are alike.
void check_rotors(const Joint& joint) {
  const Coordinate* first = nullptr;
  for (std::size_t i = 0; i < joint.coordinates.size(); ++i) {
    if (!drives_quaternion(joint.type, static_cast<int>(i))) continue;
    const Coordinate& c = joint.coordinates[i];
    if (!first) first = &c;
    if (c.rotor_inertia != first->rotor_inertia)
      throw Error(joint.place,
                  fmt::format("rotor inertias {:g} and {:g} about the axes of {} joint '{}'", first->rotor_inertia,
                              c.rotor_inertia, name_of(joint.type), joint.name),
                  "the same about all three");
  }
}

void check_axes(const Joint& joint) {
  if (axis_count(joint.type) == 0) return;
  const auto check = [&](const Vec3<>& axis, const char* which) {
    if (!std::isfinite(axis.norm()) || !(axis.norm() > 1e-9))
      throw Error(joint.place,
                  fmt::format("{} ({:g}, {:g}, {:g}) of joint '{}'", which, axis[0], axis[1], axis[2], joint.name),
                  "a finite vector with a direction");
  };
  check(joint.axis, "axis");
  if (axis_count(joint.type) == 1) return;
  check(joint.second_axis, "second axis");
  if (std::abs(joint.axis.normalized().dot(joint.second_axis.normalized())) > 1e-9)
    throw Error(joint.place, fmt::format("axes of joint '{}' that are not at right angles", joint.name),
                "a second axis across the first");
}

void check_joint_links(const Joint& joint, const std::unordered_set<std::string>& links,
                       const std::vector<std::string>& link_names) {
  const auto check_link_name = [&](const std::string& name, const char* role, bool may_be_world) {
    if (links.contains(name) || (may_be_world && name == "world")) return;
    throw Error(joint.place, fmt::format("{} link '{}' of joint '{}', which does not exist", role, name, joint.name),
                allowed_names(name, link_names));
  };
  check_link_name(joint.parent, "parent", true);
  check_link_name(joint.child, "child", false);
  if (joint.parent == joint.child)
    throw Error(joint.place, fmt::format("joint '{}' from link '{}' to itself", joint.name, joint.child),
                "two different links");
}

void check_joint(const Joint& joint) {
  if (!joint.at.R.allFinite() || !joint.at.p.allFinite())
    throw Error(joint.place, fmt::format("a pose of joint '{}' that is not finite", joint.name), "finite numbers");
  check_length(joint.at.p, joint.place, fmt::format("joint '{}'", joint.name));
  if (!std::isfinite(joint.pitch))
    throw Error(joint.place, fmt::format("pitch {:g} of joint '{}'", joint.pitch, joint.name), "a finite number");
  check_axes(joint);

  const std::size_t nv = static_cast<std::size_t>(size_of(joint.type).v), given = joint.coordinates.size();
  if (given > 1 && given != nv)
    throw Error(joint.place, fmt::format("properties of {} coordinates of joint '{}'", given, joint.name),
                fmt::format("none, one for all, or {}", nv));
  for (std::size_t i = 0; i < given; ++i)
    check_coordinate(joint.coordinates[i], joint, rates_are_velocities(joint.type));
  check_rotors(joint);
}

void check_coupling(const Coupling& c, const std::unordered_map<std::string, JointType>& types,
                    const std::vector<std::string>& names) {
  for (const std::string& name : {c.joint, c.source}) {
    const auto type = types.find(name);
    if (type == types.end())
      throw Error(c.place, fmt::format("joint '{}' in a mimic, which does not exist", name),
                  allowed_names(name, names));
    if (size_of(type->second).q != 1)
      throw Error(c.place, fmt::format("{} joint '{}' in a mimic", name_of(type->second), name),
                  "joints with one coordinate");
  }
  if (!std::isfinite(c.multiplier) || !std::isfinite(c.offset))
    throw Error(c.place, fmt::format("multiplier {:g} and offset {:g} in a mimic", c.multiplier, c.offset),
                "finite numbers");
}

void check_couplings(const RobotDescription& description, Faults& faults) {
  const std::vector<std::string> names = names_of(description.joints);
  std::unordered_map<std::string, JointType> types;
  for (const Joint& joint : description.joints) types.emplace(joint.name, joint.type);
  std::unordered_map<std::string, const Coupling*> by_joint;
  for (const Coupling& c : description.couplings) {
    faults.attempt([&] { check_coupling(c, types, names); });
    if (!by_joint.emplace(c.joint, &c).second)
      faults.add(Error(c.place, fmt::format("a second mimic of joint '{}'", c.joint), "one a joint"));
  }
  // follow the sources from each coupling; one that was walked before led to an end
  std::unordered_map<const Coupling*, const Coupling*> walked_from;
  for (const Coupling& start : description.couplings) {
    const Coupling* at = &start;
    while (walked_from.emplace(at, &start).second && by_joint.contains(at->source)) at = by_joint[at->source];
    if (by_joint.contains(at->source) && walked_from[at] == &start)
      faults.add(Error(at->place, fmt::format("joint '{}' that mimics itself", at->joint),
                       "mimics that do not form a circle"));
  }
}

}  // namespace

std::string moments_text(const Symmetric3<>& inertia) {
  const Vec3<> moments = principal_moments(inertia);
  return fmt::format("{:g}, {:g}, {:g}", moments[0], moments[1], moments[2]);
}

void refuse_inertia(const Link& link) {
  throw Error(link.place,
              fmt::format("principal moments of inertia {} kg·m² of link '{}'", moments_text(link.inertia), link.name),
              "none negative, and none above the sum of the other two");
}

void check_parts(const RobotDescription& description, Faults& faults) {
  for (const Link& link : description.links) faults.attempt([&] { check_link(link); });
  for (const Joint& joint : description.joints) faults.attempt([&] { check_joint(joint); });
  for (const NamedFrame& frame : description.frames)
    faults.attempt([&] { check_length(frame.at.p, frame.place, fmt::format("frame '{}'", frame.name)); });
}

void check_description(const RobotDescription& description) {
  if (description.links.empty())
    throw Error(description.place, fmt::format("robot '{}' without links", description.name), "at least one link");
  Faults faults;
  const std::unordered_set<std::string> links = check_names(description.links, "link", faults);
  check_names(description.joints, "joint", faults);
  check_names(description.frames, "frame", faults);
  const std::vector<std::string> link_names = names_of(description.links);
  check_parts(description, faults);
  for (const Joint& joint : description.joints) faults.attempt([&] { check_joint_links(joint, links, link_names); });
  for (const NamedFrame& frame : description.frames) {
    if (!links.contains(frame.link))
      faults.add(Error(frame.place,
                       fmt::format("link '{}' of frame '{}', which does not exist", frame.link, frame.name),
                       allowed_names(frame.link, link_names)));
    if (links.contains(frame.name))
      faults.add(
          Error(frame.place, fmt::format("a frame named '{}' like a link", frame.name), "a name that no link has"));
  }
  check_couplings(description, faults);
  faults.refuse();
}

}  // namespace trammel
