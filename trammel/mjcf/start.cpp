#include <algorithm>

#include <fmt/core.h>

#include "trammel/mjcf/transmission.h"

namespace trammel::mjcf {
namespace {

bool begins_at_zero(const Tree::JointFacts& joint) {
  if (joint.type == JointType::floating) {
    const std::vector<double> none{0, 0, 0, 1, 0, 0, 0};
    return joint.qpos0 == none;
  }
  return joint.qpos0.size() > 1 || joint.qpos0[0] == 0;
}

// Deals the numbers out to the joints, in their order.
template <class SizeOf>
void deal_out(const std::vector<double>& values, const Tree& tree, SizeOf size,
              std::map<std::string, std::vector<double>>& out) {
  auto at = values.begin();
  for (const Tree::JointFacts& joint : tree.joints) {
    out[joint.name].assign(at, at + size(joint));
    at += size(joint);
  }
}

int coordinates(const Tree::JointFacts& joint) { return size_of(joint.type).q; }
int velocities(const Tree::JointFacts& joint) { return size_of(joint.type).v; }

template <class SizeOf>
std::size_t total(const Tree& tree, SizeOf size) {
  std::size_t sum = 0;
  for (const Tree::JointFacts& joint : tree.joints) sum += static_cast<std::size_t>(size(joint));
  return sum;
}

void normalize_quaternions(const Item& key, const Tree& tree, DescribedStart& out) {
  for (const Tree::JointFacts& joint : tree.joints) {
    std::vector<double>& q = out.q[joint.name];
    if (q.size() < 4) continue;
    Eigen::Map<Quaternion<>> quaternion(q.data() + q.size() - 4);
    if (!(quaternion.norm() > 1e-14)) key.refuse("qpos", fmt::format("a quaternion of joint '{}'", joint.name));
    quaternion /= quaternion.norm();
  }
}

}  // namespace

void read_starts(const Element& root, const std::vector<std::string>& controls, Reader& reader) {
  const Tree& tree = reader.tree;
  DescribedStart qpos0{.name = "qpos0", .usual = true, .place = root.place()};
  for (const Tree::JointFacts& joint : tree.joints) qpos0.q[joint.name] = joint.qpos0;
  if (!std::ranges::all_of(tree.joints, begins_at_zero)) reader.out.starts.push_back(qpos0);

  std::size_t number = 0;
  for (const Element& section : reader.source.children(root)) {
    if (section.tag() != "keyframe") continue;
    for (const Element& element : reader.source.children(section)) {
      const Item key(element);
      DescribedStart start{.name = element.text("name") ? element.name() : fmt::format("key {}", number),
                           .q = qpos0.q,
                           .place = element.place()};
      ++number;
      if (std::ranges::find(reader.out.starts, start.name, &DescribedStart::name) != reader.out.starts.end())
        throw Error(element.place(), fmt::format("a second start named '{}'", start.name), "a name that no other has");
      const std::size_t nq = total(tree, coordinates), nv = total(tree, velocities);
      if (const auto q = key.numbers("qpos", nq, nq)) deal_out(*q, tree, coordinates, start.q);
      if (const auto v = key.numbers("qvel", nv, nv)) deal_out(*v, tree, velocities, start.v);
      normalize_quaternions(key, tree, start);
      if (const auto u = key.numbers("ctrl", controls.size(), controls.size()))
        for (std::size_t i = 0; i < controls.size(); ++i)
          if (!controls[i].empty()) start.controls.emplace(controls[i], (*u)[i]);
      reader.out.starts.push_back(start);
    }
  }
}

}  // namespace trammel::mjcf
