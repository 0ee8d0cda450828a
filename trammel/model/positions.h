#pragma once

#include <vector>

#include "trammel/math/sin_cos_table.h"
#include "trammel/model/model.h"

namespace trammel {

/// Where a body stands, in the world.
template <class Scalar = double>
struct BodyPosition {
  Pose<Scalar> X_WB;
  Vec3<Scalar> r;  // from the parent's origin to this one, along the world's axes
};

/// Where every body of a model stands at a configuration q, and how it can move from there: column S[i] is the velocity
/// [ω; v] of the body of velocity i relative to its parent at unit v[i], about the body's origin, along the world's axes.
/// Sized once for a model, then filled by positions() as often as needed.
template <class Scalar = double>
struct Positions {
  explicit Positions(const Model& model) : bodies(model.body_count()), S(model.nv()), turns(model.nq()) {}

  std::vector<BodyPosition<Scalar>> bodies;
  std::vector<Vec6<Scalar>> S;
  SinCosTable<Scalar> turns;  // of every coordinate; meaningless where it is no angle

  /// The pose in the world of a frame that stands at X_BF on a body (or on the world).
  Pose<Scalar> pose(int body, const Pose<>& X_BF) const {
    const Pose<Scalar> X = X_BF.cast<Scalar>();
    return body == world ? X : bodies[body].X_WB * X;
  }
  Pose<Scalar> pose(const Frame& frame) const { return pose(frame.body, frame.X_BF); }
};

/// Outward from the world: X_WB = X_WP X_PF X_FM(q). q has the model's size; quaternions in it have unit length.
/// Instantiated for double, Jet, and lanes of states.
template <class Scalar>
void positions(const Model& model, const VecX<Scalar>& q, Positions<Scalar>& out);

}  // namespace trammel
