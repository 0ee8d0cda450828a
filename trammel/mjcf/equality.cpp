#include <algorithm>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/mjcf/transmission.h"

namespace trammel::mjcf {
namespace {

using Kind = DescribedConstraint::Kind;

class EqualityReader {
 public:
  EqualityReader(const Tendons& tendons, Reader& reader) : tendons_(tendons), r_(reader) {}

  void read(const Element& element) {
    const Item item = r_.defaults.of(element, "", "equality");
    const std::string kind(element.tag());
    DescribedConstraint out;
    out.place = element.place();
    const auto [one, other] = sides(item, kind);
    out.name = element.text("name") ? element.name() : other.empty() ? one : fmt::format("{} to {}", one, other);
    for (int k = 2; is_taken(out.name) && !element.text("name"); ++k)
      out.name = fmt::format("{} to {} {}", one, other, k);
    if (is_taken(out.name))
      throw Error(element.place(), fmt::format("a second equality named '{}'", out.name), "a name that no other has");
    if (kind == "connect" || kind == "weld")
      read_closure(item, kind, out);
    else
      read_equation(item, kind, out);
    if (!item.boolean("active", true)) {
      r_.remarks.add(element.place(), {fmt::format("equality is not active, and left out ('{}')", out.name),
                                       "equalities are not active, and left out"});
      return;
    }
    for (NamedFrame& frame : frames_) r_.out.frames.push_back(frame);
    frames_.clear();
    r_.out.constraints.push_back(out);
  }

 private:
  bool is_taken(const std::string& name) const {
    return std::ranges::find(r_.out.constraints, name, &DescribedConstraint::name) != r_.out.constraints.end();
  }

  // What it joins, for its name.
  std::pair<std::string, std::string> sides(const Item& item, const std::string& kind) const {
    const bool by_sites = item.has("site1") || item.has("site2");
    const std::string what = kind == "joint" ? "joint" : kind == "tendon" ? "tendon" : by_sites ? "site" : "body";
    const std::string one = what + "1", other = what + "2";
    const auto name = item.text(one.c_str());
    if (!name) item.refuse(one.c_str(), fmt::format("the name of a {}", what));
    return {*name, item.text(other.c_str()).value_or(what == "body" ? "world" : "")};
  }

  std::string site(const Item& item, const char* attribute) const {
    const std::string name = item.text(attribute).value_or("");
    const auto found = r_.tree.frames.find(name);
    if (found != r_.tree.frames.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [other, frame] : r_.tree.frames) known.push_back(other);
    item.refuse(attribute, allowed_names(name, known));
  }

  std::string body(const Item& item, const char* attribute) const {
    const std::string name = item.text(attribute).value_or("world");
    if (r_.tree.bodies.contains(name)) return name;
    std::vector<std::string> known;
    for (const auto& [other, pose] : r_.tree.bodies) known.push_back(other);
    item.refuse(attribute, allowed_names(name, known));
  }

  std::string frame_on(const std::string& link, const Pose<>& at, const char* side, const DescribedConstraint& of) {
    NamedFrame frame;
    frame.name = fmt::format("{} {}", of.name, side);
    frame.link = link;
    frame.at = at;
    frame.place = of.place;
    frames_.push_back(frame);
    return frame.name;
  }

  void read_closure(const Item& item, const std::string& kind, DescribedConstraint& out) {
    out.kind = kind == "weld" ? Kind::weld : Kind::coincide;
    if (item.has("site1") || item.has("site2")) {
      for (const char* attribute : {"body1", "body2", "anchor", "relpose"})
        if (item.has(attribute)) item.refuse(attribute, "bodies or sites, not both");
      out.frame = site(item, "site1");
      out.other_frame = site(item, "site2");
      if (out.frame == out.other_frame) item.refuse("site2", "a site other than the first");
      return;
    }
    const std::string one = body(item, "body1"), other = body(item, "body2");
    if (one == other) item.refuse(item.has("body2") ? "body2" : "body1", "two different bodies");
    const Pose<> X_12 = r_.tree.bodies.at(one).inverse() * r_.tree.bodies.at(other);  // at qpos0
    const auto anchor = item.vector("anchor");
    if (kind == "connect" && !anchor) item.refuse("anchor", "a point of body1, or two sites");
    Pose<> on_one{Mat3<>::Identity(), anchor.value_or(Vec3<>::Zero())}, on_other = X_12.inverse() * on_one;
    if (kind == "weld") {
      on_other = {Mat3<>::Identity(), anchor.value_or(Vec3<>::Zero())};
      on_one = relative_pose(item).value_or(X_12) * on_other;
    }
    out.frame = frame_on(one, on_one, "1", out);
    out.other_frame = frame_on(other, on_other, "2", out);
  }

  // relpose of body2 in body1; with a zero quaternion it is that at qpos0.
  static std::optional<Pose<>> relative_pose(const Item& item) {
    const auto given = item.numbers("relpose", 7, 7);
    if (!given) return std::nullopt;
    const std::span<const double> quaternion(given->data() + 3, 4);
    if (std::ranges::all_of(quaternion, [](double x) { return x == 0; })) return std::nullopt;
    return Pose<>{rotation_of(item, "relpose", quaternion), Vec3<>((*given)[0], (*given)[1], (*given)[2])};
  }

  double at_qpos0(const JointSum& sum) const {
    double out = 0;
    for (const JointSum::Term& term : sum.terms) out += term.factor * r_.tree.joint(term.joint)->ref;
    return out;
  }

  // Coordinates and lengths count from where they are at qpos0.
  JointSum side_of(const Item& item, const std::string& kind, const char* attribute) const {
    JointSum sum;
    if (kind == "joint") {
      sum.terms.push_back({1, joint_of(item, attribute, r_.tree).name});
    } else {
      const std::string name = item.text(attribute).value_or("");
      const auto tendon = tendons_.find(name);
      std::vector<std::string> known;
      for (const auto& [other, terms] : tendons_) known.push_back(other);
      if (tendon == tendons_.end())
        item.refuse(attribute, known.empty() ? "a fixed tendon, which the model does not have"
                                             : allowed_names(name, known) + ", fixed tendons");
      sum = tendon->second;
    }
    sum.constant = -at_qpos0(sum);
    return sum;
  }

  void read_equation(const Item& item, const std::string& kind, DescribedConstraint& out) {
    const std::string one = kind + "1", other = kind + "2";
    out.left = side_of(item, kind, one.c_str());
    if (item.has(other.c_str())) {
      out.right = side_of(item, kind, other.c_str());
      if (*item.text(one.c_str()) == *item.text(other.c_str())) item.refuse(other.c_str(), "another than the first");
    }
    if (const auto given = item.numbers("polycoef", 1, 5)) std::ranges::copy(*given, out.polynomial.begin());
    if (out.right.terms.empty()) std::fill(out.polynomial.begin() + 1, out.polynomial.end(), 0.0);
  }

  const Tendons& tendons_;
  Reader& r_;
  std::vector<NamedFrame> frames_;
};

}  // namespace

void read_equalities(const Element& root, const Tendons& tendons, Reader& reader) {
  EqualityReader equalities(tendons, reader);
  for (const Element& section : reader.source.children(root))
    if (section.tag() == "equality")
      for (const Element& element : reader.source.children(section)) equalities.read(element);
}

}  // namespace trammel::mjcf
