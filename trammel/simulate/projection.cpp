#include "trammel/simulate/projection.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trammel {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

}  // namespace

double largest_error(const VecX<>& errors, const VecX<>& weight) {
  double out = 0;
  for (int k = 0; k < errors.size(); ++k)
    if (const double error = std::abs(errors[k] * weight[k]); !(error <= out)) out = error;
  return out;
}

Projection::Projection(Mechanics& mechanics)
    : mechanics_(mechanics),
      errors_(mechanics.rows()),
      step_(mechanics.manifold().nv()),
      moved_(mechanics.manifold().nq()) {}

bool Projection::onto_positions(State& at, double enough) {
  if (mechanics_.rows() == 0) return true;
  const double rounding = 10 * eps * mechanics_.size();
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 10; ++i) {
    mechanics_.position_errors(at.q, at.t, errors_);
    const double error = largest_error(errors_, mechanics_.weight());
    if (error <= rounding) return true;
    if (!std::isfinite(error)) return false;
    // where new factors do not help either, rounding is larger than it was thought to be
    const bool slow = error > 0.1 * before;
    if (slow && error <= 10 * rounding) return true;
    if (slow && i > 4) break;
    if (slow && !mechanics_.factorize(at)) return false;
    before = error;
    step_back(at);
  }
  return before <= enough;
}

void Projection::step_back(State& at) {
  errors_ = -errors_;
  mechanics_.least_position_step(errors_, step_);
  mechanics_.manifold().retract(at.q, step_, moved_);
  at.q = moved_;
}

bool Projection::onto_positions_and_factorize(State& at) {
  if (mechanics_.rows() == 0) return mechanics_.factorize(at);
  const double rounding = 10 * eps * mechanics_.size();
  mechanics_.position_errors(at.q, at.t, errors_);
  const double before = largest_error(errors_, mechanics_.weight());
  if (!(before <= 1000 * rounding)) {
    if (!onto_positions(at)) return false;
  } else if (before > rounding) {
    step_back(at);  // the factors of the last stage take off three digits
  }
  if (!mechanics_.factorize(at)) return false;
  const double error = largest_error(mechanics_.phi(), mechanics_.weight());
  if (error <= rounding || (error <= 10 * rounding && error > 0.1 * before)) return true;
  return onto_positions(at) && mechanics_.factorize(at);
}

bool Projection::onto_velocities(State& at) {
  if (mechanics_.rows() == 0) return true;
  const double speed = 1 + at.v.cwiseAbs().maxCoeff();
  for (int i = 0; i < 10; ++i) {
    const double before = largest_error(mechanics_.rate(), mechanics_.weight());
    if (!std::isfinite(before)) return false;  // with v as it was, so that one can see whose fault it is
    errors_ = -mechanics_.rate();
    mechanics_.least_step(errors_, step_);
    at.v += step_;
    mechanics_.change_velocity(at);
    const double error = largest_error(mechanics_.rate(), mechanics_.weight());
    if (error <= 100 * eps * mechanics_.size() * speed || (error < 1e-9 && error > 0.1 * before)) return true;
    if (!mechanics_.factorize(at)) return false;
  }
  return false;
}

}  // namespace trammel
