#include "trammel/simulate/inside_steps.h"

namespace trammel {
namespace {

Eigen::Index motors_of(const Data& data) { return data.motors ? data.motors->held.size() : 0; }

}  // namespace

InsideSteps::InsideSteps(Data& data, const Tableau& method, const Manifold& manifold, MotionDerivative& derivative,
                         Projection* projection, int kept)
    : data_(data),
      method_(&method),
      manifold_(manifold),
      derivative_(derivative),
      projection_(projection),
      steps_(manifold, static_cast<int>(data.inputs.size() + motors_of(data)), kept),
      again_(method, manifold),
      dense_(method, manifold),
      held_(VecX<>::Zero(data.inputs.size() + motors_of(data))),
      turns_(data.turns),
      inputs_(data.inputs),
      torques_(VecX<>::Zero(motors_of(data))),
      again_held_(held_),
      state_(again_.start),
      slope_(again_.at_start) {}

void InsideSteps::begin_step() {
  held_.head(data_.inputs.size()) = data_.inputs;
  if (data_.motors) held_.tail(motors_of(data_)) = data_.motors->held;
}

void InsideSteps::swap_held() {
  data_.turns.swap(turns_);
  data_.inputs.swap(inputs_);
  if (data_.motors) data_.motors->held.swap(torques_);
}

void InsideSteps::use(const Tableau& method) {
  method_ = &method;
  steps_.forget();
  again_ = Step(method, manifold_);
  dense_ = DenseOutput(method, manifold_);
}

bool InsideSteps::follow(Step& step) {
  return make_dense(*method_, manifold_, derivative_, step, dense_) == StepStatus::done;
}

const State& InsideSteps::at_part(double theta) {
  interpolate(manifold_, dense_, theta, state_);
  state_.t = dense_.start.t + theta * dense_.h;
  return state_;
}

InsideSteps::Solved InsideSteps::solve_at_part(double theta, double t) {
  at_part(theta);
  state_.t = t;
  if (!factorize(state_, data_)) return Solved::no_motion;
  if (projection_ && !projection_->onto_constraints(state_)) return Solved::off_constraints;
  return derivative_.from_factors(state_, slope_) ? Solved::yes : Solved::no_motion;
}

bool InsideSteps::solve_at(double t, Step& last) {
  come_back();
  if (!steps_.restore(t, again_, turns_, again_held_)) return false;
  inputs_ = again_held_.head(inputs_.size());
  torques_ = again_held_.tail(torques_.size());
  swap_held();
  is_away_ = true;
  if (t == again_.start.t) return derivative_(again_.start, slope_);
  return follow_again(last) && solve_at_part((t - dense_.start.t) / dense_.h, t) == Solved::yes;
}

void InsideSteps::come_back() {
  if (is_away_) swap_held();
  is_away_ = false;
}

bool InsideSteps::follow_again(Step& last) {
  if (dense_.start.t == again_.start.t && dense_.h == again_.h) return true;
  if (last.start.t == again_.start.t) return follow(last);
  return take_step(*method_, manifold_, derivative_, again_.start, again_.at_start, again_.h, again_) ==
             StepStatus::done &&
         follow(again_);
}

}  // namespace trammel
