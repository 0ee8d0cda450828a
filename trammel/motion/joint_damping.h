#pragma once

#include <vector>

#include "trammel/motion/data.h"

namespace trammel {

/// What damps one coordinate at a velocity v (passive_forces.h),
///
///   g = −d v − f v/√(v² + v₀²),      slope = −dg/dv = d + f v₀²/(v² + v₀²)^{3/2} ≥ 0
struct JointDrag {
  double force, slope;  // N·m and N·m·s, or N and N·s/m
};
JointDrag joint_drag(const Coordinate& joint, double v);

/// Damping and friction of a tree's joints as the stiff part of the equation of motion. They act on each joint by its own rate, so that their
/// derivative is diagonal, −D; that of v̇ by them is −P D with the constrained inverse P = L⁻ᵀ(1 − Q₁Q₁ᵀ)L⁻¹ of M. Its eigenvalues are real and
/// not above zero, and may be as large as friction over the product of its friction speed and the inertia that it moves: 10⁷ 1/s for a light
/// finger.
///
/// An implicit stage wants v = w + γ v̇(q, v) at a given q. With g replaced by its tangent at a velocity u, what is linear in v comes to the left:
///
///   (M + γD(u)) v̇ = Q + g(u) + D(u)(u − w) + Aᵀλ,    A v̇ = b
///
/// is an equation of motion with γD as inertia of the joints' rotors (Data::tangent), and v = w + γv̇ the next u. All else (Q and b) depends
/// weakly on v and is taken at u. With Q and b fixed, v is the minimum of a convex function along what rows allow, ½|v − w|²_M + γ Σ Φ(v) with
/// Φ′ = −g; Newton's method, which this is, finds it from anywhere with a search along its steps.
class JointDamping {
 public:
  explicit JointDamping(const Problem& problem);
  bool any() const { return !damped_.empty(); }

  /// Begins with a guess u.
  void begin(const VecX<>& from, double gamma, const VecX<>& guess);
  const VecX<>& u() const { return u_; }
  const DampingTangent& tangent() const { return tangent_; }
  /// The next u, from v̇ of the tangent's equation.
  void go_on(const VecX<>& vdot);
  /// Whether that is v: g is the tangent's to 1e-11 of what damps, and u has come no further than what changes Q and b by 1e-12.
  bool has_settled() const;

  /// The rate at which it damps fastest, 1/s: the largest eigenvalue of P D at `v`, from the factors that `data` has, whose last solution is
  /// overwritten. By two steps of the power method from where the last call ended: it comes nearer from call to call.
  double fastest_rate(const VecX<>& v, Data& data);
  /// A part of that rate that costs no solution: the largest D over the inertia that a joint has with all before it held, 1/s.
  double least_rate(const VecX<>& v, const Data& data) const;

 private:
  void see_drags();
  double rise(double part) const;
  double part_of_step() const;
  double largest_error(const VecX<>& v, const VecX<>& by_tangents) const;

  const Model* model_;
  std::vector<int> damped_;  // velocities
  VecX<> from_, u_;
  double gamma_ = 0;
  VecX<> force_, slope_;             // g and D at u
  DampingTangent tangent_;           // what they make of the equation of motion
  VecX<> taken_, next_, next_p_;     // g by the tangents, where u was found by them; the next u, and g there by its own
  double way_ = 0, way_before_ = 0;  // |Δu| of the last steps
  int steps_ = 0;
  VecX<> fastest_;  // the eigenvector
};

}  // namespace trammel
