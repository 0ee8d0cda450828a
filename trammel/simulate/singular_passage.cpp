#include "trammel/simulate/singular_passage.h"

#include <algorithm>
#include <cmath>

#include "trammel/math/eps.h"
#include "trammel/motion/layered_qr.h"
#include "trammel/simulate/state_sizes.h"

namespace trammel {
namespace {

constexpr double small_part = 0.05;  // of the largest that the smallest pivot was: larger ones are not looked at
constexpr double shortest = 0.004;   // Δ|v|

// w_k of the interpolation at 0 by an even polynomial through ±1, ±2, … ±pairs.
double weight_of(int k, int pairs) {
  double out = 1;
  for (int j = 1; j <= pairs; ++j)
    if (j != k) out *= static_cast<double>(j * j) / (j * j - k * k);
  return out;
}

bool any_moves(const Problem& problem) {
  return problem.is_tree() && std::ranges::any_of(problem.held().constraints, [&](int i) {
           return !problem.system().constraints[i].law->is_catastatic();
         });
}

int rank_of(const Data& data) {
  const LayeredQr& qr = data.factors();
  return data.problem.held().rows == qr.columns() ? qr.rank() : qr.physical_rank();
}

// Of v̇ over |v|².
double rounding_at(double part) { return eps / (part * part * part); }

}  // namespace

SingularPassage::SingularPassage(const Problem& problem, const Manifold& manifold, const RowStrength& strength)
    : manifold_(manifold),
      strength_(strength),
      rows_(problem.is_tree() ? problem.held().rows : 0),
      moves_(any_moves(problem)),
      side_(problem),
      projection_(side_, manifold),
      beside_(side_.at),
      step_(problem.nv()),
      weight_of_strong_(problem.held().rows),
      vdot_(step_),
      Qc_(step_),
      u_(static_cast<int>(problem.motors().size())),
      vdot_by_fewer_(step_) {}

bool SingularPassage::may_be_close(const Data& data) {
  passes_ = false;
  if (rows_ == 0) return false;
  const int rank = rank_of(data);
  const double bound = strength_.bound_of_parts(data.factors(), rows_);
  largest_bound_ = std::max(largest_bound_, bound);
  const bool first = begins_ = rank_ < 0;
  // what was never above rounding was not gained
  if (first || bound > RowStrength::weak_part) rank_ = std::max(rank_, rank);
  if (first) starts_singular_ = strength_.any_weak(data);
  if (rank < rank_ || (first && rank < rows_)) return true;
  if (!(bound < small_part * largest_bound_)) {
    looked_at_ = std::numeric_limits<double>::infinity();
    return false;
  }
  return strength_.smallest_part(data.factors(), rows_) < 0.5 * looked_at_;
}

void SingularPassage::place_beside(const Data& data, double x) {
  step_ = x * data.at.v;
  manifold_.retract(data.at.q, step_, beside_.q);
  beside_.v = data.at.v;
  beside_.t = data.at.t + (moves_ ? x : 0);
  side_.turns = data.turns;
  side_.least_extent = data.least_extent;
  side_.inputs = data.inputs;
  if (side_.motors) {
    side_.motors->holds = data.motors->holds;
    side_.motors->held = data.motors->held;
    side_.motors->held_status = data.motors->held_status;
  }
}

// The state on the constraints next to q ⊕ xv. Rows that are dropped at the start may follow from the others beside it too: then they are met
// there without being asked.
bool SingularPassage::close_beside(const Data& data, double x) {
  place_beside(data, x);
  if (begins_) {
    side_.qr->limit_rank(data.factors());
    const bool follow = factorize(beside_, side_) && projection_.onto_constraints(beside_);
    side_.qr->free_rank();
    if (follow) return factorize(beside_, side_);
    place_beside(data, x);
  }
  return factorize(beside_, side_) && projection_.onto_constraints(beside_);
}

// The motion there.
bool SingularPassage::solve_beside(const Data& data, double x) {
  if (!close_beside(data, x)) return false;
  solve(side_);
  return has_motion(side_.motion.status);
}

SingularPassage::Posture SingularPassage::look_beside(Data& data) {
  const int rank = rank_of(data);
  double part = rank < rank_ ? 0 : strength_.smallest_part(data.factors(), rows_);
  const auto not_passed = [&] {
    looked_at_ = part;
    return rank < rank_ && !starts_singular_ ? Posture::undetermined : Posture::regular;
  };
  speed_ = largest_rate(data.problem, data.at.v);
  if (!(speed_ > 0)) return not_passed();
  double least = std::numeric_limits<double>::infinity();
  for (const int end : {pairs, -pairs}) {
    if (!solve_beside(data, end * spacing_ / speed_) || rank_of(side_) < rank_) return not_passed();
    least = std::min(least, strength_.smallest_part(side_.factors(), rows_));
  }
  if (rank_of(side_) > rank) part = 0;
  if (!(part < 0.1 * least)) return not_passed();
  const int highest = rank_of(side_);
  // no node of the interpolation is nearer to the posture than the state is
  for (const int nearest : {1, -1})
    if (!solve_beside(data, nearest * spacing_ / speed_) || rank_of(side_) < highest ||
        strength_.smallest_part(side_.factors(), rows_) < part)
      return not_passed();
  rank_ = std::max(rank_, highest);
  leave_out_weak_rows(data, 0.3 * least);
  passes_ = true;
  return Posture::passed;
}

void SingularPassage::limit_rank(Data& data) {
  if (rows_ == 0 || passes_ || starts_singular_ || rank_of(data) == rows_) return;
  data.qr->limit_rank(data.factors());
  side_.qr->limit_rank(data.factors());
  limits_rank_ = true;
}

void SingularPassage::free_rank(Data& data) {
  data.qr->free_rank();
  side_.qr->free_rank();
  limits_rank_ = false;
  freed_rank_ = true;
}

void SingularPassage::leave_out_weak_rows(Data& data, double floor) {
  weight_of_strong_ = data.problem.held().weight;
  for (int row = 0; row < rows_; ++row) {
    const bool kept = data.factors().kept(row);
    if (kept && !(strength_.part_left(data.factors(), row) < floor)) continue;
    weight_of_strong_[row] = 0;
    data.qr->disregard(row);
  }
}

bool SingularPassage::interpolate(Data& data) {
  vdot_.setZero();
  Qc_.setZero();
  u_.setZero();
  vdot_by_fewer_.setZero();
  double nearest = 1;
  for (int k = 1; k <= pairs; ++k) {
    const double weight = 0.5 * weight_of(k, pairs), by_fewer = k < pairs ? 0.5 * weight_of(k, pairs - 1) : 0;
    for (const int side : {k, -k}) {
      if (!solve_beside(data, side * spacing_ / speed_)) return false;
      vdot_ += weight * side_.motion.vdot;
      Qc_ += weight * side_.motion.Qc;
      vdot_by_fewer_ += by_fewer * side_.motion.vdot;
      if (side_.motors) u_ += weight * side_.motors->torques.u;
      if (k == 1) nearest = std::min(nearest, strength_.smallest_part(side_.factors(), rows_));
    }
  }
  // a pair more is worth a factor of ten at least
  const double truncation = 0.1 * largest_rate(data.problem, vdot_ - vdot_by_fewer_) / (speed_ * speed_);
  if (truncation > rounding_at(nearest)) spacing_ = std::max(0.5 * spacing_, shortest);
  data.motion.vdot = vdot_;
  data.motion.Qc = Qc_;
  if (data.motors) data.motors->torques.u = u_;
  data.motion.rank = rank_;
  data.motion.status = rank_ < rows_ ? Status::redundant : Status::regular;
  return true;
}

}  // namespace trammel
