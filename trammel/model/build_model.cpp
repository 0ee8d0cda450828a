#include "trammel/model/build_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "trammel/model/check_description.h"
#include "trammel/model/configuration.h"
#include "trammel/model/positions.h"

namespace trammel {
namespace {

// The links of one robot as a tree: for each link the joint that carries it (−1: the root) and the joints that leave it.
struct LinkTree {
  int root;
  std::vector<int> carrier;
  std::vector<std::vector<int>> leaving;
};

std::unordered_map<std::string, int> index_links(const RobotDescription& robot) {
  std::unordered_map<std::string, int> index;
  for (const Link& link : robot.links) index.emplace(link.name, static_cast<int>(index.size()));
  return index;
}

// A joint may hang on "world" although the author gave no such link: then there is one, without mass.
RobotDescription with_world_link(RobotDescription robot) {
  const auto is_world = [](const Link& link) { return link.name == "world"; };
  const auto hangs_on_world = [](const Joint& joint) { return joint.parent == "world"; };
  if (std::ranges::none_of(robot.links, is_world) && std::ranges::any_of(robot.joints, hangs_on_world)) {
    Link link;
    link.name = "world";
    robot.links.insert(robot.links.begin(), link);
  }
  return robot;
}

// A joint on the way round the circle in which `link` stands or hangs.
const Joint& joint_in_circle(const RobotDescription& robot, const LinkTree& tree,
                             const std::unordered_map<std::string, int>& index, int link) {
  std::vector<bool> seen(robot.links.size(), false);
  while (!seen[link]) {
    seen[link] = true;
    link = index.at(robot.joints[tree.carrier[link]].parent);
  }
  return robot.joints[tree.carrier[link]];
}

LinkTree find_tree(const RobotDescription& robot) {
  const std::unordered_map<std::string, int> index = index_links(robot);
  const std::size_t count = robot.links.size();
  LinkTree tree{-1, std::vector<int>(count, -1), std::vector<std::vector<int>>(count)};
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const Joint& joint = robot.joints[j];
    int& carrier = tree.carrier[index.at(joint.child)];
    if (carrier >= 0)
      throw Error(joint.place,
                  fmt::format("joint '{}' as a second joint that carries link '{}' (after '{}')", joint.name,
                              joint.child, robot.joints[carrier].name),
                  "one joint for each link; close loops with constraints");
    carrier = static_cast<int>(j);
    tree.leaving[index.at(joint.parent)].push_back(static_cast<int>(j));
  }

  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < count; ++i)
    if (tree.carrier[i] < 0) roots.push_back(i);
  if (roots.size() > 1)
    throw Error(robot.links[roots[1]].place,
                fmt::format("{} links that no joint carries, '{}' and '{}' among them", roots.size(),
                            robot.links[roots[0]].name, robot.links[roots[1]].name),
                "one root; join the others to it, if only by fixed joints");
  if (roots.empty()) {
    const Joint& joint = joint_in_circle(robot, tree, index, 0);
    throw Error(joint.place, fmt::format("joint '{}' in a circle of joints", joint.name),
                "a tree; close loops with constraints");
  }
  tree.root = static_cast<int>(roots[0]);

  // every link must hang on the root
  std::vector<bool> reached(count, false);
  std::vector<int> stack{tree.root};
  while (!stack.empty()) {
    const int link = stack.back();
    stack.pop_back();
    reached[link] = true;
    for (const int j : tree.leaving[link]) stack.push_back(index.at(robot.joints[j].child));
  }
  const auto stray = std::ranges::find(reached, false);
  if (stray != reached.end()) {
    const Joint& joint = joint_in_circle(robot, tree, index, static_cast<int>(stray - reached.begin()));
    throw Error(joint.place, fmt::format("joint '{}' in a circle of joints", joint.name),
                "a tree; close loops with constraints");
  }
  return tree;
}

// The rotation from the joint's own frame (z along its axis) to the child link's frame.
Mat3<> joint_axes(const Joint& joint) {
  switch (joint.type) {
    case JointType::fixed:
    case JointType::spherical:
    case JointType::floating:
      return Mat3<>::Identity();
    case JointType::universal: {
      Mat3<> R;
      R.col(2) = joint.axis.normalized();
      R.col(0) = joint.second_axis.normalized();
      R.col(1) = cross<double>(R.col(2), R.col(0));
      return R;
    }
    default:
      return frame_with_z(joint.axis.normalized());
  }
}

Joint base_joint(const Robot& robot, const std::string& root) {
  Joint joint;
  joint.name = "base";
  joint.type = robot.base == Base::planar ? JointType::planar : JointType::floating;
  joint.parent = "world";
  joint.child = root;
  joint.at = robot.at;
  joint.place = robot.description.place;
  return joint;
}

}  // namespace

