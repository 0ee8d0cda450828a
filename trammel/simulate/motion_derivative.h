#pragma once

#include "trammel/math/copy.h"
#include "trammel/motion/joint_damping.h"
#include "trammel/motion/stages.h"
#include "trammel/simulate/derivative.h"
#include "trammel/simulate/drift_control.h"
#include "trammel/simulate/peak_watch.h"
#include "trammel/simulate/singular_passage.h"
#include "trammel/simulate/work_meter.h"

namespace trammel {

/// The differential equation of a run: v̇ by the equation of motion, q̇ = v unless a drift control corrects it. The meter notes the powers
/// at each of its evaluations. Close to singular postures v̇ is interpolated (singular_passage.h).
///
/// Near them, what a stage is off the constraints by comes into v̇ with 1/σ². So the stages of a step that comes near are taken onto the
/// constraints first, by `stages`: v̇ is that at the nearest state on them (data.at), which is the same motion, and a smooth function beside
/// it, as methods need to keep their order. All stages of a step are, or none: one that comes near unawares is to be taken again.
class MotionDerivative final : public Derivative {
 public:
  /// `stages` may be null.
  MotionDerivative(Data& data, const DriftControl& drift, WorkMeter& meter, SingularPassage& passage,
                   Projection* stages)
      : data_(data),
        drift_(drift),
        meter_(meter),
        passage_(passage),
        stages_(stages),
        damping_(data.problem),
        at_(data.at),
        change_(data.problem.held().rows) {}

  using Derivative::operator();
  bool operator()(double t, const VecX<>& q, const VecX<>& v, VecX<>& velocity, VecX<>& vdot) override {
    ++evaluations_;
    if (drift_.kind != Drift::velocity) {
      copy(v, velocity);
      if (takes_stages_ && !data_.tangent) return on_constraints(t, q, v, vdot);
      solve(t, q, v, data_);
      return conclude(vdot);
    }
    at_.t = t;
    at_.q = q;
    at_.v = v;
    data_.motion.status = q.allFinite() && v.allFinite() ? Status::singular : Status::not_a_number;
    return factorize(at_, data_) && go_on(v, velocity, vdot);
  }

  /// With damping and friction of joints by their tangents (joint_damping.h), all else by iteration.
  bool settle(double t, const VecX<>& q, const VecX<>& from, double gamma, VecX<>& v, Slope& slope) override;

  /// The same at a state that is factorized and placed already.
  bool from_factors(const State& at, Slope& out) {
    ++evaluations_;
    return go_on(at.v, out.velocity, out.vdot);
  }

  /// Before a step: whether its stages are taken onto the constraints. Never without `stages`.
  void take_stages(bool take) {
    takes_stages_ = take && stages_;
    came_near_ = false;
  }
  bool takes_stages() const { return takes_stages_; }
  /// Whether a state near a singular posture was met since then.
  bool came_near() const { return came_near_; }

  /// From now on these see every state that is solved.
  void show(PeakWatch& peaks) { peaks_ = &peaks; }

  long evaluations() const { return evaluations_; }
  JointDamping& damping() { return damping_; }
  /// Whether the last evaluation met a singular posture where the motion is not determined.
  bool undetermined() const { return undetermined_; }

 private:
  bool on_constraints(double t, const VecX<>& q, const VecX<>& v, VecX<>& vdot);
  bool go_on(const VecX<>& v, VecX<>& velocity, VecX<>& vdot);
  bool conclude(VecX<>& vdot);

  Data& data_;
  DriftControl drift_;
  WorkMeter& meter_;
  SingularPassage& passage_;
  Projection* stages_;
  PeakWatch* peaks_ = nullptr;
  JointDamping damping_;
  State at_;
  VecX<> change_;
  long evaluations_ = 0;
  bool undetermined_ = false, takes_stages_ = false, came_near_ = false;
};

}  // namespace trammel
