#pragma once

#include <span>

#include "trammel/motion/stages.h"
#include "trammel/simulate/derivative.h"
#include "trammel/simulate/drift_control.h"

namespace trammel {

/// The differential equation of a run: v̇ by the equation of motion, q̇ = v unless a drift control corrects it. Notes the
/// power at each of its evaluations since restart(), so that work is integrated with the weights of the method.
class MotionDerivative final : public Derivative {
 public:
  MotionDerivative(Data& data, const DriftControl& drift, int slopes)
      : data_(data), drift_(drift), at_(data.at), change_(data.problem.held().rows), powers_(2 * slopes) {}

  using Derivative::operator();
  bool operator()(double t, const VecX<>& q, const VecX<>& v, VecX<>& velocity, VecX<>& vdot) override {
    ++evaluations_;
    if (drift_.kind != Drift::velocity) {
      solve(t, q, v, data_);
      velocity = v;
      return conclude(v, vdot);
    }
    at_.t = t;
    at_.q = q;
    at_.v = v;
    data_.motion.status = q.allFinite() && v.allFinite() ? Status::singular : Status::not_a_number;
    return factorize(at_, data_) && go_on(v, velocity, vdot);
  }

  /// The same at a state that is factorized and placed already.
  bool from_factors(const State& at, Slope& out) {
    ++evaluations_;
    return go_on(at.v, out.velocity, out.vdot);
  }

  long evaluations() const { return evaluations_; }

  /// The first power is that at the start of the step.
  void restart(double power) {
    powers_[0] = power;
    count_ = 1;
  }
  std::span<const double> powers() const { return powers_; }

 private:
  bool go_on(const VecX<>& v, VecX<>& velocity, VecX<>& vdot);
  bool conclude(const VecX<>& v, VecX<>& vdot);

  Data& data_;
  DriftControl drift_;
  State at_;
  VecX<> change_;
  std::vector<double> powers_;
  int count_ = 0;
  long evaluations_ = 0;
};

}  // namespace trammel