class ModelBuilder {
 public:
  ModelBuilder(std::string name, const Vec3<>& gravity) {
    if (!gravity.allFinite()) throw Error("a gravity that is not finite", "finite numbers (m/s²)");
    model_.name_ = std::move(name);
    model_.gravity_ = gravity;
    add_frame("world", {world, {}}, {});
  }

  void add(const Robot& given);
  Model finish();

 private:
  // Where a link is: on which body, and its frame there.
  struct Seat {
    int body;
    Pose<> X_BL;
  };

  Seat add_joint(const Joint& joint, const Seat& parent);
  void add_link(const Link& link, const Seat& seat);
  void add_frame(const std::string& name, const Seat& seat, const Place& place);
  void add_couplings(const RobotDescription& robot);
  void measure_inertias();
  void note_children();
  void note_massless();
  void sort_by_depth();

  Model model_;
  std::string prefix_;
  std::vector<Place> joint_places_;
};

ModelBuilder::Seat ModelBuilder::add_joint(const Joint& joint, const Seat& parent) {
  const Pose<> X_BL = parent.X_BL * joint.at;
  if (joint.type == JointType::fixed) return {parent.body, X_BL};

  const Pose<> X_LM{joint_axes(joint), Vec3<>::Zero()};
  const JointSize size = size_of(joint.type);
  Body body;
  body.parent = parent.body;
  body.type = joint.type;
  body.nv = size.v;
  body.q = model_.nq_;
  body.v = model_.nv_;
  body.turning = only_turns(joint.type);
  body.sliding = only_slides(joint.type);
  body.pitch = joint.pitch;
  body.X_PF = X_BL * X_LM;

  const int index = model_.body_count();
  const std::string name = prefix_ + joint.name;
  if (!model_.joint_index_.emplace(name, index).second)
    throw Error(joint.place, fmt::format("a second joint named '{}'", name), "a name that no other has");
  model_.joint_names_.push_back(name);
  model_.link_names_.push_back(prefix_ + joint.child);
  model_.bodies_.push_back(body);
  joint_places_.push_back(joint.place);
  const std::size_t given = joint.coordinates.size();
  for (int i = 0; i < size.v; ++i) {
    model_.coordinates_.push_back(given == 0 ? Coordinate{} : joint.coordinates[given == 1 ? 0 : i]);
  }
  for (const Coordinate& c : joint.coordinates)
    model_.has_passive_forces_ |= c.damping > 0 || c.friction > 0 || c.stiffness > 0;
  model_.nq_ += size.q;
  model_.nv_ += size.v;
  return {index, X_LM.inverse()};
}

void ModelBuilder::add_link(const Link& link, const Seat& seat) {
  if (seat.body == world)
    model_.fixed_mass_ += link.mass;
  else {
    Inertia<>& inertia = model_.bodies_[seat.body].inertia;
    inertia = inertia + Inertia<>::from_com(link.mass, link.com, link.inertia).transformed(seat.X_BL);
  }
  for (Visual visual : link.visuals) {
    visual.at = seat.X_BL * visual.at;
    model_.visuals_.push_back({seat.body, std::move(visual)});
  }
  add_frame(link.name, seat, link.place);
}

void ModelBuilder::add_frame(const std::string& name, const Seat& seat, const Place& place) {
  const std::string full_name = prefix_ + name;
  const bool is_world = seat.body == world && seat.X_BL.R.isIdentity(0) && seat.X_BL.p.isZero(0);
  if (full_name == "world" && is_world && model_.frame_index_.contains("world")) return;  // every model has that frame
  if (!model_.frame_index_.emplace(full_name, static_cast<int>(model_.frames_.size())).second)
    throw Error(place, fmt::format("a second frame named '{}'", full_name), "a name that no other has");
  model_.frames_.push_back({full_name, seat.body, seat.X_BL});
}

void ModelBuilder::add_couplings(const RobotDescription& robot) {
  for (const Coupling& c : robot.couplings) {
    const auto q_of = [&](const std::string& joint) {
      return model_.bodies_[model_.joint_index_.at(prefix_ + joint)].q;
    };
    model_.couplings_.push_back(
        {q_of(c.joint), q_of(c.source), c.multiplier, c.offset, prefix_ + c.joint, prefix_ + c.source});
  }
}

