#pragma once

#include <array>
#include <functional>

#include "trammel/constraints/bound_expression.h"
#include "trammel/system/force.h"

namespace trammel {

/// Whatever a C++ function adds to the generalised forces.
class FunctionForce final : public Force {
 public:
  using Law = std::function<void(const Movement<double>& now, VecX<>& tau)>;
  explicit FunctionForce(Law law) : law_(std::move(law)) {}
  void add_to(const Model&, const Movement<double>& now, VecX<>& tau) const override { law_(now, tau); }

 private:
  Law law_;
};

/// A torque (N·m) or force (N) along one velocity, from an expression.
class JointForce final : public TemplatedForce<JointForce> {
 public:
  JointForce(const Model& model, int velocity, BoundExpression value);
  int only_velocity() const override { return velocity_; }

 private:
  friend TemplatedForce<JointForce>;
  template <class Scalar>
  void add(const Model& model, const Movement<Scalar>& now, VecX<Scalar>& tau) const;

  int velocity_;
  BoundExpression value_;
};

/// A force (N, along the world's axes) at a point of a body, from three expressions.
class PointForce final : public TemplatedForce<PointForce> {
 public:
  PointForce(const BodyPoint& at, std::array<BoundExpression, 3> f_W) : at_(at), f_W_(std::move(f_W)) {}
  void add_wrenches(const Movement<double>& now, std::span<Vec6<>> wrenches) const override;

 private:
  friend TemplatedForce<PointForce>;
  template <class Scalar>
  void add(const Model& model, const Movement<Scalar>& now, VecX<Scalar>& tau) const;
  template <class Scalar>
  Vec3<Scalar> force(const Movement<Scalar>& now) const;  // at the point

  BodyPoint at_;
  std::array<BoundExpression, 3> f_W_;
};

/// A spring with a damper beside it, between points P and S: with n = p_PS / |p_PS| and L = |p_PS| it pulls S towards P by
///
///   k (L − L₀) + d L̇,        V = ½ k (L − L₀)².
///
/// Where P meets S it has no direction, and exerts nothing.
class SpringDamper final : public TemplatedForce<SpringDamper> {
 public:
  /// k in N/m, d in N·s/m, L₀ in m; throws Error if one is negative or not a number.
  SpringDamper(const BodyPoint& P, const BodyPoint& S, double stiffness, double damping, double rest_length);
  void add_wrenches(const Movement<double>& now, std::span<Vec6<>> wrenches) const override;
  double potential_energy(const Placement<double>& now) const override;

 private:
  friend TemplatedForce<SpringDamper>;
  template <class Scalar>
  void add(const Model& model, const Movement<Scalar>& now, VecX<Scalar>& tau) const;
  template <class Scalar>
  Vec3<Scalar> pull(const Movement<Scalar>& now) const;  // on P, towards S

  BodyPoint P_, S_;
  double stiffness_, damping_, rest_length_;
};

extern template class TemplatedForce<JointForce>;  // compiled once, in forces.cpp
extern template class TemplatedForce<PointForce>;
extern template class TemplatedForce<SpringDamper>;

}  // namespace trammel
