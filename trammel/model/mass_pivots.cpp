#include "trammel/model/mass_pivots.h"

#include <algorithm>
#include <cmath>

#include "trammel/model/positions.h"

namespace trammel {
namespace {

// An inertia, as a matrix that takes [ω; v] to [angular; linear] momentum, about an origin from which the old one lies at r.
Mat6<> seen_from(const Mat6<>& I, const Vec3<>& r) {
  Mat6<> X = Mat6<>::Identity();  // the velocity of the old origin by that of the new one: v_old = v − r × ω
  X.bottomLeftCorner<3, 3>() = -skew(r);
  return X.transpose() * I * X;
}

}  // namespace

std::optional<int> indefinite_joint(const Model& model, const VecX<>& q) {
  Positions<> where(model);
  positions<double>(model, q, where);
  std::vector<Mat6<>> I_A(model.body_count());
  for (int i = 0; i < model.body_count(); ++i)
    I_A[i] = model.bodies()[i].inertia.rotated(where.bodies[i].X_WB.R).matrix();
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const Body& body = model.bodies()[i];
    for (int c = body.v + body.nv - 1; c >= body.v; --c) {
      if (std::ranges::binary_search(model.idle_velocities(), c)) continue;
      const Vec6<> U = I_A[i] * where.S[c];
      const double D = where.S[c].dot(U) + model.coordinates()[c].rotor_inertia;
      if (!(D > 1e-12 * std::abs(model.inertia_scales()[c]))) return i;
      I_A[i] -= U * U.transpose() / D;
    }
    if (body.parent != world) I_A[body.parent] += seen_from(I_A[i], where.bodies[i].r);
  }
  return std::nullopt;
}

}  // namespace trammel
