#include "trammel/mjcf/tree.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/mjcf/inertial.h"

namespace trammel::mjcf {

const Tree::JointFacts* Tree::joint(const std::string& name) const {
  const auto found = std::ranges::find(joints, name, &JointFacts::name);
  return found == joints.end() ? nullptr : &*found;
}

bool is_limited(const Item& item, const char* limited, const char* range, const Settings& settings) {
  const std::string word = item.word(limited, {"true", "false", "auto"}, "auto");
  if (word == "auto" && item.has(range) && !settings.autolimits)
    item.refuse(range, fmt::format("{} true or false beside it, since autolimits is false", limited));
  if (word == "true" && !item.has(range)) item.refuse(range, fmt::format("one, since {} is true", limited));
  return word == "true" || (word == "auto" && item.has(range));
}

namespace {

const std::vector<std::string> joint_words{"hinge", "slide", "ball", "free"};
constexpr JointType joint_types_of_words[] = {JointType::revolute, JointType::prismatic, JointType::spherical,
                                              JointType::floating};

class TreeReader {
 public:
  explicit TreeReader(Reader& reader) : r_(reader) {}

  // What stands in a body or in the world; `at` places it there: frames nest.
  void read_contents(const Element& element, const std::string& link, const Pose<>& at, const std::string& childclass,
                     std::vector<Geom>& geoms) {
    for (const Element& child : r_.source.children(element)) {
      if (child.tag() == "body") read_body(child, link, at, childclass);
      if (child.tag() == "geom") read_geom_of(child, link, at, childclass, geoms);
      if (child.tag() == "site") read_site(child, link, at, childclass);
      if (child.tag() != "frame") continue;
      const Pose<> inner = at * read_pose(Item(child), r_.settings);
      read_contents(child, link, inner, r_.defaults.class_in(child, "childclass", childclass), geoms);
    }
  }

 private:
  Link& link_named(const std::string& name) { return *std::ranges::find(r_.out.links, name, &Link::name); }

  void read_geom_of(const Element& element, const std::string& link, const Pose<>& at, const std::string& childclass,
                    std::vector<Geom>& geoms) {
    Geom geom = read_geom(r_.defaults.of(element, childclass, "geom"), r_.assets, r_.settings);
    if (geom.visual) {
      geom.visual->at = at * geom.visual->at;
      link_named(link).visuals.push_back(*geom.visual);
    }
    if (geom.inertia) geom.inertia = geom.inertia->transformed(at);
    geoms.push_back(std::move(geom));
  }

  void read_site(const Element& element, const std::string& link, const Pose<>& at, const std::string& childclass) {
    const Item item = r_.defaults.of(element, childclass, "site");
    const auto fromto = item.numbers("fromto", 6, 6);
    NamedFrame frame;
    frame.at = at * (fromto ? pose_from_to(item, *fromto) : read_pose(item, r_.settings));
    if (!element.text("name")) return;  // nobody can refer to it
    const std::string name = element.name();
    frame.name = name;
    frame.link = link;
    frame.place = element.place();
    if (!r_.tree.frames.emplace(name, frame.name).second)
      throw Error(element.place(), fmt::format("a second site named '{}'", name), "a name that no other has");
    r_.out.frames.push_back(frame);
  }

  void read_body(const Element& element, const std::string& parent, const Pose<>& at, const std::string& outer_class) {
    const Item item(element);
    const std::string name = element.text("name") ? element.name() : fmt::format("body {}", r_.tree.bodies.size());
    const std::string childclass = r_.defaults.class_in(element, "childclass", outer_class);
    const Pose<> X_PB = at * read_pose(item, r_.settings);
    if (!r_.tree.bodies.emplace(name, r_.tree.bodies.at(parent) * X_PB).second)
      throw Error(element.place(), fmt::format("a second body named '{}'", name), "a name that no other has");
    Link link;
    link.name = name;
    link.place = element.place();
    r_.out.links.push_back(link);
    read_joints(element, name, parent, X_PB, childclass);
    std::vector<Geom> geoms;
    read_contents(element, name, {}, childclass, geoms);
    put_inertia(element, geoms, r_.source, r_.settings, r_.remarks, link_named(name));
  }

