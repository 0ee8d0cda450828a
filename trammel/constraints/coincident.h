#pragma once

#include "trammel/constraints/body_point.h"

namespace trammel {

/// Keeps point S of one body on point P of another, along some directions that are fixed in a body C or in the world:
/// all three axes for a ball joint, x and y for a loop that is closed in its plane, one for a point in a slot.
/// One row for each direction e, at position level. With d = p_S − p_P and ω of body C,
///
///   φ  = e · d                                                   m
///   φ̇  = e · ḋ + (ω × e) · d
///   φ̈  = e · d̈ + 2 (ω × e) · ḋ + (ω̇ × e + ω × (ω × e)) · d
///
/// so the row is the force e at S, −e at P and the moment e × d on C (which vanishes where the points meet), and
/// b = −e · (abias_S − abias_P) − 2 (ω × e) · ḋ − (ω̇_bias × e + ω × (ω × e)) · d. λ > 0 pushes S along e.
class Coincident : public TemplatedRows<Coincident> {
 public:
  /// Along the columns of `axes_C` (unit vectors, in C's frame). Throws Error unless there are one to three of them.
  Coincident(const BodyPoint& P, const BodyPoint& S, int C, const Eigen::Matrix<double, 3, Eigen::Dynamic>& axes_C);
  /// Along all three axes of the world.
  Coincident(const BodyPoint& P, const BodyPoint& S) : Coincident(P, S, world, Mat3<>::Identity()) {}

  int rows() const override { return rows_; }
  std::span<const int> bodies() const override { return touched_.bodies(); }
  double row_scale(int) const override { return 1; }
  std::string_view unit(int) const override { return "m"; }
  /// With directions of P's body, S touches something there, say a plane; with others each body is pushed at its own point.
  BodyPoint point_of_force(const Positions<>& where) const override {
    return C_ == P_.body ? shown_contact(P_, S_, where) : shown_point(P_, S_);
  }
  bool is_catastatic() const override { return true; }
  const BodyPoint& point() const { return S_; }
  /// The direction of row k, along the world's axes.
  template <class Scalar>
  Vec3<Scalar> axis(const Positions<Scalar>& where, int k) const {
    return BodyDirection{C_, axes_.col(k)}.direction(where);
  }

  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const;
  template <class Scalar>
  void law(const Placement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    const Vec3<Scalar> d = S_.position(now.where) - P_.position(now.where);
    for (int k = 0; k < rows(); ++k) out[k] = axis<Scalar>(now.where, k).dot(d);
  }

 private:
  BodyPoint P_, S_;
  int C_, rows_;
  Eigen::Matrix<double, 3, 4, Eigen::RowMajor> axes_;  // filled up with zeros
  BodyList touched_;
};

extern template class PositionConstraint<Coincident>;  // compiled once, with this kind
extern template class TemplatedRows<Coincident>;

}  // namespace trammel
