#pragma once

#include <array>

#include "trammel/constraints/direction_product.h"

namespace trammel {

/// The least rotation vector that turns direction a to b, rad; about any axis across where they are opposite.
Vec3<> turn_from(const Vec3<>& a, const Vec3<>& b);

/// The products u · m and w · m of direction m with two directions u, w across f, fixed in f's body; (u, w, f)
/// right-handed.
std::array<DirectionProduct, 2> products_across(const BodyDirection& f, const BodyDirection& m);
/// The rotation vector from f to m, rad: where both are zero it is zero, or half a turn where m points against f.
Vec3<> turn_between(const std::array<DirectionProduct, 2>& across, const Positions<>& where);

/// Keeps a direction f of body A and a direction m of body B parallel: the axes of a cylindrical joint that closes a
/// loop, a tray that stays level. Two rows at position level (direction_product.h), with u and w across f, fixed in A:
///
///   φ₁ = u · m,   φ₂ = w · m                                  rad, to first order
///   φ̇₁ = (ω_B − ω_A) · (m × u)
///   φ̈₁ = ü · m + 2 u̇ · ṁ + u · m̈                              ü = ω̇_A × u + ω_A × (ω_A × u), m̈ likewise
///
/// so the rows are the moments m × u and m × w on B (w and −u where the directions agree) and the opposite ones on A,
/// and b is −φ̈ at v̇ = 0. λ > 0 turns m towards u or w. The rows are regular wherever they hold. They hold as well
/// where m points against f (f · m = −1): misalignment() tells that.
class Aligned final : public TemplatedRows<Aligned> {
 public:
  /// Length in m/rad (row_scale). Throws Error unless f and m have directions.
  Aligned(const BodyDirection& f, const BodyDirection& m, double length = 1);

  int rows() const override { return 2; }
  std::span<const int> bodies() const override { return touched_.bodies(); }
  double row_scale(int) const override { return length_; }
  std::string_view unit(int) const override { return "rad"; }
  BodyPoint point_of_force(const Positions<>&) const override { return origin_of_moved(products_[0]); }
  bool is_catastatic() const override { return true; }
  Vec3<> misalignment(const Placement<double>& now) const override { return turn_between(products_, now.where); }

  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const;
  template <class Scalar>
  void law(const Placement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    for (int k = 0; k < 2; ++k) out[k] = products_[k].value(now.where);
  }

 private:
  std::array<DirectionProduct, 2> products_;
  double length_;
  BodyList touched_;
};

extern template class PositionConstraint<Aligned>;  // compiled once, with this kind
extern template class TemplatedRows<Aligned>;

}  // namespace trammel
