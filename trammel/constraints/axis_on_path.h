#pragma once

#include <array>

#include "trammel/constraints/paths.h"

namespace trammel {

/// Keeps a direction m of a body along a given direction n(t), and lets the body turn about it: a drill that stays
/// normal to a surface, a lamp that follows a beam. Two rows at position level, with u and w across m, fixed in the
/// body, and n of unit length:
///
///   φ₁ = u · n,   φ₂ = w · n                                  rad, to first order
///   φ̇₁ = ω · (u × n) + u · ṅ
///   φ̈₁ = ü · n + 2 u̇ · ṅ + u · n̈                              ü = ω̇ × u + ω × (ω × u)
///
/// so the rows are the moments u × n and w × n on the body (−w and u where m is along n), and b is −φ̈ at v̇ = 0. λ > 0
/// turns u or w towards n. n(t) may have any length but zero, where it has no direction and the rows are not-a-number.
/// The rows hold as well where m points against n: misalignment() tells that.
class AxisOnPath final : public TemplatedRows<AxisOnPath> {
 public:
  /// n in the world; length in m/rad (row_scale). Throws Error unless m has a direction.
  AxisOnPath(const BodyDirection& m, VectorPath n, double length = 1);

  int rows() const override { return 2; }
  std::span<const int> bodies() const override { return {&across_[0].body, 1}; }
  double row_scale(int) const override { return length_; }
  std::string_view unit(int) const override { return "rad"; }
  Vec3<> misalignment(const Placement<double>& now) const override;

  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const;
  template <class Scalar>
  void law(const Placement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    const Vec3<Scalar> n = at(path_, now.t);
    for (int k = 0; k < 2; ++k) out[k] = across_[k].direction(now.where).dot(n) / n.norm();
  }

 private:
  std::array<BodyDirection, 2> across_;  // u, w
  VectorPath path_;
  double length_;
};

extern template class PositionConstraint<AxisOnPath>;  // compiled once, with this kind
extern template class TemplatedRows<AxisOnPath>;

}  // namespace trammel
