#pragma once

#include <algorithm>
#include <cmath>

#include "mechanism.h"

/// Where the bodies of a mechanism stand, in plain numbers: one ruler for the violations of every engine, and the
/// rearrangement of frames that some of them ask for.
namespace peers {

inline Vector3 rotate(const Pose& X, const Vector3& a) {
  Vector3 out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = X.R[3 * i] * a[0] + X.R[3 * i + 1] * a[1] + X.R[3 * i + 2] * a[2];
  return out;
}

inline Vector3 rotate_back(const Pose& X, const Vector3& a) {
  Vector3 out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = X.R[i] * a[0] + X.R[3 + i] * a[1] + X.R[6 + i] * a[2];
  return out;
}

inline Vector3 operator+(const Vector3& a, const Vector3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vector3 operator-(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline Pose operator*(const Pose& X, const Pose& Y) {
  Pose out;
  for (std::size_t j = 0; j < 3; ++j) {
    const Vector3 column = rotate(X, {Y.R[j], Y.R[3 + j], Y.R[6 + j]});
    for (std::size_t i = 0; i < 3; ++i) out.R[3 * i + j] = column[i];
  }
  out.p = rotate(X, Y.p) + X.p;
  return out;
}

inline Pose about_z(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {{c, -s, 0, s, c, 0, 0, 0, 1}, {}};
}

inline Pose about_x(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {{1, 0, 0, 0, c, -s, 0, s, c}, {}};
}

inline Pose from_quaternion(double w, double x, double y, double z) {
  return {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),  //
           2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),  //
           2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
          {}};
}

/// M relative to F.
inline Pose joint_pose(JointKind kind, const double* q) {
  switch (kind) {
    case JointKind::turning:
      return about_z(q[0]);
    case JointKind::sliding:
      return {Pose{}.R, {0, 0, q[0]}};
    case JointKind::universal:
      return about_z(q[0]) * about_x(q[1]);
    default: {
      Pose X = from_quaternion(q[3], q[4], q[5], q[6]);
      X.p = {q[0], q[1], q[2]};
      return X;
    }
  }
}

/// How far the closures are open: the largest distance of origins that should meet along the directions that are held, m.
inline double opening(const Mechanism& mechanism, const double* q) {
  std::vector<Pose> at(mechanism.bodies.size());
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Body& body = mechanism.bodies[i];
    const Pose X = body.at * joint_pose(body.joint, q + body.q);
    at[i] = body.parent < 0 ? X : at[static_cast<std::size_t>(body.parent)] * X;
  }
  const auto place = [&](int body, const Vector3& p) {
    if (body < 0) return p;
    const Pose& X = at[static_cast<std::size_t>(body)];
    return rotate(X, p) + X.p;
  };
  double worst = 0;
  for (const Closure& c : mechanism.closures) {
    const Vector3 d = place(c.body_B, c.B.p) - place(c.body_A, c.A.p);
    const bool planar = c.kind == ClosureKind::in_plane;
    worst = std::max(worst, std::hypot(d[0], d[1], planar ? 0 : d[2]));
  }
  return worst;
}

/// Two points of the axis of a hinge, 0.1 m apart: held together they make one, for engines that know points only.
inline std::vector<Closure> as_points_and_poses(const std::vector<Closure>& closures) {
  std::vector<Closure> out;
  for (Closure c : closures) {
    const bool hinge = c.kind == ClosureKind::hinge;
    if (c.kind != ClosureKind::pose) c.kind = ClosureKind::point;
    out.push_back(c);
    if (!hinge) continue;
    for (Pose* X : {&c.A, &c.B}) X->p = X->p + rotate(*X, {0, 0, 0.1});
    out.push_back(c);
  }
  return out;
}

}  // namespace peers
