#pragma once

#include "trammel/constraints/body_point.h"

namespace trammel {

/// Keeps points P and S of two bodies a fixed distance L apart: a massless rod with a ball at each end.
/// One row at position level. With d = p_S − p_P and n = d/|d|,
///
///   φ  = |d| − L                                     m
///   φ̇  = n · ḋ                                       m/s
///   φ̈  = n · d̈ + (|ḋ|² − φ̇²)/|d|                     m/s²
///
/// so the row is the force n at S and −n at P, and b = −n · (abias_S − abias_P) − (|ḋ|² − φ̇²)/|d|. λ > 0 pushes P and S
/// apart (the rod is under pressure). n has no value where P meets S: use Coincident for L = 0.
class Distance final : public TemplatedRows<Distance> {
 public:
  Distance(const BodyPoint& P, const BodyPoint& S, double length);  // m; throws Error unless length > 0

  int rows() const override { return 1; }
  std::span<const int> bodies() const override { return touched_.bodies(); }
  double row_scale(int) const override { return 1; }
  std::string_view unit(int) const override { return "m"; }
  BodyPoint point_of_force(const Positions<>&) const override { return shown_point(P_, S_); }
  bool is_catastatic() const override { return true; }
  const BodyPoint& first() const { return P_; }
  const BodyPoint& second() const { return S_; }

  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const;
  template <class Scalar>
  void law(const Placement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    const Vec3<Scalar> d = S_.position(now.where) - P_.position(now.where);
    out[0] = d.norm() - length_;
  }

 private:
  BodyPoint P_, S_;
  double length_;
  BodyList touched_;
};

extern template class PositionConstraint<Distance>;  // compiled once, with this kind
extern template class TemplatedRows<Distance>;

}  // namespace trammel
