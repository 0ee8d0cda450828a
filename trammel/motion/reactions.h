#pragma once

#include "trammel/motion/data.h"

namespace trammel {

/// A force and its moment about the point at which it acts, on a body.
struct WrenchAtPoint {
  int body = world;
  Vec3<> p_W = Vec3<>::Zero();     // m
  Vec3<> force = Vec3<>::Zero();   // N, along the world's axes
  Vec3<> moment = Vec3<>::Zero();  // N·m, likewise
};

/// Of constraint i of a row set, with the multipliers of all rows: what it puts on the body of its point of force
/// (Constraint::point_of_force). Nothing, on the world, where it acts on joints alone. The rows are those of data.blocks.
WrenchAtPoint wrench_at_point(const Data& data, const RowSet& set, int i, const Eigen::Ref<const VecX<>>& lambda);

/// The reactions in the joints: the wrench that the guides of joint i put on its outer body i, [n; f] about the body's origin, along the
/// world's axes. With a the bodies' accelerations and F what acts on them from outside (forces, constraints, their friction), Newton's
/// law says what the joint as a whole passes on to the body and to those that it carries,
///
///   wᵢ = Σ over j from i outward (Iⱼ aⱼ + biasⱼ − Fⱼ),            about the origin of i
///   rᵢ = wᵢ − Σ_c T_c (S_c · wᵢ)                                   S_c: column of velocity c,  T_c: unit torque or force along it
///
/// Along its freedoms a joint passes on what its motor, spring, damper and friction do, which is not the load of a bearing: S_c · rᵢ = 0.
class Reactions {
 public:
  explicit Reactions(const Model& model);

  /// At the placed state, with accelerations v̇ and multipliers λ of the rows of a set, evaluated there.
  void compute(const Data& data, const RowSet& set, const VecX<>& vdot, const Eigen::Ref<const VecX<>>& lambda);

  std::span<const Vec6<>> all() const { return reaction_; }
  std::span<Vec6<>> all() { return reaction_; }

 private:
  WorldInertias<> inertias_;
  std::vector<Vec6<>> acceleration_, external_, reaction_;
  VecX<> tau_;
};

/// wᵢ of wrenches Fᵢ on the bodies, in place: each passes on what it feels and what those outward of it pass on to it.
void pass_inward(const Model& model, const Positions<>& where, std::span<Vec6<>> wrenches);

/// rᵢ of wᵢ.
Vec6<> along_guides(const Model& model, const Positions<>& where, int body, const Vec6<>& wrench);

}  // namespace trammel
