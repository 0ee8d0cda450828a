#pragma once

#include <vector>

#include "trammel/constraints/paths.h"

namespace trammel {

/// Couples joint coordinates linearly: gears, mimic joints, a tool that keeps its heading (q₁ + q₂ + q₃ = 0), a joint
/// that follows a given motion. One row at position level,
///
///   φ = Σ cᵢ qᵢ − d(t)          in the unit of d
///   φ̇ = Σ cᵢ vᵢ − ḋ
///   φ̈ = Σ cᵢ v̇ᵢ − d̈
///
/// so the row is the coefficients cᵢ on the velocities, and b = d̈. λ > 0 drives each joint along cᵢ. Only coordinates
/// whose rate is a velocity can be coupled (q̇ᵢ = vᵢ), not the components of a quaternion: use OrientationOnPath or
/// Aligned there. The row has no singular case.
class JointCoupling final : public TemplatedRows<JointCoupling> {
 public:
  struct Term {
    int q;               // index in q
    double coefficient;  // unit of d per unit of the coordinate
  };

  /// Length in metres per unit of φ (row_scale). Throws Error unless there are terms, each of another coordinate with
  /// q̇ = v and with a coefficient that is not zero.
  JointCoupling(const Model& model, std::vector<Term> terms, double d, double length = 1);
  JointCoupling(const Model& model, std::vector<Term> terms, ScalarPath d, double length = 1);
  /// q = multiplier·source + offset, as a model file couples joints.
  JointCoupling(const Model& model, const ModelCoupling& mimic);

  int rows() const override { return 1; }
  std::span<const int> bodies() const override { return {}; }
  std::span<const int> velocities() const override { return velocities_; }
  double row_scale(int) const override { return length_; }
  std::string_view unit(int) const override { return unit_; }
  bool is_catastatic() const override { return !moves_; }

  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const;
  template <class Scalar>
  void law(const Placement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const {
    out[0] = -at(d_, now.t);
    for (const Term& term : terms_) out[0] += now.q[term.q] * term.coefficient;
  }

 private:
  std::vector<Term> terms_;
  std::vector<int> velocities_;  // of the terms, in their order
  ScalarPath d_;
  bool moves_ = true;  // whether d is a path
  double length_;
  std::string_view unit_;  // of its coordinates, where they have but one
};

extern template class PositionConstraint<JointCoupling>;  // compiled once, with this kind
extern template class TemplatedRows<JointCoupling>;

}  // namespace trammel
