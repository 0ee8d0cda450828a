#pragma once

#include "poses.h"

/// Most engines give the velocity of a floating body in the body's own axes, mechanism.h its linear part along those of F:
///
///   v_M = Rᵀ ṗ        v̇_M = Rᵀ p̈ − ω × v_M        f_M = Rᵀ f
namespace peers {

template <class Change>
void for_each_floating(const Mechanism& mechanism, const State& s, std::vector<double>& x, Change&& change) {
  for (const Body& body : mechanism.bodies) {
    if (body.joint != JointKind::floating) continue;
    const Pose X = joint_pose(body.joint, s.q.data() + body.q);
    const auto at = x.begin() + body.v;
    const auto velocity = s.v.begin() + body.v;
    const Vector3 v_M = rotate_back(X, {velocity[0], velocity[1], velocity[2]});
    const Vector3 changed =
        change(X, Vector3{at[0], at[1], at[2]}, cross({velocity[3], velocity[4], velocity[5]}, v_M));
    std::copy(changed.begin(), changed.end(), at);
  }
}

/// Velocities or forces along the axes of M, and back.
inline std::vector<double> in_body(const Mechanism& mechanism, const State& s, std::vector<double> x) {
  for_each_floating(mechanism, s, x, [](const Pose& X, const Vector3& a, const Vector3&) { return rotate_back(X, a); });
  return x;
}
inline std::vector<double> out_of_body(const Mechanism& mechanism, const State& s, std::vector<double> x) {
  for_each_floating(mechanism, s, x, [](const Pose& X, const Vector3& a, const Vector3&) { return rotate(X, a); });
  return x;
}

/// The same for accelerations.
inline std::vector<double> accelerations_in_body(const Mechanism& mechanism, const State& s, std::vector<double> x) {
  for_each_floating(mechanism, s, x,
                    [](const Pose& X, const Vector3& a, const Vector3& wv) { return rotate_back(X, a) - wv; });
  return x;
}
inline std::vector<double> accelerations_out_of_body(const Mechanism& mechanism, const State& s,
                                                     std::vector<double> x) {
  for_each_floating(mechanism, s, x,
                    [](const Pose& X, const Vector3& a, const Vector3& wv) { return rotate(X, a + wv); });
  return x;
}

}  // namespace peers
