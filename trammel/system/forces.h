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

/// The axes of a frame that moves with its body (or stands in the world), along which a force or a torque is given.
struct BodyAxes {
  int body = world;
  Mat3<> R_BF = Mat3<>::Identity();

  bool is_world = true;

  BodyAxes() = default;  // the world's
  explicit BodyAxes(const Frame& frame) : body(frame.body), R_BF(frame.X_BF.R), is_world(false) {}
  template <class Scalar>
  Vec3<Scalar> in_world(const Positions<Scalar>& where, const Vec3<Scalar>& x_F) const {
    if (is_world) return x_F;
    const Vec3<Scalar> x = R_BF.cast<Scalar>() * x_F;
    return body == world ? x : Vec3<Scalar>(where.bodies[body].X_WB.R * x);
  }
};

/// A force (N) at a point of a body, from three expressions: along the axes of the world or of another frame.
class PointForce final : public TemplatedForce<PointForce> {
 public:
  PointForce(const BodyPoint& at, std::array<BoundExpression, 3> f_F, const BodyAxes& along = {})
      : at_(at), along_(along), f_F_(std::move(f_F)) {}
  void add_wrenches(const Movement<double>& now, std::span<Vec6<>> wrenches) const override;

 private:
  friend TemplatedForce<PointForce>;
  template <class Scalar>
  void add(const Model& model, const Movement<Scalar>& now, VecX<Scalar>& tau) const;
  template <class Scalar>
  Vec3<Scalar> force(const Movement<Scalar>& now) const;  // at the point

  BodyPoint at_;
  BodyAxes along_;
  std::array<BoundExpression, 3> f_F_;
};

/// A torque (N·m) on a body, likewise.
class BodyTorque final : public TemplatedForce<BodyTorque> {
 public:
  BodyTorque(int body, std::array<BoundExpression, 3> n_F, const BodyAxes& along = {})
      : body_(body), along_(along), n_F_(std::move(n_F)) {}
  void add_wrenches(const Movement<double>& now, std::span<Vec6<>> wrenches) const override;

 private:
  friend TemplatedForce<BodyTorque>;
  template <class Scalar>
  void add(const Model& model, const Movement<Scalar>& now, VecX<Scalar>& tau) const;
  template <class Scalar>
  Vec6<Scalar> wrench(const Movement<Scalar>& now) const;

  int body_;
  BodyAxes along_;
  std::array<BoundExpression, 3> n_F_;
};

/// A gravity g(t) that changes, beside the model's own, which does not: the force m g at every body's mass centre. It has no potential.
class ChangingGravity final : public TemplatedForce<ChangingGravity> {
 public:
  /// m/s², along the world's axes.
  ChangingGravity(const Model& model, std::array<BoundExpression, 3> g_W);
  void add_wrenches(const Movement<double>& now, std::span<Vec6<>> wrenches) const override;

 private:
  friend TemplatedForce<ChangingGravity>;
  template <class Scalar>
  void add(const Model& model, const Movement<Scalar>& now, VecX<Scalar>& tau) const;

  struct Mass {
    BodyPoint at;
    double mass;  // kg
  };
  std::vector<Mass> masses_;
  std::array<BoundExpression, 3> g_W_;
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
extern template class TemplatedForce<BodyTorque>;
extern template class TemplatedForce<ChangingGravity>;
extern template class TemplatedForce<SpringDamper>;

}  // namespace trammel
