#include "trammel/urdf/loop.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/math/rotation.h"
#include "trammel/urdf/origin.h"

namespace trammel::urdf {
namespace {

using Kind = DescribedConstraint::Kind;

const std::vector<std::string> loop_types{"revolute", "continuous", "prismatic", "fixed", "spherical"};
constexpr Kind our_kinds[] = {Kind::hinge, Kind::hinge, Kind::slide, Kind::weld, Kind::coincide};  // in the same order

Kind read_kind(const Element& loop) {
  const std::string allowed = allowed_names(loop.text("type").value_or(""), loop_types);
  const auto type = std::ranges::find(loop_types, loop.required_text("type", allowed.c_str()));
  if (type == loop_types.end()) loop.refuse("type", allowed);
  return our_kinds[type - loop_types.begin()];
}

// The link that a <predecessor> or <successor> names, which must be there.
std::string read_link_name(const Element& side, const RobotDescription& robot) {
  const std::string name = side.name("link");
  std::vector<std::string> known;
  for (const Link& link : robot.links) known.push_back(link.name);
  if (std::ranges::find(known, name) == known.end()) side.refuse("link", allowed_names(name, known));
  return name;
}

Vec3<> read_axis(const Element& loop) {
  const std::optional<Element> given = loop.child("axis");
  const Vec3<> axis = given ? given->required_vector("xyz") : Vec3<>::UnitX();
  if (!(axis.norm() > 1e-9)) given->refuse("xyz", "a vector with a direction");
  return axis.normalized();
}

// The joints from the root to a link.
std::vector<const Joint*> way_to(const std::string& link, const RobotDescription& robot) {
  std::unordered_map<std::string, const Joint*> carrying;
  for (const Joint& joint : robot.joints) carrying.emplace(joint.child, &joint);
  std::vector<const Joint*> way;
  for (std::string at = link; carrying.contains(at) && way.size() <= robot.joints.size(); at = way.back()->parent)
    way.push_back(carrying[at]);
  std::ranges::reverse(way);
  return way;
}

// Of the joints that move behind the first `shared` ones.
JointSum sum_behind(std::size_t shared, const std::vector<const Joint*>& way, const Element& coupling) {
  JointSum sum;
  for (std::size_t i = shared; i < way.size(); ++i) {
    if (way[i]->type == JointType::fixed) continue;
    if (size_of(way[i]->type).q != 1)
      throw Error(coupling.place(),
                  fmt::format("{} over the {} joint '{}'", coupling.description(), name_of(way[i]->type), way[i]->name),
                  "joints with one coordinate");
    sum.terms.push_back({1, way[i]->name});
  }
  return sum;
}

}  // namespace

void read_loop(const Element& loop, RobotDescription& out) {
  DescribedConstraint closed{.name = loop.name(), .kind = read_kind(loop), .place = loop.place()};
  const Mat3<> z_along_axis = frame_with_z(read_axis(loop));
  const auto add_side = [&](const char* tag) {
    const Element side = loop.required_child(tag);
    NamedFrame frame;
    frame.name = fmt::format("{} {}", closed.name, tag);
    frame.link = read_link_name(side, out);
    frame.at = read_origin(side) * Pose<>{z_along_axis, Vec3<>::Zero()};
    frame.place = side.place();
    out.frames.push_back(frame);
    return frame.name;
  };
  closed.frame = add_side("predecessor");
  closed.other_frame = add_side("successor");
  out.constraints.push_back(closed);
}

void read_coupling(const Element& coupling, RobotDescription& out) {
  DescribedConstraint coupled{.name = coupling.name(), .place = coupling.place()};
  const auto predecessor = way_to(read_link_name(coupling.required_child("predecessor"), out), out);
  const auto successor = way_to(read_link_name(coupling.required_child("successor"), out), out);
  const auto shared = static_cast<std::size_t>(std::ranges::mismatch(predecessor, successor).in1 - predecessor.begin());
  coupled.left = sum_behind(shared, successor, coupling);
  coupled.right = sum_behind(shared, predecessor, coupling);
  if (coupled.left.terms.empty() && coupled.right.terms.empty())
    throw Error(coupling.place(), fmt::format("{} between links that no joint moves apart", coupling.description()),
                "links with joints between them");
  const std::optional<Element> ratio = coupling.child("ratio");
  coupled.polynomial[1] = ratio ? ratio->required_number("value") : 1;
  out.constraints.push_back(coupled);
}

}  // namespace trammel::urdf
