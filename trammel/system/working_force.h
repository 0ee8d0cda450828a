#pragma once

#include "trammel/constraints/body_point.h"
#include "trammel/model/model.h"

namespace trammel {

/// The part of a constraint's force that does work: an ideal constraint pushes only across the motions that it allows; a
/// real one may also rub along them. It is a law of the engineer's, C(q, v, t, λ), and enters as Udwadia and Kalaba let it:
/// of C, what the constraints leave free acts on the motion, and what they do not is taken up by the ideal part,
///
///   v̇ gains L⁻ᵀ(1 − Q₁Q₁ᵀ)L⁻¹C,      Qc gains L(1 − Q₁Q₁ᵀ)L⁻¹C,
///
/// Q₁ an orthonormal basis of the rows in the metric of M. λ are the multipliers *with* this force acting.
class WorkingForce {
 public:
  virtual ~WorkingForce() = default;
  /// Adds C of one constraint to tau: its rows at this moment and their multipliers are given.
  virtual void add_to(const Model& model, const Movement<double>& now, const Rows& rows,
                      const Eigen::Ref<const VecX<>>& lambda, VecX<>& tau) const = 0;
  /// Adds the wrenches that it puts on bodies, as Force::add_wrenches does.
  virtual void add_wrenches(const Movement<double>&, const Rows&, const Eigen::Ref<const VecX<>>&,
                            std::span<Vec6<>>) const {}
};

/// Friction where a constraint presses on a body at one point: with f the force of the constraint there, u the velocity of the point
/// relative to the other body and F the size of the friction,
///
///   −F(|f|, |u|) u / √(|u|² + u₀²)   on the body,   the opposite on the other.
///
/// Below u₀ it falls off to zero, so that it has no jump at rest: a body does not stick. Where a force T < F along the contact would leave
/// it at rest, it creeps at u₀ T/√(F² − T²).
class SlidingFriction : public WorkingForce {
 public:
  /// u, m/s.
  Vec3<> slip(const Movement<double>& now) const;
  double creep_speed() const { return creep_speed_; }  // u₀, m/s

  void add_to(const Model& model, const Movement<double>& now, const Rows& rows, const Eigen::Ref<const VecX<>>& lambda,
              VecX<>& tau) const override;
  void add_wrenches(const Movement<double>& now, const Rows& rows, const Eigen::Ref<const VecX<>>& lambda,
                    std::span<Vec6<>> wrenches) const override;

 protected:
  /// Throws Error if the law puts no wrench on the contact's body.
  SlidingFriction(const Constraint& law, const BodyPoint& contact, int other_body, double creep_speed);

 private:
  /// F, N, of |f| (N) and |u| (m/s).
  virtual double size(const Movement<double>& now, double normal, double speed) const = 0;
  BodyPoint beneath(const Movement<double>& now) const;  // where the other body is touched
  // Calls act(body, wrench) for both bodies.
  template <class Act>
  void rub(const Movement<double>& now, const Rows& rows, const Eigen::Ref<const VecX<>>& lambda, const Act& act) const;

  double creep_speed_;
  BodyPoint contact_;
  int slot_ = 0, other_body_;
};

/// Coulomb's: F = μ|f|.
class CoulombFriction final : public SlidingFriction {
 public:
  /// Throws Error if μ is negative or the law puts no wrench on the contact's body.
  CoulombFriction(const Constraint& law, double mu, const BodyPoint& contact, int other_body = world,
                  double creep_speed = friction_speed);

 private:
  double size(const Movement<double>&, double normal, double) const override { return mu_ * normal; }

  double mu_;
};

}  // namespace trammel