void ModelBuilder::add(const Robot& given) {
  const RobotDescription robot = with_world_link(given.description);
  check_description(robot);
  const LinkTree tree = find_tree(robot);
  const std::unordered_map<std::string, int> index = index_links(robot);
  prefix_ = given.name.empty() ? "" : given.name + ".";

  // outward from the root, each branch to its end, in the author's order
  std::vector<Seat> seats(robot.links.size());
  const std::string& root = robot.links[tree.root].name;
  const Seat ground{world, given.base == Base::fixed ? given.at : Pose<>{}};
  seats[tree.root] = given.base == Base::fixed ? ground : add_joint(base_joint(given, root), ground);
  std::vector<int> stack{tree.root};
  while (!stack.empty()) {
    const int link = stack.back();
    stack.pop_back();
    if (tree.carrier[link] >= 0) {
      const Joint& joint = robot.joints[tree.carrier[link]];
      seats[link] = add_joint(joint, seats[index.at(joint.parent)]);
    }
    add_link(robot.links[link], seats[link]);
    const std::vector<int>& leaving = tree.leaving[link];
    for (auto j = leaving.rbegin(); j != leaving.rend(); ++j) stack.push_back(index.at(robot.joints[*j].child));
  }

  for (const NamedFrame& frame : robot.frames) {
    const Seat& seat = seats[index.at(frame.link)];
    add_frame(frame.name, {seat.body, seat.X_BL * frame.at}, frame.place);
  }
  add_couplings(robot);
  model_.warnings_.insert(model_.warnings_.end(), robot.warnings.begin(), robot.warnings.end());
}

void ModelBuilder::note_children() {
  for (int i = model_.body_count() - 1; i >= 0; --i) {
    const int parent = model_.bodies_[i].parent;
    if (parent == world) continue;
    model_.bodies_[i].last_child = model_.bodies_[parent].leaf;
    model_.bodies_[parent].leaf = false;
  }
}

void ModelBuilder::note_massless() {
  for (Body& body : model_.bodies_) body.massless = body.inertia.mass == 0;  // inertia without mass has been refused
}

void ModelBuilder::sort_by_depth() {
  std::vector<int> depth;
  for (const Body& body : model_.bodies_) depth.push_back(body.parent == world ? 0 : depth[body.parent] + 1);
  model_.by_depth_.resize(depth.size());
  std::iota(model_.by_depth_.begin(), model_.by_depth_.end(), 0);
  std::ranges::stable_sort(model_.by_depth_, {}, [&](int i) { return depth[i]; });
}

// The diagonal of the mass matrix at a configuration without symmetry: M_ii = Sᵢᵀ I Sᵢ + rotor, I the inertia of all that
// joint i carries. Where it vanishes M is singular whatever the rest of the robot does.
void ModelBuilder::measure_inertias() {
  VecX<> step(model_.nv_);
  for (int i = 0; i < model_.nv_; ++i) step[i] = 0.4 + 0.3 * std::sin(1.7 * i);
  const VecX<> q = retract(model_, neutral_configuration(model_), step);

  Positions<> where(model_);
  positions<double>(model_, q, where);
  std::vector<Inertia<>> carried(model_.bodies_.size());
  model_.inertia_scales_.resize(model_.nv_);
  for (int i = 0; i < model_.body_count(); ++i) carried[i] = model_.bodies_[i].inertia.rotated(where.bodies[i].X_WB.R);
  for (int i = model_.body_count() - 1; i >= 0; --i) {
    const Body& body = model_.bodies_[i];
    for (int k = 0; k < body.nv; ++k) {
      const Vec6<>& S = where.S[body.v + k];
      const double largest = is_angular(body.type, k) ? carried[i].about_origin.matrix().trace() : carried[i].mass;
      const double moved = S.dot(carried[i] * S) + model_.coordinates_[body.v + k].rotor_inertia;
      model_.inertia_scales_[body.v + k] = moved;
      if (!std::isfinite(moved))
        throw Error(joint_places_[i],
                    fmt::format("numbers too large to compute with in what joint '{}' carries", model_.joint_names_[i]),
                    "masses, lengths and inertias whose products stay finite");
      if (moved > 1e-12 * largest) continue;
      throw Error(
          joint_places_[i],
          fmt::format("joint '{}', which moves no mass: link '{}' and what it carries have no inertia along its "
                      "motion",
                      model_.joint_names_[i], model_.link_names_[i]),
          "a joint that moves some mass, or that has a rotor inertia, or a fixed joint");
    }
    if (body.parent != world) carried[body.parent] = carried[body.parent] + carried[i].seen_from(where.bodies[i].r);
  }
}

Model ModelBuilder::finish() {
  note_children();
  note_massless();
  sort_by_depth();
  measure_inertias();
  return std::move(model_);
}

Model build_model(const std::vector<Robot>& robots, const Vec3<>& gravity) {
  if (robots.empty()) throw Error("no robot", "at least one");
  ModelBuilder builder(robots.size() == 1 ? robots[0].description.name : "robots", gravity);
  for (const Robot& robot : robots) builder.add(robot);
  return builder.finish();
}

Model build_model(const RobotDescription& description, const Vec3<>& gravity) {
  return build_model({Robot{description, "", Base::fixed, {}}}, gravity);
}

}  // namespace trammel
