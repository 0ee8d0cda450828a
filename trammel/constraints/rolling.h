#pragma once

#include <array>
#include <cstdint>

#include "trammel/constraints/bias_jets.h"

namespace trammel {

/// What a wheel rolls on: a plane, or the outside or inside of a round cylinder or of a sphere, which stands in the world or on a body C
/// that may move.
struct Ground {
  enum class Shape : std::uint8_t { plane, cylinder, sphere };
  enum class Side : std::uint8_t { outside, inside };

  static Ground plane(const BodyPoint& O, const Vec3<>& n_C) { return {Shape::plane, O, n_C}; }
  static Ground cylinder(const BodyPoint& O, const Vec3<>& along_C, double radius, Side side) {
    return {Shape::cylinder, O, along_C, radius, side};
  }
  static Ground sphere(const BodyPoint& O, double radius, Side side) {
    return {Shape::sphere, O, Vec3<>::UnitZ(), radius, side};
  }

  Shape shape;
  BodyPoint O;         // on the plane or the axis, or the centre
  Vec3<> direction_C;  // the normal, on the side of the wheel, or the axis
  double radius = 0;   // m
  Side side = Side::outside;
};

/// A wheel, a sphere or a disc that rolls without slipping on a plane. The plane is fixed in the world or in a body C,
/// which may move (a turntable, a tilting plate): point O, normal n on the side of the wheel, e₁ and e₂ across n, all
/// fixed in C. The wheel of body B has the centre S, the axis a, a rim of radius R and on it a round tyre of radius r:
/// R = 0 is a sphere, r = 0 a thin disc. With d = p_S − p_O and m the direction of the plane of the wheel that points
/// away from C's plane most steeply, the wheel touches at K:
///
///   m = (n − (n · a) a)/|n × a|          ρ = p_K − p_S = −R m − r n
///
/// One row at position level, the height of K; n · m = |n × a| is the sine of the angle between axis and normal:
///
///   φ = n · (d + ρ) = n · d − R |n × a| − r                                      m
///   φ̇ = n · (velocity of B's material at K − velocity of C's material at K)
///
/// (K moves on the wheel, but no lower: to first order its own displacement does not count) and two at velocity level,
/// no slip at K:
///
///   ψᵢ = eᵢ · s,   s = ḋ − ω_C × d + (ω_B − ω_C) × ρ                             m/s
///   ψ̇ᵢ = eᵢ · ṡ + (ω_C × eᵢ) · s,   ṡ = d̈ − ω̇_C × d − ω_C × ḋ + (ω̇_B − ω̇_C) × ρ + (ω_B − ω_C) × ρ̇
///
/// so each row is the force n, e₁ or e₂ at K on B and the opposite one at K on C; b is −φ̈ or −ψ̇ at v̇ = 0. λ is then
/// the normal force and the two friction forces on the wheel. The wheel may spin about n and is held from both sides:
/// λ₀ < 0 says that it would lift off.
///
/// On a sphere of radius ϱ about O (σ = 1), or inside it (σ = −1), the rim is nearest to it where û, the direction of d across a, points:
/// with c = d − σ R û from O to there,
///
///   n = σ c/|c|          ρ = −σ R û − r n          φ = σ (|c| − ϱ) − r
///
/// and e₁, e₂ are made of n (Duff et al. 2017): they leap where n crosses the plane across C's third axis, and the force does not. On a
/// cylinder about O along k, or inside it, spheres roll: with d⊥ = d − (k · d) k,
///
///   n = σ d⊥/|d⊥|        ρ = −r n                  φ = σ (|d⊥| − ϱ) − r        e₁ = k, e₂ = k × n
///
/// and in all of them φ̇, ψ and the wrenches are as above.
///
/// A disc that lies flat (a along n, or along d) touches everywhere, m has no value and the rows are not-a-number; a sphere has no
/// such case. For a plate that slides flat use PointOnPlane and Aligned.
class Rolling : public TemplatedRows<Rolling, Constraint> {
 public:
  int rows() const override { return 3; }
  Level level(int row) const override { return row == 0 ? Level::position : Level::velocity; }
  std::span<const int> bodies() const override { return touched_.bodies(); }
  double row_scale(int) const override { return 1; }
  std::string_view unit(int) const override { return "m"; }
  BodyPoint point_of_force(const Positions<>& where) const override;
  bool is_catastatic() const override { return true; }
  template <class Scalar>
  void fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const;

