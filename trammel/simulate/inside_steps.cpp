#include "trammel/simulate/inside_steps.h"

namespace trammel {

InsideSteps::InsideSteps(Data& data, const Tableau& method, const Manifold& manifold, MotionDerivative& derivative,
                         Projection* projection, int kept)
    : data_(data),
      method_(method),
      manifold_(manifold),
      derivative_(derivative),
      projection_(projection),
      steps_(manifold, kept),
      again_(method, manifold),
      dense_(method, manifold),
      turns_(data.turns),
      state_(again_.start),
      slope_(again_.at_start) {}

bool InsideSteps::follow(Step& step) {
  return make_dense(method_, manifold_, derivative_, step, dense_) == StepStatus::done;
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
  if (!steps_.restore(t, again_, turns_)) return false;
  data_.turns.swap(turns_);
  const bool solved = t == again_.start.t
                          ? derivative_(again_.start, slope_)
                          : follow_again(last) && solve_at_part((t - dense_.start.t) / dense_.h, t) == Solved::yes;
  data_.turns.swap(turns_);
  return solved;
}

bool InsideSteps::follow_again(Step& last) {
  if (dense_.start.t == again_.start.t && dense_.h == again_.h) return true;
  if (last.start.t == again_.start.t) return follow(last);
  return take_step(method_, manifold_, derivative_, again_.start, again_.at_start, again_.h, again_) ==
             StepStatus::done &&
         follow(again_);
}

}  // namespace trammel
