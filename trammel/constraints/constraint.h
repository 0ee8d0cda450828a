#pragma once

#include <span>
#include <string_view>
#include <type_traits>

#include "trammel/dynamics/kinematics.h"
#include "trammel/math/jet.h"
#include "trammel/math/row_matrix.h"

namespace trammel {

/// What must hold: φ(q, t) = 0, or at velocity level ψ(q, v, t) = 0. Differentiated to the accelerations both read
///
///   A v̇ = b,      φ̈ = A v̇ − b,      ψ̇ = A v̇ − b.
///
/// A constraint does not know A. Each of its rows is the *wrenches that it puts on bodies* at unit multiplier, [n; f] about
/// the body's origin along the world's axes, and coefficients on single velocities; the forces of the row are its
/// multiplier λ times these (plus sign: Qc = Aᵀλ). From the wrenches come A = Σ Wᵀ J, the passes of the articulated
/// factor, absolute coordinates, and named forces.

enum class Level { position, velocity };

/// The time: a jet where everything moves with it; states that are solved side by side share it.
template <class Scalar>
using TimeOf = std::conditional_t<std::is_same_v<Scalar, Jet>, Jet, double>;

/// Where everything stands: what a law at position level may look at.
template <class Scalar>
struct Placement {
  const Positions<Scalar>& where;
  const VecX<Scalar>& q;
  TimeOf<Scalar> t;                  // s
  std::span<const double> inputs{};  // the values of the system's inputs, in their order
};

/// How everything moves: what a law at velocity level may look at, and what rows are made from.
template <class Scalar>
struct Movement {
  const Kinematics<Scalar>& kin;
  const VecX<Scalar>& q;
  const VecX<Scalar>& v;
  TimeOf<Scalar> t;                  // s
  std::span<const double> inputs{};  // the values of the system's inputs, in their order

  Placement<Scalar> placement() const { return {kin, q, t, inputs}; }
};

/// The rows of one constraint at one moment. Sized once.
template <class Scalar = double>
class RowsOf {
 public:
  RowsOf(int rows, int bodies, int velocities)
      : phi(rows),
        rate(rows),
        b(rows),
        coefficients(rows, velocities),
        wrenches_(RowMatrixOf<Scalar>::Constant(6 * bodies, (rows + 3) / 4 * 4, Scalar(0.0))) {}

  VecX<Scalar> phi;           // φ; zero for rows at velocity level
  VecX<Scalar> rate;          // φ̇ or ψ
  VecX<Scalar> b;             // of A v̇ = b
  MatX<Scalar> coefficients;  // row k's coefficient on the constraint's velocity j

  /// Row k's wrench on body s.
  auto wrench(int s, int k) { return wrenches_.template block<6, 1>(6 * s, k); }
  auto wrench(int s, int k) const { return wrenches_.template block<6, 1>(6 * s, k); }
  /// Those of all rows on body s, one to a column.
  auto wrenches_on(int s) const { return wrenches_.block(6 * s, 0, 6, phi.size()); }
  /// No wrench and no coefficient in any row.
  void clear() {
    wrenches_.setConstant(Scalar(0.0));
    coefficients.setConstant(Scalar(0.0));
  }

  /// For the passes along branches: column k holds row k's wrenches, one body's under the other's. Columns of zeros fill it up to a
  /// multiple of four.
  const RowMatrixOf<Scalar>& packed_wrenches() const { return wrenches_; }
  RowMatrixOf<Scalar>& packed_wrenches() { return wrenches_; }

 private:
  RowMatrixOf<Scalar> wrenches_;
};
using Rows = RowsOf<>;

/// Several states side by side, one to a SIMD lane: of kinds that are compiled with the library. (Its header is not installed: what
/// it looks like depends on the processor.)
struct RowsInLanes;

struct BodyPoint;

class Constraint {
 public:
  virtual ~Constraint() = default;

  virtual int rows() const = 0;
  virtual Level level(int row) const = 0;

  /// The bodies on which it puts wrenches; the world may be among them. Each stands once.
  virtual std::span<const int> bodies() const = 0;
  /// The velocities on which it acts directly, by their index in v.
  virtual std::span<const int> velocities() const { return {}; }

  /// What one unit of the row's φ is in metres: 1 for lengths; a length (m/rad) for angles, so that rows can be compared.
  virtual double row_scale(int row) const = 0;