  void phi(const Placement<double>& now, Eigen::Ref<VecX<double>> out) const override;
  void phi(const Placement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const override;
  void psi(const Movement<double>& now, Eigen::Ref<VecX<double>> out) const override;
  void psi(const Movement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const override;

  /// Where the wheel touches, p_WK (m).
  Vec3<> contact(const Positions<>& where) const;

  // As it was given: its centre S and axis a on B; radii in m of the rim and of the tyre on it.
  const BodyPoint& centre() const { return S_; }
  const Vec3<>& axis_B() const { return a_.d_B; }
  double rim() const { return rim_; }
  double tyre() const { return tyre_; }

 protected:
  /// S and a on B; radii in m. Throws Error where it does not fit inside, and for discs on cylinders.
  Rolling(const BodyPoint& S, const Vec3<>& a_B, double rim, double tyre, const Ground& ground);

 private:
  // What of the ground there is at K, as jets or values of any kind: n and ρ, and the height φ.
  template <class Scalar>
  struct Touch {
    Vec3<Scalar> n, rho;
    Scalar height;
  };
  // d, the axis of the wheel and the direction of the ground.
  template <class Scalar>
  Touch<Scalar> touch(const Vec3<Scalar>& d, const Vec3<Scalar>& a, const Vec3<Scalar>& k) const;
  // e₁ and e₂ from n and the three directions that are fixed in C.
  template <class Scalar>
  std::array<Vec3<Scalar>, 2> across(const Vec3<Scalar>& n, const std::array<Vec3<Scalar>, 3>& fixed) const;
  template <class Scalar>
  Scalar height(const Placement<Scalar>& now) const;
  template <class Scalar>
  void slip(const Movement<Scalar>& now, Eigen::Ref<VecX<Scalar>> out) const;

  Ground::Shape shape_;
  BodyPoint S_, O_;
  BodyDirection a_, n_;                  // n, or k
  std::array<BodyDirection, 2> across_;  // with n_ they are right-handed
  double rim_, tyre_, ground_, side_;    // m, m, ϱ in m, σ
  BodyList touched_;
};

extern template class TemplatedRows<Rolling, Constraint>;  // compiled once, with this kind

/// A thin disc of radius R about S, its axis along a.
class RollingDisc final : public Rolling {
 public:
  /// Throws Error unless the radius is above zero and the axis and the normal have directions.
  RollingDisc(const BodyPoint& S, const Vec3<>& a_B, double radius, const BodyPoint& O, const Vec3<>& n_C);
  RollingDisc(const BodyPoint& S, const Vec3<>& a_B, double radius, const Ground& ground);
};

/// A disc of radius R with a rounded tyre of radius r on its rim: R + r from its centre to the ground when upright.
class RollingWheel final : public Rolling {
 public:
  RollingWheel(const BodyPoint& S, const Vec3<>& a_B, double rim, double tyre, const BodyPoint& O, const Vec3<>& n_C);
  RollingWheel(const BodyPoint& S, const Vec3<>& a_B, double rim, double tyre, const Ground& ground);
};

/// A sphere of radius r about S.
class RollingSphere final : public Rolling {
 public:
  RollingSphere(const BodyPoint& S, double radius, const BodyPoint& O, const Vec3<>& n_C);
  RollingSphere(const BodyPoint& S, double radius, const Ground& ground);
};

}  // namespace trammel
