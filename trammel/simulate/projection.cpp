#include "trammel/simulate/projection.h"

#include <cmath>
#include <limits>

#include "trammel/math/eps.h"
#include "trammel/simulate/singular_passage.h"

namespace trammel {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Whether steps have stopped reducing the error; rounding may be up to 10 times its estimate.
bool is_rounding(double error, double before, double rounding) {
  return error <= rounding || (error <= 10 * rounding && error > 0.1 * before);
}

}  // namespace

double largest_error(const Eigen::Ref<const VecX<>>& errors, const Eigen::Ref<const VecX<>>& weight) {
  double out = 0;
  for (int k = 0; k < errors.size(); ++k)
    if (const double error = std::abs(errors[k] * weight[k]); !(error <= out)) out = error;
  return out;
}

Projection::Projection(Data& data, const Manifold& manifold, SingularPassage* passage)
    : data_(data),
      manifold_(manifold),
      passage_(passage),
      held_(data.problem.held()),
      change_(data.problem.held().rows),
      step_(manifold.nv()),
      moved_(manifold.nq()),
      start_(data.at) {}

Projection::Errors Projection::errors() const {
  const VecX<>& weight = passage_ && passage_->passes() ? passage_->weight_of_strong() : held_.weight;
  return {largest_error(held_phi(data_), weight), largest_error(held_rate(data_), weight)};
}

bool Projection::factorize_at(const State& at) {
  if (!factorize(at, data_)) return false;
  if (passage_) passage_->examine(data_);
  return true;
}

Projection::Errors Projection::rounding(const State& at) const {
  const double size = extent(data_), speed = 1 + at.v.cwiseAbs().maxCoeff();
  return {10 * eps * size, 10 * eps * size * speed};
}

bool Projection::holds(const State& at) const { return hold(errors(), rounding(at)); }

bool Projection::hold(const Errors& now, const Errors& least) const {
  return is_rounding(now.places, before_.places, least.places) && is_rounding(now.speeds, before_.speeds, least.speeds);
}

Projection::Correction Projection::correct(State& at) {
  if (held_.rows == 0) return Correction::not_needed;
  before_ = {infinity, infinity};
  Errors now = errors(), least = rounding(at);
  if (hold(now, least)) return Correction::not_needed;
  start_ = at;
  for (int i = 0; i < 4; ++i) {
    const bool placed = is_rounding(now.places, before_.places, least.places);
    const bool nearer = placed || now.places <= 0.1 * before_.places;
    if (!nearer || !std::isfinite(now.places + now.speeds)) break;
    before_ = {now.places, placed ? now.speeds : infinity};  // a new position changes the error of the velocities
    correct_speeds(at);
    if (!placed)
      correct_places(at);
    else if (now.speeds <= 1000 * least.speeds)
      return Correction::converged;  // factors of a nearby state reduce the error a thousandfold
    evaluate_rows(at, data_);
    now = errors();
    least = rounding(at);
    if (hold(now, least)) return Correction::converged;
  }
  at = start_;
  return Correction::diverged;
}

bool Projection::onto_constraints(State& at) {
  if (!passage_ || !passage_->limits_rank()) return onto_places_and_speeds(at);
  start_ = at;
  if (onto_places_and_speeds(at)) return true;
  // the rank of the start does not do
  passage_->free_rank(data_);
  at = start_;
  return factorize(at, data_) && onto_places_and_speeds(at);
}

bool Projection::onto_places_and_speeds(State& at) {
  return onto_positions(at) && factorize_at(at) && onto_velocities(at);
}

bool Projection::onto_positions(State& at) {
  if (held_.rows == 0) return true;
  const double enough = 1e-9 * extent(data_);
  const double least = rounding(at).places;
  before_.places = infinity;
  for (int i = 0; i < 10; ++i) {
    evaluate_rows(at, data_);
    const double error = errors().places;
    if (is_rounding(error, before_.places, least)) return true;
    if (!std::isfinite(error)) return false;
    const bool slow = error > 0.1 * before_.places;
    if (slow && i > 4) break;
    if (slow && !factorize_at(at)) return false;
    before_.places = error;
    correct_places(at);
  }
  return before_.places <= enough;
}

bool Projection::onto_velocities(State& at) {
  if (held_.rows == 0) return true;
  const double least = rounding(at).speeds;
  for (int i = 0; i < 10; ++i) {
    const double before = errors().speeds;
    if (!std::isfinite(before)) return false;  // with v as it was, so that one can see whose fault it is
    correct_speeds(at);
    evaluate_rows(at, data_);
    const double error = errors().speeds;
    if (error <= least || (error < 1e6 * least && error > 0.1 * before)) return true;
    if (!factorize_at(at)) return false;
  }
  return false;
}

void Projection::correct_places(State& at) {
  change_ = -held_phi(data_);
  least_position_step(change_, data_, step_);
  manifold_.retract(at.q, step_, moved_);
  at.q = moved_;
}

void Projection::correct_speeds(State& at) {
  change_ = -held_rate(data_);
  least_step(change_, data_, step_);
  at.v += step_;
}

}  // namespace trammel
