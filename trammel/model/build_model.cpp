#include "trammel/model/build_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "trammel/base/listed.h"
#include "trammel/model/check_description.h"
#include "trammel/model/configuration.h"
#include "trammel/model/judge_inertias.h"
#include "trammel/model/lent_inertia.h"
#include "trammel/model/link_tree.h"
#include "trammel/model/positions.h"

namespace trammel {
namespace {

// The rotation from the joint's own frame (z along its axis) to the child link's frame.
Mat3<> joint_axes(const Joint& joint) {
  const int axes = axis_count(joint.type);
  if (axes == 0) return Mat3<>::Identity();
  if (axes == 1) return frame_with_z(joint.axis.normalized());
  Mat3<> R;
  R.col(2) = joint.axis.normalized();
  R.col(0) = joint.second_axis.normalized();
  R.col(1) = cross<double>(R.col(2), R.col(0));
  return R;
}

}  // namespace

class ModelBuilder {
 public:
  explicit ModelBuilder(const Vec3<>& gravity) {
    if (!gravity.allFinite()) throw Error("a gravity that is not finite", "finite numbers (m/s²)");
    model_.gravity_ = gravity;
    add_frame("world", {world, {}}, {});
  }

  void add(const RobotDescription& robot);
  Model finish();

 private:
  Seat add_joint(const Joint& joint, const Seat& parent);
  void add_link(const Link& link, const Seat& seat);
  void add_frame(const std::string& name, const Seat& seat, const Place& place);
  void add_couplings(const RobotDescription& robot);
  void measure_inertias();
  void judge_idle();
  void note_children();
  void note_massless();
  void sort_by_depth();

  Model model_;
  const RobotDescription* robot_ = nullptr;  // outlives the builder
  std::vector<Seat> seats_;
  std::vector<Place> joint_places_;
  std::vector<char> lenient_;  // for each body whether its link is
};

Seat ModelBuilder::add_joint(const Joint& joint, const Seat& parent) {
  const Pose<> X_BL = parent.X_BL * joint.at;
  if (joint.type == JointType::fixed) {
    model_.joint_index_.emplace(joint.name, world);  // known, but it carries no body of its own
    return {parent.body, X_BL};
  }

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
  model_.joint_index_.emplace(joint.name, index);
  model_.joint_names_.push_back(joint.name);
  model_.link_names_.push_back(joint.child);
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
  const bool is_world = seat.body == world && seat.X_BL.R.isIdentity(0) && seat.X_BL.p.isZero(0);
  if (name == "world" && is_world && model_.frame_index_.contains("world")) return;  // every model has that frame
  if (!model_.frame_index_.emplace(name, static_cast<int>(model_.frames_.size())).second)
    throw Error(place, fmt::format("a second frame named '{}'", name), "a name that no other has");
  model_.frames_.push_back({name, seat.body, seat.X_BL});
}

void ModelBuilder::add_couplings(const RobotDescription& robot) {
  for (const Coupling& c : robot.couplings) {
    const auto q_of = [&](const std::string& joint) { return model_.bodies_[model_.joint_index_.at(joint)].q; };
    model_.couplings_.push_back({q_of(c.joint), q_of(c.source), c.multiplier, c.offset, c.joint, c.source});
  }
}

void ModelBuilder::add(const RobotDescription& robot) {
  check_description(robot);
  const LinkTree tree = find_tree(robot);
  model_.name_ = robot.name;

  // outward from the root, each branch to its end, in the author's order
  std::vector<Seat> seats(robot.links.size(), {world, {}});
  std::vector<int> stack{tree.root};
  while (!stack.empty()) {
    const int link = stack.back();
    stack.pop_back();
    if (tree.carrier[link] >= 0) {
      const Joint& joint = robot.joints[tree.carrier[link]];
      seats[link] = add_joint(joint, seats[tree.index.at(joint.parent)]);
    }
    add_link(robot.links[link], seats[link]);
    if (static_cast<int>(lenient_.size()) < model_.body_count()) lenient_.push_back(robot.links[link].lenient ? 1 : 0);
    const std::vector<int>& leaving = tree.leaving[link];
    for (auto j = leaving.rbegin(); j != leaving.rend(); ++j) stack.push_back(tree.index.at(robot.joints[*j].child));
  }

  for (const NamedFrame& frame : robot.frames) {
    const Seat& seat = seats[tree.index.at(frame.link)];
    add_frame(frame.name, {seat.body, seat.X_BL * frame.at}, frame.place);
  }
  add_couplings(robot);
  model_.warnings_ = robot.warnings;
  for (Warning& warning : judge_inertias(robot, seats)) model_.warnings_.push_back(std::move(warning));
  robot_ = &robot;
  seats_ = std::move(seats);
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
  // inertia without mass may be that of a robot's file
  for (Body& body : model_.bodies_)
    body.massless = body.inertia.mass == 0 && body.inertia.about_origin.matrix().isZero(0);
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
      // one that is negative is left to check_definite, which blames the links
      const bool negative = lenient_[i] != 0 && moved < -1e-12 * largest;
      if (!(moved > 1e-12 * largest) && !negative) model_.idle_velocities_.push_back(body.v + k);
    }
    if (body.parent != world) carried[body.parent] = carried[body.parent] + carried[i].seen_from(where.bodies[i].r);
  }
}

// Joints that move no mass may stand in a robot's file, beside others that do: a finger that only mimics, a hand that nobody weighed.
void ModelBuilder::judge_idle() {
  std::vector<int>& idle = model_.idle_velocities_;
  std::ranges::sort(idle);
  const bool others_move = static_cast<int>(idle.size()) < model_.nv_;
  Faults faults;
  std::vector<Named> led, alone;
  int last = world;
  for (const int v : idle) {
    const int i = model_.body_of_velocity(v);
    if (std::exchange(last, i) == i) continue;
    const std::string& name = model_.joint_names_[i];
    if (!lenient_[i] || !others_move || !(model_.inertia_scales_[v] >= 0)) {
      faults.add(
          Error(joint_places_[i],
                fmt::format("joint '{}', which moves no mass: link '{}' and what it carries have no inertia along "
                            "its motion",
                            name, model_.link_names_[i]),
                "a joint that moves some mass, or that has a rotor inertia, or a fixed joint"));
      continue;
    }
    (leader_of(model_, v) ? led : alone).push_back({joint_places_[i], name});
  }
  faults.refuse();
  const auto warn = [&](const std::vector<Named>& joints, const char* what) {
    if (joints.empty()) return;
    const std::string text = fmt::format("no mass is moved by {}: {}", listed("joint", joints), what);
    model_.warnings_.push_back({joints.front().place, text});
  };
  warn(led, "the mimic determines the motion");
  warn(alone, "a rotor inertia is lent in runs, by which what nothing drives stays where it is");
}

Model ModelBuilder::finish() {
  note_children();
  note_massless();
  sort_by_depth();
  measure_inertias();
  judge_idle();
  check_definite(*robot_, seats_, model_);
  return std::move(model_);
}

Model build_model(const RobotDescription& description, const Vec3<>& gravity) {
  RobotDescription robot = description;
  if (hangs_on_world(robot)) add_world_link(robot);
  ModelBuilder builder(gravity);
  builder.add(robot);
  return builder.finish();
}

Model build_model(const std::vector<Robot>& robots, const Vec3<>& gravity) {
  if (robots.empty()) throw Error("no robot", "at least one");
  RobotDescription all;
  all.name = robots.size() == 1 ? robots[0].description.name : "robots";
  for (const Robot& robot : robots) add_robot(robot, robot.description.place, all);
  return build_model(all, gravity);
}

}  // namespace trammel