  // Of the body and of the frames in it.
  void collect_joints(const Element& element, const Pose<>& at, const std::string& childclass,
                      std::vector<std::pair<Item, Pose<>>>& out) {
    for (const Element& child : r_.source.children(element)) {
      if (child.tag() == "joint") out.emplace_back(r_.defaults.of(child, childclass, "joint"), at);
      if (child.tag() == "freejoint") out.emplace_back(Item(child), at);
      if (child.tag() == "frame")
        collect_joints(child, at * read_pose(Item(child), r_.settings),
                       r_.defaults.class_in(child, "childclass", childclass), out);
    }
  }

  void read_joints(const Element& body, const std::string& name, const std::string& parent, const Pose<>& X_PB,
                   const std::string& childclass) {
    std::vector<std::pair<Item, Pose<>>> joints;
    collect_joints(body, {}, childclass, joints);
    Pose<> X = X_PB;  // of the body in the link that carries it so far
    std::string on = parent;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const auto& [item, frame] = joints[i];
      Joint joint = read_joint(item, frame, name, i, joints.size() > 1, parent == "world");
      const Vec3<> p_BJ = joint.at.p;  // as read_joint leaves it: in the body
      const bool ends_here = i + 1 == joints.size() && p_BJ.isZero(0);
      joint.parent = on;
      joint.child = ends_here ? name : fmt::format("{} at {}", name, joint.name);
      place_joint(X * Pose<>{Mat3<>::Identity(), p_BJ}, joint);
      if (!ends_here) {
        Link between;
        between.name = joint.child;
        between.place = joint.place;
        r_.out.links.push_back(between);
      }
      r_.out.joints.push_back(joint);
      on = joint.child;
      X = {Mat3<>::Identity(), -p_BJ};
      if (ends_here) return;
    }
    Joint fixed;
    fixed.type = JointType::fixed;
    fixed.name = fmt::format("{} to {}", on, name);
    fixed.parent = on;
    fixed.child = name;
    fixed.at = X;
    fixed.place = body.place();
    r_.out.joints.push_back(fixed);
  }

  // Turned back by `ref`, so that the body stands in its place where the coordinate is `ref`; a free joint has the place for its coordinates.
  void place_joint(const Pose<>& X, Joint& joint) {
    Tree::JointFacts& facts = r_.tree.joints.back();
    joint.at = X;
    if (joint.type == JointType::revolute)
      joint.at.R = X.R * rotation_from_quaternion<double>(exp_quaternion(Vec3<>(joint.axis * -facts.ref)));
    if (joint.type == JointType::prismatic) joint.at.p = X.p - X.R * joint.axis * facts.ref;
    if (joint.type != JointType::floating) return;
    const Quaternion<> k = quaternion_from_rotation(X.R);
    facts.qpos0 = {X.p[0], X.p[1], X.p[2], k[0], k[1], k[2], k[3]};
    joint.at = {};
  }

  Joint read_joint(const Item& item, const Pose<>& frame, const std::string& body, std::size_t number, bool several,
                   bool on_world) {
    const Element& element = item.element();
    Joint out;
    out.place = item.place();
    out.name = element.text("name") ? element.name()
               : several            ? fmt::format("{} joint {}", body, number + 1)
                                    : fmt::format("{} joint", body);
    const bool is_free = element.tag() == "freejoint";
    const std::string word = is_free ? "free" : item.word("type", joint_words, "hinge");
    out.type = joint_types_of_words[std::ranges::find(joint_words, word) - joint_words.begin()];
    if (r_.tree.joint(out.name) != nullptr)
      throw Error(out.place, fmt::format("a second joint named '{}'", out.name), "a name that no other has");
    Tree::JointFacts facts{.name = out.name, .type = out.type, .qpos0 = {}};
    if (word == "free") {
      check_free(item, is_free, several, on_world, body);
    } else {
      out.at.p = frame * item.vector("pos").value_or(Vec3<>::Zero());
      read_axis_and_ref(item, frame, word, out, facts);
    }
    if (!is_free) out.coordinates.push_back(read_coordinate(item, word, facts));
    if (word == "ball") facts.qpos0 = {1, 0, 0, 0};
    r_.tree.joints.push_back(facts);
    return out;
  }

