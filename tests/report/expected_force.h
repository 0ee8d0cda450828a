#pragma once

#include <functional>
#include <string_view>

#include "trammel/model/positions.h"

namespace trammel::test {

/// The force of a constraint as it follows from its definition: where it acts, on which body, and what it is for given λ. Computed from
/// frames and directions alone, so that it shares no code with the constraint's rows.
struct ExpectedForce {
  struct Wrench {
    Vec3<> p = Vec3<>::Zero(), force = Vec3<>::Zero(), moment = Vec3<>::Zero();  // m, N, N·m, along the world's axes
  };
  struct Now {
    const Positions<>& where;
    VecX<> lambda;  // of this constraint
    VecX<> inputs;
  };

  std::string name;
  int body;
  std::function<Wrench(const Now&)> at;
};

namespace by_hand {

using Wrench = ExpectedForce::Wrench;
using Now = ExpectedForce::Now;

/// Two directions across the unit vector z, and z, right-handed: the first is e × z with e the coordinate axis least along z; where z is
/// along a coordinate axis, the next coordinate axis.
inline Mat3<> across(const Vec3<>& z) {
  Mat3<> out;
  out.col(2) = z;
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(z[i]) < std::abs(z[least])) least = i;
  out.col(0) = cross<double>(Vec3<>::Unit(least), z).normalized();
  for (int i = 0; i < 3; ++i)
    if (std::abs(z[i]) == 1) out.col(0) = Vec3<>::Unit((i + 1) % 3);
  out.col(1) = cross<double>(z, out.col(0));
  return out;
}

/// On the body of M; the opposite, on that of F, where M does not move.
inline ExpectedForce between(const std::string& name, const Frame& F, const Frame& M,
                             std::function<Wrench(const Now&)> on_M) {
  if (M.body != world) return {name, M.body, std::move(on_M)};
  return {name, F.body, [on_M](const Now& now) {
            const Wrench wrench = on_M(now);
            return Wrench{wrench.p, -wrench.force, -wrench.moment};
          }};
}

/// Σ λ_k e_k of the first rows, along some columns of R.
inline Vec3<> pushed_along(const Mat3<>& R, std::string_view axes, const VecX<>& lambda) {
  Vec3<> out = Vec3<>::Zero();
  for (std::size_t k = 0; k < axes.size(); ++k) out += lambda[static_cast<int>(k)] * R.col(axes[k] - 'x');
  return out;
}

/// Rows along axes of the world: coincide, and a point that is led in the world.
inline ExpectedForce along_world(const std::string& name, const Frame& F, const Frame& M, std::string_view axes) {
  return between(name, F, M, [F, M, axes = std::string(axes)](const Now& now) {
    return Wrench{now.where.pose(M.body == world ? F : M).p, pushed_along(Mat3<>::Identity(), axes, now.lambda)};
  });
}

/// Rows along axes of frame F: a point that is led there.
inline ExpectedForce along_frame(const std::string& name, const Frame& F, const Frame& M, std::string_view axes) {
  return between(name, F, M, [F, M, axes = std::string(axes)](const Now& now) {
    return Wrench{now.where.pose(M).p, pushed_along(now.where.pose(F).R, axes, now.lambda)};
  });
}

/// Of the last three rows of a weld; T is the rotation that M is to have.
inline Vec3<> welding_moment(const Mat3<>& T, const Mat3<>& M, const VecX<>& lambda) {
  const auto own = lambda.tail<3>();
  return own[0] * cross<double>(M.col(1), T.col(2)) + own[1] * cross<double>(M.col(2), T.col(0)) +
         own[2] * cross<double>(M.col(0), T.col(1));
}

inline ExpectedForce weld(const std::string& name, const Frame& F, const Frame& M, std::string_view axes = "xyz") {
  return between(name, F, M, [F, M, axes = std::string(axes)](const Now& now) {
    return Wrench{now.where.pose(M).p, pushed_along(now.where.pose(F).R, axes, now.lambda),
                  welding_moment(now.where.pose(F).R, now.where.pose(M).R, now.lambda)};
  });
}

/// Two rows that keep a direction m along the third of three directions u, w, f: moments m × u and m × w.
inline Vec3<> aligning_moment(const Mat3<>& uwf, const Vec3<>& m, const VecX<>& lambda) {
  const auto own = lambda.tail<2>();
  return own[0] * cross<double>(m, uwf.col(0)) + own[1] * cross<double>(m, uwf.col(1));
}

inline ExpectedForce hinge(const std::string& name, const Frame& F, const Frame& M) {
  return between(name, F, M, [F, M](const Now& now) {
    return Wrench{now.where.pose(M).p, pushed_along(now.where.pose(F).R, "xyz", now.lambda),
                  aligning_moment(now.where.pose(F).R, now.where.pose(M).R.col(2), now.lambda)};
  });
}

inline ExpectedForce aligned(const std::string& name, int A, const Vec3<>& f_A, int B, const Vec3<>& m_B) {
  return between(name, {"", A, {}}, {"", B, {}}, [=](const Now& now) {
    return Wrench{now.where.pose(B == world ? A : B, {}).p, Vec3<>::Zero(),
                  aligning_moment(now.where.pose(A, {}).R * across(f_A), now.where.pose(B, {}).R * m_B, now.lambda)};
  });
}

/// At M, which is to be oriented like T.
inline ExpectedForce orientation(const std::string& name, const Frame& M, const Mat3<>& T) {
  return {name, M.body, [=](const Now& now) {
            return Wrench{now.where.pose(M).p, Vec3<>::Zero(), welding_moment(T, now.where.pose(M).R, now.lambda)};
          }};
}

/// Along the line from F to M: a rod, or a point on a sphere about F.
inline ExpectedForce distance(const std::string& name, const Frame& F, const Frame& M) {
  return between(name, F, M, [F, M](const Now& now) {
    const Vec3<> from = now.where.pose(F).p, to = now.where.pose(M).p;
    return Wrench{M.body == world ? from : to, now.lambda[0] * (to - from).normalized()};
  });
}

/// Along a direction that is fixed to a body: the side of a blade, the normal of a plane.
inline ExpectedForce along(const std::string& name, const Frame& P, int body, const Vec3<>& d_B) {
  return {name, P.body, [=](const Now& now) {
            return Wrench{now.where.pose(P).p, now.lambda[0] * (now.where.pose(body, {}).R * d_B)};
          }};
}

/// Across a line.
inline ExpectedForce on_line(const std::string& name, const Frame& P, int body, const Vec3<>& a_B) {
  return {name, P.body, [=](const Now& now) {
            const Mat3<> uwa = now.where.pose(body, {}).R * across(a_B);
            return Wrench{now.where.pose(P).p, now.lambda[0] * uwa.col(0) + now.lambda[1] * uwa.col(1)};
          }};
}

/// Away from an axis.
inline ExpectedForce on_cylinder(const std::string& name, const Frame& P, const Frame& O, const Vec3<>& a_B) {
  return {name, P.body, [=](const Now& now) {
            const Vec3<> a = now.where.pose(O.body, {}).R * a_B, d = now.where.pose(P).p - now.where.pose(O).p;
            return Wrench{now.where.pose(P).p, now.lambda[0] * (d - a.dot(d) * a).normalized()};
          }};
}

/// At the lowest point of a wheel about S: normal force, and two across the normal. A sphere has rim 0, a disc tyre 0.
inline ExpectedForce rolls(const std::string& name, const Frame& S, const Vec3<>& a_B, double rim, double tyre,
                           int ground, const Vec3<>& n_C) {
  return {name, S.body, [=](const Now& now) {
            const Mat3<> R_WC = now.where.pose(ground, {}).R, across_n = R_WC * across(n_C);
            const Vec3<> n = R_WC * n_C, a = now.where.pose(S.body, {}).R * a_B;
            const Vec3<> steepest = (n - n.dot(a) * a).normalized();
            Wrench out{now.where.pose(S).p - tyre * n};
            if (rim > 0) out.p -= rim * steepest;
            out.force = now.lambda[0] * n + now.lambda[1] * across_n.col(0) + now.lambda[2] * across_n.col(1);
            return out;
          }};
}

}  // namespace by_hand
}  // namespace trammel::test