  /// The unit of the row's φ, "m" or "rad" (of what ψ is so many per second of); empty if the kind cannot tell. λ is then in N or N·m.
  virtual std::string_view unit(int /*row*/) const { return ""; }

  /// The point at which its force is shown, on the body that feels +λ times the rows' wrenches: a pin, a contact, the point on a path. The
  /// wrench on that body, taken about that point, is the force (N) and moment (N·m) that recordings and reports speak of. By default the
  /// origin of the first moving body; the world if it acts on joints alone.
  virtual BodyPoint point_of_force(const Positions<>& where) const;

  /// Whether A v = φ̇ (or ψ) identically, as of a law that does not move with the time: where it holds, its ideal force does no work.
  virtual bool is_catastatic() const { return false; }

  /// Fills every entry of `out`.
  virtual void evaluate(const Movement<double>& now, Rows& out) const = 0;
  /// The same in lanes; null for kinds that know doubles alone, which are asked state by state.
  virtual const RowsInLanes* in_lanes() const { return nullptr; }

  /// The law itself, by which evaluate() is checked and which projections drive to zero: φ for rows at position level.
  virtual void phi(const Placement<double>& now, Eigen::Ref<VecX<double>> out) const = 0;
  virtual void phi(const Placement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const = 0;
  /// The rotation vector of what its rows align, rad, along the world's axes: by it the second of two frames or directions is turned away
  /// from the first. Zero for rows that align nothing. Rows about orientations also hold at false solutions, such as an axis that
  /// points the wrong way. All of these are turned by more than a right angle (system/misaligned.h).
  virtual Vec3<> misalignment(const Placement<double>&) const { return Vec3<>::Zero(); }

  /// ψ for rows at velocity level. Rows of the other level are left as they are, in both.
  virtual void psi(const Movement<double>&, Eigen::Ref<VecX<double>>) const {}
  virtual void psi(const Movement<Jet>&, Eigen::Ref<VecX<Jet>>) const {}
};

/// Room for the rows of a constraint.
template <class Scalar = double>
RowsOf<Scalar> rows_for(const Constraint& law) {
  return {law.rows(), static_cast<int>(law.bodies().size()), static_cast<int>(law.velocities().size())};
}

/// Base of a kind whose law is one template: `template <class Scalar> void law(const Placement<Scalar>&, out) const`.
template <class Kind>
class PositionConstraint : public Constraint {
 public:
  Level level(int) const final { return Level::position; }
  void phi(const Placement<double>& now, Eigen::Ref<VecX<double>> out) const final;
  void phi(const Placement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const final;
};

// Not inline: where a kind says `extern template`, its users need not compile its law.
template <class Kind>
void PositionConstraint<Kind>::phi(const Placement<double>& now, Eigen::Ref<VecX<double>> out) const {
  static_cast<const Kind&>(*this).template law<double>(now, out);
}
template <class Kind>
void PositionConstraint<Kind>::phi(const Placement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const {
  static_cast<const Kind&>(*this).template law<Jet>(now, out);
}

/// The same at velocity level: `template <class Scalar> void law(const Movement<Scalar>&, out) const`.
template <class Kind>
class VelocityConstraint : public Constraint {
 public:
  Level level(int) const final { return Level::velocity; }
  void phi(const Placement<double>&, Eigen::Ref<VecX<double>>) const final {}
  void phi(const Placement<Jet>&, Eigen::Ref<VecX<Jet>>) const final {}
  void psi(const Movement<double>& now, Eigen::Ref<VecX<double>> out) const final;
  void psi(const Movement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const final;
};

template <class Kind>
void VelocityConstraint<Kind>::psi(const Movement<double>& now, Eigen::Ref<VecX<double>> out) const {
  static_cast<const Kind&>(*this).template law<double>(now, out);
}
template <class Kind>
void VelocityConstraint<Kind>::psi(const Movement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const {
  static_cast<const Kind&>(*this).template law<Jet>(now, out);
}

/// Adds to such a base, or to Constraint, rows that are one template too: `template <class Scalar> void fill_rows(const
/// Movement<Scalar>&, RowsOf<Scalar>&) const`. For kinds of this library: they are compiled for every scalar in their own source
/// (templated_rows.h).
template <class Kind, class Base = PositionConstraint<Kind>>
class TemplatedRows : public Base {
 public:
  void evaluate(const Movement<double>& now, Rows& out) const final;
  const RowsInLanes* in_lanes() const final;
};

}  // namespace trammel
