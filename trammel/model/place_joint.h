#pragma once

#include "trammel/math/packed_pose.h"
#include "trammel/model/joint.h"

namespace trammel {

/// Places M for the coordinates q, and gives the motion subspace: column S[i] is the velocity of M relative to F at unit
/// v[i], with M's origin as reference point, all in the axes of the frame W in which F was given. `turns` has the sines and
/// cosines of q.
template <class Scalar>
[[gnu::always_inline]] inline PackedPose<Scalar> place_joint(JointType type, double pitch, const Scalar* q,
                                                             const SinCosAt<Scalar>& turns, const PackedPose<Scalar>& F,
                                                             Vec6<Scalar>* S) {
  using V3 = Packed<Scalar>;
  const V3 zero = V3::zero();
  const auto turn = [&](int i, const V3& axis) { Spatial<V3>{axis, zero}.store(S[i]); };
  const auto slide = [&](int i, const V3& axis) { Spatial<V3>{zero, axis}.store(S[i]); };
  switch (type) {
    case JointType::revolute:
      turn(0, F.R.z);
      return {turned_about_z(F.R, turns[0]), F.p};
    case JointType::prismatic:
      slide(0, F.R.z);
      return {F.R, F.p + F.R.z * q[0]};
    case JointType::helical:
      Spatial<V3>{F.R.z, F.R.z * pitch}.store(S[0]);
      return {turned_about_z(F.R, turns[0]), F.p + F.R.z * (q[0] * pitch)};
    case JointType::cylindrical:
      turn(0, F.R.z);
      slide(1, F.R.z);
      return {turned_about_z(F.R, turns[0]), F.p + F.R.z * q[1]};
    case JointType::universal: {
      const Columns<V3> R = turned_about_x(turned_about_z(F.R, turns[0]), turns[1]);
      turn(0, F.R.z);
      turn(1, R.x);
      return {R, F.p};
    }
    case JointType::spherical: {
      const Columns<V3> R = F.R * Columns<V3>::of(rotation_from_quaternion<Scalar>({q[0], q[1], q[2], q[3]}));
      turn(0, R.x), turn(1, R.y), turn(2, R.z);
      return {R, F.p};
    }
    case JointType::planar:
      slide(0, F.R.x), slide(1, F.R.y), turn(2, F.R.z);
      return {turned_about_z(F.R, turns[2]), F.p + F.R.x * q[0] + F.R.y * q[1]};
    case JointType::floating: {
      const Columns<V3> R = F.R * Columns<V3>::of(rotation_from_quaternion<Scalar>({q[3], q[4], q[5], q[6]}));
      slide(0, F.R.x), slide(1, F.R.y), slide(2, F.R.z);
      turn(3, R.x), turn(4, R.y), turn(5, R.z);
      return {R, F.p + F.R * V3(q[0], q[1], q[2])};
    }
    case JointType::fixed:
      break;
  }
  return F;
}

/// The same for a joint alone.
template <class Scalar>
void place_joint(JointType type, double pitch, const Scalar* q, const Pose<Scalar>& X_WF, Pose<Scalar>& X_WM,
                 Vec6<Scalar>* S) {
  Scalar sin[7], cos[7];
  for (int i = 0; i < size_of(type).q; ++i) {
    const SinCos<Scalar> turn = sin_cos(q[i]);
    sin[i] = turn.sin, cos[i] = turn.cos;
  }
  place_joint<Scalar>(type, pitch, q, {sin, cos}, PackedPose<Scalar>::of(X_WF), S).store(X_WM);
}

/// Ṡ v as seen from F: the acceleration of M relative to F at v̇ = 0. Only the universal joint has one: its second axis is
/// carried round by the first, ω₁ × ω₂. (A spherical joint's axes turn too, but with ω itself, and ω × ω = 0.)
template <class Scalar>
inline Vec3<Scalar> joint_bias(JointType type, const Vec6<Scalar>* S, const Scalar* v) {
  if (type != JointType::universal) return Vec3<Scalar>::Zero();
  return cross<Scalar>(S[0].template head<3>() * v[0], S[1].template head<3>() * v[1]);
}

}  // namespace trammel
