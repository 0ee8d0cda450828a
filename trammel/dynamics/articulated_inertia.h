#pragma once

#include "trammel/math/inertia.h"

namespace trammel {

/// A symmetric 6×6 inertia by its 21 numbers, about some origin: what a body with free joints behind it shows.
///
///   [ J   H ]      J: 3×3, symmetric, takes ω̇ to the moment
///   [ Hᵀ  M ]      M: 3×3, symmetric, takes v̇ to the force
template <class Scalar>
struct ArticulatedInertia {
  Symmetric3<Scalar> J, M;
  Mat3<Scalar> H;

  ArticulatedInertia() = default;
  explicit ArticulatedInertia(const Inertia<Scalar>& rigid) : J(rigid.about_origin), H(skew(rigid.moment)) {
    M.xx = M.yy = M.zz = rigid.mass;
  }

  Vec6<Scalar> operator*(const Vec6<Scalar>& V) const {
    const Vec3<Scalar> w = V.template head<3>(), v = V.template tail<3>();
    Vec6<Scalar> out;
    out.template head<3>() = J * w + H * v;
    out.template tail<3>() = H.transpose() * w + M * v;
    return out;
  }

  /// Takes u uᵀ away.
  void subtract_square(const Vec6<Scalar>& u) {
    const auto take = [](Symmetric3<Scalar>& A, const Scalar& x, const Scalar& y, const Scalar& z) {
      A.xx -= x * x, A.yy -= y * y, A.zz -= z * z;
      A.xy -= x * y, A.xz -= x * z, A.yz -= y * z;
    };
    take(J, u[0], u[1], u[2]);
    take(M, u[3], u[4], u[5]);
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) H(i, j) -= u[i] * u[3 + j];
  }

  /// Adds another one, whose origin lies at r from this one's. With K = H + [r] M (of the other):
  /// J += J + [r] Hᵀ + K [r]ᵀ,  H += K,  M += M.
  void add_moved(const ArticulatedInertia& o, const Vec3<Scalar>& r) {
    const Scalar x = r.x(), y = r.y(), z = r.z();
    const Symmetric3<Scalar>& m = o.M;
    Mat3<Scalar> K;
    K(0, 0) = o.H(0, 0) + y * m.xz - z * m.xy;
    K(1, 0) = o.H(1, 0) + z * m.xx - x * m.xz;
    K(2, 0) = o.H(2, 0) + x * m.xy - y * m.xx;
    K(0, 1) = o.H(0, 1) + y * m.yz - z * m.yy;
    K(1, 1) = o.H(1, 1) + z * m.xy - x * m.yz;
    K(2, 1) = o.H(2, 1) + x * m.yy - y * m.xy;
    K(0, 2) = o.H(0, 2) + y * m.zz - z * m.yz;
    K(1, 2) = o.H(1, 2) + z * m.xz - x * m.zz;
    K(2, 2) = o.H(2, 2) + x * m.yz - y * m.xz;
    // entry (i, j) of J grows by (r × row j of H)_i + (r × row i of K)_j
    const Mat3<Scalar>& H_o = o.H;
    J.xx += o.J.xx + y * (H_o(0, 2) + K(0, 2)) - z * (H_o(0, 1) + K(0, 1));
    J.yy += o.J.yy + z * (H_o(1, 0) + K(1, 0)) - x * (H_o(1, 2) + K(1, 2));
    J.zz += o.J.zz + x * (H_o(2, 1) + K(2, 1)) - y * (H_o(2, 0) + K(2, 0));
    J.xy += o.J.xy + y * H_o(1, 2) - z * H_o(1, 1) + z * K(0, 0) - x * K(0, 2);
    J.xz += o.J.xz + y * H_o(2, 2) - z * H_o(2, 1) + x * K(0, 1) - y * K(0, 0);
    J.yz += o.J.yz + z * H_o(2, 0) - x * H_o(2, 2) + x * K(1, 1) - y * K(1, 0);
    H += K;
    M = M + m;
  }
};

}  // namespace trammel
