#pragma once

#include <array>
#include <vector>

#include "trammel/constraints/coincident.h"
#include "trammel/constraints/paths.h"

namespace trammel {

/// Leads point P of a body along a path p(t), given in the coordinates of a frame F: the world, a frame in it, or one
/// of another body (a seam on a workpiece that moves). Any of F's axes x, y, z may be left free; one row at position
/// level for each of the others. With e the axis, d from F's origin to P, and ω of F's body, it is Coincident with a
/// moving target:
///
///   φ = e · d − p(t)                                                            m
///   φ̇ = e · ḋ + (ω × e) · d − ṗ
///   φ̈ = e · d̈ + 2 (ω × e) · ḋ + (ω̇ × e + ω × (ω × e)) · d − p̈
///
/// so the row is the force e at P and the opposite one, at the same place, on F's body, and b is Coincident's plus p̈.
/// λ > 0 pushes P along e. The row has no singular case of its own; at a path beyond the robot's reach the rows lose
/// rank.
class PointOnPath final : public TemplatedRows<PointOnPath> {
 public:
  using Axes = std::array<bool, 3>;  // which of x, y, z are led

  /// Throws Error unless some axis is led.
  PointOnPath(const BodyPoint& P, VectorPath p_FP, const Frame& F, const Axes& axes = {true, true, true});
  /// In the world.
  PointOnPath(const BodyPoint& P, VectorPath p_WP, const Axes& axes = {true, true, true});
  /// Held at a place of F: an ideal constraint, whose force does no work.
  PointOnPath(const BodyPoint& P, const Vec3<>& p_FP, const Frame& F, const Axes& axes = {true, true, true});

  int rows() const override { return static_cast<int>(led_.size()); }
  std::span<const int> bodies() const override { return target_.bodies(); }
  double row_scale(int) const override { return 1; }
  std::string_view unit(int) const override { return "m"; }
  bool is_catastatic() const override { return !moves_; }
  BodyPoint point_of_force(const Positions<>& where) const override { return target_.point_of_force(where); }
  const BodyPoint& point() const { return target_.point(); }
  /// From where P is to where it should be, axes that are free left as they are: −Σ φ e, along the world's axes, m.
  Vec3<> way_to_path(const Placement<double>& now) const;

  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const;
  template <class Scalar>
  void law(const Placement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    target_.law<Scalar>(now, out);
    const Vec3<Scalar> p = at(path_, now.t);
    for (int k = 0; k < rows(); ++k) out[k] -= p[led_[k]];
  }

 private:
  std::vector<int> led_;  // axes, in order
  Coincident target_;     // of P with F's origin, along these
  VectorPath path_;
  bool moves_ = true;
};

extern template class PositionConstraint<PointOnPath>;  // compiled once, with this kind
extern template class TemplatedRows<PointOnPath>;

}  // namespace trammel