  void read_axis_and_ref(const Item& item, const Pose<>& frame, const std::string& word, Joint& out,
                         Tree::JointFacts& facts) {
    const Vec3<> axis = frame.R * item.vector("axis").value_or(Vec3<>::UnitZ());
    if (word == "ball") return;
    if (!(axis.norm() > 1e-14)) item.refuse("axis", "a vector with a direction");
    out.axis = axis.normalized();
    const double ref = item.number("ref", 0);
    facts.ref = word == "hinge" ? r_.settings.angle(ref) : ref;
    facts.qpos0 = {facts.ref};
  }

  void check_free(const Item& item, bool is_free, bool several, bool on_world, const std::string& body) {
    if (several)
      throw Error(item.place(), fmt::format("a free joint beside others of body '{}'", body), "a free joint alone");
    if (!on_world)
      throw Error(item.place(), fmt::format("a free joint of body '{}', which stands in another", body),
                  "a free joint of a body in the world");
    const std::string align = is_free ? item.word("align", {"true", "false", "auto"}, "auto") : "auto";
    if (align == "true" || (align == "auto" && r_.settings.align_free && is_free))
      throw Error(item.place(), fmt::format("{} aligned with the inertia of its body", item.description()),
                  "align=\"false\", and alignfree=\"false\" of <compiler>");
  }

  Coordinate read_coordinate(const Item& item, const std::string& word, Tree::JointFacts& facts) {
    Coordinate out;
    const bool scalar = word == "hinge" || word == "slide";
    const auto unit = [&](double value) { return word == "hinge" ? r_.settings.angle(value) : value; };
    const auto first_alone = [&](const char* attribute) {
      const auto given = item.numbers(attribute, 1, 10);
      if (!given) return 0.0;
      if (std::any_of(given->begin() + 1, given->end(), [](double x) { return x != 0; }))
        item.refuse(attribute, "one number: the force is linear here");
      if (given->front() < 0) item.refuse(attribute, "0 or more");
      return given->front();
    };
    out.stiffness = first_alone("stiffness");
    out.damping = first_alone("damping");
    out.rotor_inertia = item.not_negative("armature", 0);
    out.friction = item.not_negative("frictionloss", 0);
    out.rest = unit(item.number("springref", 0));
    if (!scalar && out.stiffness != 0) item.refuse("stiffness", "0 of a ball or free joint");
    if (const auto given = item.numbers("springdamper", 2, 2); given && ((*given)[0] > 0 && (*given)[1] > 0))
      item.refuse("springdamper", "stiffness and damping themselves");
    if (word != "free" && is_limited(item, "limited", "range", r_.settings)) {
      const auto range = item.numbers("range", 2, 2);
      if (!scalar)
        r_.remarks.add(item.place(), {"range of a ball joint is not used", "ranges of ball joints are not used"});
      if (scalar && !((*range)[0] < (*range)[1])) item.refuse("range", "the lower end before the upper one");
      if (scalar) facts.range = {unit((*range)[0]), unit((*range)[1])};
      if (scalar) out.lower = (*facts.range)[0], out.upper = (*facts.range)[1];
    }
    if (scalar && is_limited(item, "actuatorfrclimited", "actuatorfrcrange", r_.settings)) {
      const auto range = item.numbers("actuatorfrcrange", 2, 2);
      out.effort_limit = std::max(std::abs((*range)[0]), std::abs((*range)[1]));
    }
    return out;
  }

  Reader& r_;
};

}  // namespace

void read_tree(const Element& root, Reader& reader) {
  Link world_link;
  world_link.name = "world";
  world_link.place = root.place();
  reader.out.links.push_back(world_link);
  reader.tree.bodies.emplace("world", Pose<>{});
  TreeReader tree(reader);
  std::vector<Geom> of_world;
  for (const Element& section : reader.source.children(root))
    if (section.tag() == "worldbody")
      tree.read_contents(section, "world", {}, reader.defaults.class_in(section, "childclass", ""), of_world);
  // frames have one name each, and bodies may stand behind sites of their name
  for (NamedFrame& frame : reader.out.frames)
    if (reader.tree.bodies.contains(frame.name)) reader.tree.frames[frame.name] += " site", frame.name += " site";
  set_total_mass(reader.settings, reader.out);
}

}  // namespace trammel::mjcf
