#include "trammel/assembly/place_search.h"

#include <algorithm>
#include <cmath>

#include "trammel/math/eps.h"
#include "trammel/model/configuration.h"
#include "trammel/model/longest_way.h"

namespace trammel {
namespace {

constexpr int most_iterations = 200;
constexpr double straight = 1e-3;  // of the error, which a whole step of Newton's leaves where the rows are linear

int row_count(const System& system) {
  int rows = 0;
  for (const NamedConstraint& constraint : system.constraints) rows += constraint.law->rows();
  return rows;
}

constexpr double least_extent = 0.1;  // m

// The robot's size: what lengths are compared with.
double extent_of(const Positions<>& where, double enlarged) {
  double out = least_extent;
  for (const BodyPosition<>& body : where.bodies) out = std::max(out, enlarged * body.X_WB.p.norm());
  return out;
}

}  // namespace

VecX<> scaled_errors(const System& system, const VecX<>& q, double t, std::span<const double> inputs,
                     Positions<>& where) {
  positions<double>(system.model, q, where);
  VecX<> out = VecX<>::Zero(row_count(system));
  int first = 0;
  for (const NamedConstraint& constraint : system.constraints) {
    const Constraint& law = *constraint.law;
    law.phi(Placement<double>{where, q, t, inputs}, out.segment(first, law.rows()));
    for (int k = 0; k < law.rows(); ++k) out[first + k] *= law.row_scale(k) * constraint.scale;
    first += law.rows();
  }
  return out;
}

PlaceSearch::PlaceSearch(const System& system, double t, double rank_tolerance)
    : system_(system),
      t_(t),
      inputs_(system.input_values()),
      where_(system.model),
      least_(system, rank_tolerance),
      row_factor_(least_.weights()),
      step_(system.model.nv()) {
  for (const NamedConstraint& constraint : system.constraints) {
    largest_scale_ = std::max(largest_scale_, constraint.scale);
    for (int k = 0; k < constraint.law->rows(); ++k) {
      const std::string_view unit = constraint.law->unit(k);
      const auto row = static_cast<Eigen::Index>(row_is_length_.size());
      row_is_length_.push_back(unit == "m" || unit.empty());
      row_factor_[row] = unit.empty() ? row_factor_[row] / constraint.law->row_scale(k) : 1;
    }
  }
  for (const Body& body : system.model.bodies())
    for (int k = 0; k < body.nv; ++k)
      if (is_angular(body.type, k)) turning_.push_back(body.v + k);
}

void PlaceSearch::allow(std::vector<char> held, bool within_limits, const VecX<>& guess) {
  held_ = std::move(held);
  limits_.clear();
  if (!within_limits) return;
  for (const Body& body : system_.model.bodies())
    for (int k = 0; k < body.nv && rates_are_velocities(body.type); ++k) {
      const Coordinate& c = system_.model.coordinates()[body.v + k];
      const int q = body.q + k, v = body.v + k;
      if (held_[v] != 0 || (c.lower == -unlimited && c.upper == unlimited)) continue;
      limits_.push_back({q, v, std::min(c.lower, guess[q]), std::max(c.upper, guess[q])});
    }
}

void PlaceSearch::measure(const VecX<>& guess) {
  const Model& model = system_.model;
  double length = longest_way(model);
  for (const Body& body : model.bodies())
    for (int k = 0; k < body.nv && rates_are_velocities(body.type); ++k)
      if (!is_angular(body.type, k)) length = std::max(length, std::abs(guess[body.q + k]));
  enlarged_ = length > 1e-13 ? std::max(1.0, least_extent / length) : 1;
}

double PlaceSearch::error_at(const VecX<>& q) {
  VecX<> errors = scaled_errors(system_, q, t_, inputs_, where_).cwiseProduct(row_factor_);
  if (enlarged_ > 1)
    for (int k = 0; k < errors.size(); ++k)
      if (row_is_length_[k] != 0) errors[k] *= enlarged_;
  return errors.norm();
}

PlaceSearch::End PlaceSearch::look(const VecX<>& q) {
  const double error = error_at(q);
  return {error, true, extent_of(where_, enlarged_)};
}

std::optional<Misaligned> PlaceSearch::misaligned(const VecX<>& q) {
  positions<double>(system_.model, q, where_);
  return find_misaligned(system_, {where_, q, t_, inputs_});
}

int PlaceSearch::rank(const VecX<>& q, const std::vector<char>& held) {
  return least_.factorize_places(q, t_, held, LeastMove::Metric::mass) ? least_.rank() : 0;
}

PlaceSearch::End PlaceSearch::run(VecX<>& q) {
  const End start = look(q);
  error_ = start.error;
  size_ = start.size * largest_scale_;
  double mu = 0;
  bool resting = false;
  for (int i = 0; i < most_iterations && !resting && error_ > eps * size_; ++i, ++iterations_)
    resting = !improve(q, mu);
  return {error_, resting || error_ <= eps * size_, look(q).size};
}

// Joints at a limit that the step would pass.
bool PlaceSearch::hold_outward(const VecX<>& q) {
  bool any = false;
  for (const Limited& limit : limits_) {
    const bool outward =
        (q[limit.q] >= limit.upper && step_[limit.v] > 0) || (q[limit.q] <= limit.lower && step_[limit.v] < 0);
    if (held_now_[limit.v] != 0 || !outward) continue;
    held_now_[limit.v] = 1;
    any = true;
  }
  return any;
}

double PlaceSearch::largest_turn() const {
  double out = 0;
  for (const int i : turning_) out = std::max(out, std::abs(step_[i]));
  return out;
}

bool PlaceSearch::factorize(const VecX<>& q, LeastMove::Metric metric) {
  held_now_ = held_;
  do {
    if (!least_.factorize_places(q, t_, held_now_, metric)) return false;
    least_.newton(step_);
  } while (hold_outward(q));
  return true;
}

// Leaves Newton's step in step_.
bool PlaceSearch::factorize(const VecX<>& q) {
  constexpr double far = 0.5;  // rad
  return (factorize(q, LeastMove::Metric::mass) && largest_turn() < far) || factorize(q, LeastMove::Metric::far);
}

VecX<> PlaceSearch::kept_within(VecX<> q) const {
  for (const Limited& limit : limits_) q[limit.q] = std::clamp(q[limit.q], limit.lower, limit.upper);
  return q;
}

bool PlaceSearch::improve(VecX<>& q, double& mu) {
  if (!factorize(q)) return false;
  const double top = least_.largest2();
  for (; mu <= 1e3 * top; mu = std::max(10 * mu, 1e-4 * top)) {
    if (mu > 0) least_.damped(mu, step_);
    for (int i = 0; i < step_.size(); ++i)
      if (held_now_[i] != 0) step_[i] = 0;
    if (!step_.allFinite() || step_.isZero(0)) return false;
    VecX<> tried = kept_within(retract(system_.model, q, step_));
    double there = error_at(tried);
    if (const double turn = largest_turn(); turn > 1 && !(mu == 0 && there < straight * error_)) {
      step_ /= turn;
      tried = kept_within(retract(system_.model, q, step_));
      there = error_at(tried);
    }
    if (there < error_ * (1 - 1e-4) || (there < error_ && error_ < 1e-9 * size_)) {
      q = tried;
      // near rounding any decrease is accepted; stop when it is negligible
      const bool decreases = there < error_ * (1 - 1e-9);
      error_ = there;
      mu = mu < 1e-6 * top ? 0 : mu / 10;
      return decreases;
    }
  }
  return false;
}

}  // namespace trammel
