#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace trammel {

/// The kinds of joints, and everything in which they differ: this file, joint.cpp and place_joint.h are the only ones that ask for
/// the type. A joint carries the frame M (fixed in the moving body: the body's frame) relative to F (fixed in the parent).
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

/// All types, those that move first: readers, messages and tests go by this list.
std::span<const JointType> joint_types();

/// How many axes the author gives: z of the joint, then its x.
int axis_count(JointType type);

/// Whether velocity i of the joint is an angular one (rad/s) rather than a linear one (m/s).
bool is_angular(JointType type, int i);

/// Whether the joint only turns about the body's origin: its columns have no linear part.
bool only_turns(JointType type);
/// Whether it only slides: its columns have no angular part.
bool only_slides(JointType type);

/// Whether q̇ = v: every joint without a quaternion.
bool rates_are_velocities(JointType type);

/// Whether velocity i is a component of the angular velocity that drives a quaternion.
bool drives_quaternion(JointType type, int i);

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
