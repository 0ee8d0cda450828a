#include "trammel/constraints/point_on_path.h"

#include "trammel/constraints/checks.h"
#include "trammel/constraints/templated_rows.h"

namespace trammel {
namespace {

std::vector<int> led_axes(const PointOnPath::Axes& axes) {
  std::vector<int> led;
  for (int i = 0; i < 3; ++i)
    if (axes[i]) led.push_back(i);
  if (led.empty()) throw Error("a path that leads no axis", "one to three of x, y, z");
  return led;
}

}  // namespace

PointOnPath::PointOnPath(const BodyPoint& P, VectorPath p_FP, const Frame& F, const Axes& axes)
    : led_(led_axes(axes)),
      target_(BodyPoint(F), P, F.body, F.X_BF.R(Eigen::all, led_)),
      path_(checked_path(std::move(p_FP), "the path of a point")) {}

PointOnPath::PointOnPath(const BodyPoint& P, VectorPath p_WP, const Axes& axes)
    : PointOnPath(P, std::move(p_WP), Frame{"world", world, {}}, axes) {}

PointOnPath::PointOnPath(const BodyPoint& P, const Vec3<>& p_FP, const Frame& F, const Axes& axes)
    : PointOnPath(
          P, [p = Vec3<Jet>(p_FP.cast<Jet>())](const Jet&) { return p; }, F, axes) {
  moves_ = false;
}

template <class Scalar>
void PointOnPath::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  target_.fill_rows(now, out);
  const Vec3<Jet> p = moving(path_, now.t);
  for (int k = 0; k < rows(); ++k) {
    out.phi[k] -= p[led_[k]].x;
    out.rate[k] -= p[led_[k]].dx;
    out.b[k] += p[led_[k]].ddx;
  }
}

Vec3<> PointOnPath::way_to_path(const Placement<double>& now) const {
  VecX<> phi(rows());
  law<double>(now, phi);
  Vec3<> out = Vec3<>::Zero();
  for (int k = 0; k < rows(); ++k) out -= phi[k] * target_.axis<double>(now.where, k);
  return out;
}

template class PositionConstraint<PointOnPath>;
TRAMMEL_COMPILE_ROWS(PointOnPath);

}  // namespace trammel
