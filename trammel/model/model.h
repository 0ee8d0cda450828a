#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trammel/model/description.h"

namespace trammel {

/// Stands for the world where a body's index is asked for.
inline constexpr int world = -1;

/// A moving body and the joint that carries it. The body's frame is the joint's frame M: its origin lies on the joint and
/// its z along the joint's axis. (The frame in which the author described the link is the model's frame of that name.)
struct Body {
  int parent = world;
  JointType type = JointType::revolute;
  int nv = 1;               // velocities of the joint
  int q = 0, v = 0;         // where the joint's coordinates and velocities begin
  bool turning = true;      // whether the joint only turns
  bool sliding = false;     // whether it only slides
  bool massless = false;    // whether the body has no inertia of its own
  bool leaf = true;         // whether it carries no other
  bool last_child = false;  // whether it stands last among those that its parent carries
  double pitch = 0;         // m/rad
  Pose<> X_PF;              // the joint's frame F on the parent (the world, for a root)
  Inertia<> inertia;        // about the body's origin, along its axes
};

/// A named place on a body: each link of the description, and whatever else was named.
struct Frame {
  std::string name;
  int body = world;
  Pose<> X_BF;
};

/// q[q] = multiplier·q[source] + offset.
struct ModelCoupling {
  int q, source;
  double multiplier, offset;
  std::string name, source_name;  // of the coupled joint, and of the one it follows
};

/// A shape fixed to a body.
struct BodyVisual {
  int body = world;
  Visual visual;  // placed in the body's frame
};

/// A tree of bodies: immutable, and safe to share between threads. A parent always stands before its children.
class Model {
 public:
  const std::string& name() const { return name_; }
  const Vec3<>& gravity() const { return gravity_; }  // m/s²

  int nq() const { return nq_; }  // coordinates
  int nv() const { return nv_; }  // velocities: the freedoms of the tree
  int body_count() const { return static_cast<int>(bodies_.size()); }

  std::span<const Body> bodies() const { return bodies_; }
  /// The bodies by their depth in the tree: neighbours in this order seldom depend on each other, so that their work overlaps.
  std::span<const int> by_depth() const { return by_depth_; }
  std::span<const Coordinate> coordinates() const { return coordinates_; }  // one per velocity
  /// The inertia that each velocity moves (M_ii) at a configuration without symmetry: what is small beside it is rounding.
  std::span<const double> inertia_scales() const { return inertia_scales_; }
  /// Velocities that move no mass at all, M_ii = 0, which only files of robots may have (judge_inertias.h); in rising order.
  std::span<const int> idle_velocities() const { return idle_velocities_; }
  bool has_passive_forces() const { return has_passive_forces_; }  // springs, damping or friction in some joint
  std::span<const Frame> frames() const { return frames_; }
  std::span<const ModelCoupling> couplings() const { return couplings_; }
  std::span<const BodyVisual> visuals() const { return visuals_; }
  std::span<const Warning> warnings() const { return warnings_; }

  /// Names, by the index of the body.
  const std::string& joint_name(int body) const { return joint_names_[body]; }
  const std::string& link_name(int body) const { return link_names_[body]; }
  /// The body whose joint has velocity i, and whether that turns (rad/s) or slides (m/s).
  int body_of_velocity(int i) const;
  bool turns(int i) const;
  /// The name of velocity i: the joint's own, with [k] behind it where the joint has several.
  std::string velocity_name(int i) const;
  /// Of all coordinates: "q1", or "base[0]", "base[1]" … of a joint with several.
  std::vector<std::string> coordinate_names() const;

  /// The body that a joint carries; the frame of a name. An Error names the nearest existing one.
  int joint(std::string_view name) const;
  const Frame& frame(std::string_view name) const;

  /// The same tree with more inertia along each velocity: what is added to the diagonal of M, kg·m² or kg.
  Model with_added_inertia(const VecX<>& added) const;

  /// kg; of the moving bodies, and of the links that are fixed to the world.
  double moving_mass() const;
  double fixed_mass() const { return fixed_mass_; }

 private:
  friend class ModelBuilder;
  std::string name_;
  Vec3<> gravity_ = Vec3<>(0, 0, -9.81);
  int nq_ = 0, nv_ = 0;
  double fixed_mass_ = 0;
  std::vector<Body> bodies_;
  std::vector<int> by_depth_;
  std::vector<std::string> joint_names_, link_names_;
  std::vector<Coordinate> coordinates_;
  std::vector<double> inertia_scales_;
  std::vector<int> idle_velocities_;
  bool has_passive_forces_ = false;
  std::vector<Frame> frames_;
  std::vector<ModelCoupling> couplings_;
  std::vector<BodyVisual> visuals_;
  std::vector<Warning> warnings_;
  std::unordered_map<std::string, int> joint_index_, frame_index_;
};

}  // namespace trammel
