#pragma once

#include <span>

#include "trammel/simulate/mechanics.h"

namespace trammel {

/// How a run stays on its constraints.
enum class Drift {
  none,       // A v̇ = b, and nothing else: errors grow with the time
  baumgarte,  // φ̈ + αφ̇ + βφ = 0
  velocity,   // q̇ = v + M^{−1/2}B⁺(c − A v): the velocity-level modification; v itself is left as it is
  projection  // every step ends on the constraints, places and speeds
};

struct DriftControl {
  Drift kind = Drift::projection;
  Baumgarte gains{};                 // of Drift::baumgarte, for constraints without gains of their own
  bool forces_at_corrected = false;  // Drift::velocity: Q and b at the corrected velocity instead of v
};

/// The differential equation of a run: v̇ by the equation of motion, q̇ = v unless a drift control corrects it. Notes the
/// power at each of its evaluations since restart(), so that work is integrated with the weights of the method.
class MotionDerivative final : public Derivative {
 public:
  MotionDerivative(Mechanics& mechanics, const DriftControl& drift, int slopes)
      : mechanics_(mechanics),
        drift_(drift),
        motion_(mechanics.manifold().nv(), mechanics.rows()),
        corrected_(0, VecX<>(mechanics.manifold().nq()), VecX<>(mechanics.manifold().nv())),
        change_(mechanics.rows()),
        powers_(2 * slopes) {}

  using Derivative::operator();
  bool operator()(double t, const VecX<>& q, const VecX<>& v, VecX<>& velocity, VecX<>& vdot) override {
    ++evaluations_;
    at_.t = t;
    at_.q = q;
    at_.v = v;
    if (drift_.kind != Drift::velocity) {
      mechanics_.factorize_and_solve(at_, motion_);
      velocity = at_.v;
      return conclude(vdot);
    }
    motion_.status = q.allFinite() && v.allFinite() ? Status::singular : Status::not_a_number;
    return mechanics_.factorize(at_) && go_on(velocity, vdot);
  }

  /// The same at a state for which the mechanics is factorized already.
  bool from_factors(const State& at, Slope& out) {
    ++evaluations_;
    at_ = at;
    return go_on(out.velocity, out.vdot);
  }

  const Motion& motion() const { return motion_; }
  long evaluations() const { return evaluations_; }

  /// The first power is that at the start of the step.
  void restart(double power) {
    powers_[0] = power;
    count_ = 1;
  }
  std::span<const double> powers() const { return powers_; }

 private:
  bool go_on(VecX<>& velocity, VecX<>& vdot);
  bool conclude(VecX<>& vdot);

  Mechanics& mechanics_;
  DriftControl drift_;
  Motion motion_;
  State at_, corrected_;
  VecX<> change_;
  std::vector<double> powers_;
  int count_ = 0;
  long evaluations_ = 0;
};

}  // namespace trammel
