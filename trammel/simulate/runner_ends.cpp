// Why a run ends before its time.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/ranges.h>

#include "trammel/math/eps.h"
#include "trammel/motion/row_dependence.h"
#include "trammel/simulate/runner.h"

namespace trammel {

bool Runner::finish(RunStatus status, std::string what) {
  run_.status = status;
  run_.what = std::move(what);
  return false;
}

bool Runner::stop() { return finish(RunStatus::stopped, fmt::format("t = {:.6g} s", now_.t)); }

// Why there is no motion at a state.
bool Runner::give_up(const State& at) {
  if (derivative_.undetermined()) return end_in_singular_posture(at);
  const Status status = data_.motion.status;
  if (has_motion(status)) return end_off_constraints(at);
  data_.at = at;
  std::string why = why_no_motion(data_);
  if (!why.empty()) why.pop_back();
  return finish(status == Status::not_a_number ? RunStatus::not_a_number : RunStatus::no_motion,
                fmt::format("t = {:.6g} s: {} ({})", at.t, why, name_of(status)));
}

bool Runner::end_in_singular_posture(const State& at) {
  const std::vector<std::string> rows = strength_.singular_texts(data_, "there");
  return finish(
      RunStatus::no_motion,
      fmt::format("t = {:.6g} s: the posture is singular, and the motion into it does not tell how it goes on{}{}",
                  at.t, rows.empty() ? "" : ": ", fmt::join(rows, "; ")));
}

// The constraints do not hold at a state, or there is no motion there at all.
bool Runner::left_constraints(const State& at) {
  if (!derivative_(at, scratch_)) return give_up(at);
  if (contradicts()) return end_by_contradiction(at);
  return end_off_constraints(at);
}

bool Runner::end_off_constraints(const State& at) {
  return finish(RunStatus::left_constraints,
                fmt::format("t = {:.6g} s: no least step leads back onto the constraints; a shorter step may", at.t));
}

bool Runner::end_by_contradiction(const State& at) {
  return finish(RunStatus::contradictory, fmt::format("t = {:.6g} s: {}", at.t, contradiction(data_)));
}

// No step is short enough. Where a law or a force is not a number a little later, that is why.
bool Runner::collapsed() {
  const double span = std::max(std::abs(now_.t), options_.duration);
  between_ = now_;
  for (double ahead = 16 * eps * span; ahead < 1e-6 * span; ahead *= 10) {
    between_.t = now_.t + ahead;
    if (is_not_a_number(between_)) return give_up(between_);
  }
  data_.at = now_;
  const std::string weakest = weakest_row(data_, 0.1);
  const std::string singular =
      weakest.empty()
          ? "no row is near to singular: a law or a force may jump here, or grow without bound"
          : fmt::format("nearest to singular is {}: an arm may be stretched out, or a path lead out of reach", weakest);
  return finish(RunStatus::step_collapsed,
                fmt::format("t = {:.6g} s: steps below {:.1g} s do not meet the tolerance; {}", now_.t, h_, singular));
}

// Whether the steps have become so short that a million of them are less than a thousandth of the run: a force that jumps where it leads the
// motion to (friction by an `if`). Or, of a motion that gets ever faster, that a hundred thousand are less than a ten-thousandth of it, and
// less than half of as many before.
bool Runner::crawls() {
  constexpr long many = 100'000;
  if (!method_->adaptive() || run_.steps < crawled_at_ + many) return false;
  crawled_at_ = run_.steps;
  const double come = now_.t - crawled_from_, of_ten = std::accumulate(crawled_.begin(), crawled_.end(), come);
  const bool shrinks = come < 1e-4 * options_.duration && come < 0.5 * crawled_[0];
  crawled_from_ = now_.t;
  std::shift_right(crawled_.begin(), crawled_.end(), 1);
  crawled_[0] = come;
  if (!shrinks && !(run_.steps >= 10 * many && of_ten < 1e-3 * options_.duration)) return false;
  return !finish(
      RunStatus::step_collapsed,
      fmt::format("t = {:.6g} s: the last {} steps have come {:.1g} s further; a force may jump where it leads "
                  "the motion to, as friction by `if` does, or the motion get ever faster",
                  now_.t, shrinks ? many : 10 * many, shrinks ? come : of_ten));
}

// Whether thousands of steps have come next to nowhere where rows are singular again and again: their gradients vanish wherever the mechanism
// may go, such as an arm that is held stretched out, and rounding decides where it goes.
bool Runner::trembles() {
  constexpr long many = 5000, often = 100;
  if (!method_->adaptive() || run_.steps < trembled_at_ + many) return false;
  const double come = now_.t - trembled_from_;
  const long times = singularities_.trembles() - trembles_before_;
  trembled_at_ = run_.steps;
  trembled_from_ = now_.t;
  trembles_before_ = singularities_.trembles();
  if (times < often || !(come < 1e-2 * options_.duration)) return false;
  const Passage& last = singularities_.near_misses().back();
  return !finish(
      RunStatus::step_collapsed,
      fmt::format(
          "t = {:.6g} s: the last {} steps have come {:.1g} s further, and {} was singular {} times in them: it is so "
          "wherever the mechanism may go, and how that moves is not determined",
          now_.t, many, come, last.row, times));
}

// Whether rows that are held contradict each other in the motion that was just solved. What a singular one leaves open is no contradiction.
bool Runner::contradicts() const {
  return !data_.matrices && data_.motion.status == Status::contradictory && !strength_.any_weak(data_);
}

bool Runner::is_not_a_number(const State& at) {
  return !derivative_(at, scratch_) && data_.motion.status == Status::not_a_number;
}

// Of energy that does not balance.
std::string Runner::likely_cause() const {
  if (method_->adaptive())
    return "a law or a force may change within less than a step (a `step` bounds them), or the tolerance be too "
           "loose";
  return fmt::format("the step of {:g} s may be too long for {}", options_.step, method_->name);
}

}  // namespace trammel
