#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trammel/math/spatial.h"

namespace trammel {

/// The kinds of joints, and everything in which they differ: this file and joint.cpp are the only ones that ask for the
/// type. A joint carries the frame M (fixed in the moving body: the body's frame) relative to F (fixed in the parent).
///
///   type         q                    v                          M relative to F
///   fixed        –                    –                          M = F
///   revolute     angle                q̇                          turns about z
///   prismatic    displacement         q̇                          slides along z
///   helical      angle                q̇                          turns about z and advances by pitch·angle along it
///   cylindrical  angle, displacement  q̇                          turns about z and slides along it
///   universal    angle, angle         q̇                          turns about z of F, then about x of M
///   spherical    quaternion w,x,y,z   ω in M                     turns freely
///   planar       x, y, angle          q̇                          moves in the xy plane of F and turns about z
///   floating     p, quaternion        ṗ in F, ω in M             moves freely
///
/// Radians and metres. Axes other than z are brought to z when a model is built (build_model.h).
enum class JointType : std::uint8_t {
  fixed,
  revolute,
  prismatic,
  helical,
  cylindrical,
  universal,
  spherical,
  planar,
  floating
};

/// Numbers of coordinates and of velocities.
struct JointSize {
  int q, v;
};
JointSize size_of(JointType type);

std::string_view name_of(JointType type);

/// Whether velocity i of the joint is an angular one (rad/s) rather than a linear one (m/s).
bool is_angular(JointType type, int i);

/// Whether q̇ = v: every joint without a quaternion.
bool rates_are_velocities(JointType type);

/// Whether velocity i is a component of the angular velocity that drives a quaternion.
bool drives_quaternion(JointType type, int i);

/// Places M for the coordinates q, and gives the motion subspace: column S[i] is the velocity of M relative to F at unit
/// v[i], with M's origin as reference point, all in the axes of the frame W in which F was given.
template <class Scalar>
[[gnu::always_inline]] inline void place_joint(JointType type, double pitch, const Scalar* q, const Pose<Scalar>& X_WF,
                                               Pose<Scalar>& X_WM, Vec6<Scalar>* S) {
  using V3 = Vec3<Scalar>;
  const V3 zero = V3::Zero();
  switch (type) {
    case JointType::fixed:
      X_WM = X_WF;
      return;
    case JointType::revolute: {
      X_WM.R = turned_about_z(X_WF.R, q[0]);
      X_WM.p = X_WF.p;
      S[0] = spatial<Scalar>(X_WF.R.col(2), zero);
      return;
    }
    case JointType::prismatic: {
      X_WM.R = X_WF.R;
      X_WM.p = X_WF.p + X_WF.R.col(2) * q[0];
      S[0] = spatial<Scalar>(zero, X_WF.R.col(2));
      return;
    }
    case JointType::helical: {
      X_WM.R = turned_about_z(X_WF.R, q[0]);
      X_WM.p = X_WF.p + X_WF.R.col(2) * (q[0] * pitch);
      S[0] = spatial<Scalar>(X_WF.R.col(2), X_WF.R.col(2) * Scalar(pitch));
      return;
    }
    case JointType::cylindrical: {
      X_WM.R = turned_about_z(X_WF.R, q[0]);
      X_WM.p = X_WF.p + X_WF.R.col(2) * q[1];
      S[0] = spatial<Scalar>(X_WF.R.col(2), zero);
      S[1] = spatial<Scalar>(zero, X_WF.R.col(2));
      return;
    }
    case JointType::universal: {
      X_WM.R = turned_about_x(turned_about_z(X_WF.R, q[0]), q[1]);
      X_WM.p = X_WF.p;
      S[0] = spatial<Scalar>(X_WF.R.col(2), zero);
      S[1] = spatial<Scalar>(X_WM.R.col(0), zero);
      return;
    }
    case JointType::spherical: {
      X_WM.R = X_WF.R * rotation_from_quaternion<Scalar>({q[0], q[1], q[2], q[3]});
      X_WM.p = X_WF.p;
      for (int i = 0; i < 3; ++i) S[i] = spatial<Scalar>(X_WM.R.col(i), zero);
      return;
    }
    case JointType::planar: {
      X_WM.R = turned_about_z(X_WF.R, q[2]);
      X_WM.p = X_WF.p + X_WF.R.col(0) * q[0] + X_WF.R.col(1) * q[1];
      S[0] = spatial<Scalar>(zero, X_WF.R.col(0));
      S[1] = spatial<Scalar>(zero, X_WF.R.col(1));
      S[2] = spatial<Scalar>(X_WF.R.col(2), zero);
      return;
    }
    case JointType::floating: {
      X_WM.R = X_WF.R * rotation_from_quaternion<Scalar>({q[3], q[4], q[5], q[6]});
      X_WM.p = X_WF * V3(q[0], q[1], q[2]);
      for (int i = 0; i < 3; ++i) {
        S[i] = spatial<Scalar>(zero, X_WF.R.col(i));
        S[3 + i] = spatial<Scalar>(X_WM.R.col(i), zero);
      }
      return;
    }
  }
}

/// Ṡ v as seen from F: the acceleration of M relative to F at v̇ = 0. Only the universal joint has one: its second axis is
/// carried round by the first, ω₁ × ω₂. (A spherical joint's axes turn too, but with ω itself, and ω × ω = 0.)
template <class Scalar>
inline Vec3<Scalar> joint_bias(JointType type, const Vec6<Scalar>* S, const Scalar* v) {
  if (type != JointType::universal) return Vec3<Scalar>::Zero();
  return cross<Scalar>(S[0].template head<3>() * v[0], S[1].template head<3>() * v[1]);
}

/// The coordinates at which M = F.
void set_neutral(JointType type, double* q);

/// q ⊕ step: where the joint stands after moving for unit time at the constant velocity `step`.
/// Quaternions are multiplied by the exponential and normalised. `out` may be q.
void retract(JointType type, const double* q, const double* step, double* out);

/// The step with q0 ⊕ step = q1, angles of quaternions within ±π.
void difference(JointType type, const double* q0, const double* q1, double* step);

/// q̇ = N(q) v.
void coordinate_rates(JointType type, const double* q, const double* v, double* qdot);

/// q̈ = N(q) v̇ + Ṅ v; N is linear in q where it depends on q at all.
void coordinate_accelerations(JointType type, const double* q, const double* v, const double* vdot, double* qddot);

/// Brings quaternions back to unit length. Returns false if one has no direction (zero or not a number).
bool normalize(JointType type, double* q);

}  // namespace trammel
