// What is to be known of every step of a run.
#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "trammel/motion/force_stage.h"
#include "trammel/simulate/runner.h"

namespace trammel {

// What is to be known of every step. False where there is no motion any more.
bool Runner::watch() {
  motors_.watch(data_);
  frictions_.watch(data_);
  openings_.include(data_);
  const std::size_t met = singularities_.passages().size() + singularities_.near_misses().size();
  if (!look_into_long_step()) return false;
  if (singularities_.watch(data_, look_inside_) && !solve_now()) return false;
  if (singularities_.passages().size() + singularities_.near_misses().size() > met) doubt_branch();
  if (const std::optional<double> t = motors_.just_lost_hold()) {
    peaks_.see_lost_hold(*t, data_, look_inside_);
    if (!solve_now()) return false;
  }
  if (!peaks_.watch(data_, look_inside_)) return true;
  inside_.come_back();
  return factorize(now_, data_);
}

// A step that turns the mechanism by a radian may jump over a singular posture.
bool Runner::look_into_long_step() {
  if (run_.steps == 0 || !singularities_.looks_inside()) return true;
  // a point mass that slides turns nothing: beside its radius of gyration any way is long
  const double length = std::max(data_.problem.moment_length(), sizes_.length());
  const double turn = step_.h * sizes_.largest_rate(now_.v, length);
  if (!singularities_.may_pass_inside(data_, turn)) return true;
  const int parts = std::min(64, static_cast<int>(std::ceil(turn / 0.25)));
  for (int i = 1; i < parts; ++i)
    if (solve_inside(step_.start.t + step_.h * i / parts)) singularities_.watch(data_, look_inside_);
  return solve_now();
}

// Near a singular posture the branches are apart by √(φ/ℓ), which rows that are open by φ may cross. Where runs project they are closed.
void Runner::doubt_branch() {
  if (projects()) return;
  const bool passes = !singularities_.passages().empty() &&
                      (singularities_.near_misses().empty() ||
                       singularities_.passages().back().t > singularities_.near_misses().back().t);
  const Passage& last = passes ? singularities_.passages().back() : singularities_.near_misses().back();
  const double gap = std::sqrt(largest_error(held_phi(data_), data_.problem.held().weight) / extent(data_));
  if (!(gap > std::max(0.3 * last.part, 1e-3)) || !branch_doubt_.empty()) return;
  branch_doubt_ = fmt::format(
      "constraints are open by {:.2g} m at the singular posture near t = {:.4g} s ({}), which may "
      "lead the mechanism to another branch; drift: projection closes them",
      gap * gap * extent(data_), last.t, last.row);
}

// The motion inside a step that was taken lately, as record_between has it; and then again where the last one ends.
bool Runner::solve_inside(double t) { return inside_.solve_at(t, step_); }
bool Runner::solve_now() {
  inside_.come_back();
  return derivative_(now_, scratch_);
}

// Notes the limits of joints that the step which was just taken passes, at its end or where a joint turns back inside it, at the moments when
// it does. Where the run is to stop at one, the step is taken again, up to there. False where there is no motion.
bool Runner::meet_limits() {
  const bool stops = options_.limits == LimitRule::stop;
  const std::vector<double>& turns = limits_.turns_inside(step_, way_);
  if (limits_.watches_efforts() && !inside_.follow(step_)) return false;
  while (const std::optional<double> passed = part_beyond_limit(turns)) {
    if (!stops && !inside_.follow(step_)) return false;
    double before = 0, after = *passed;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (before + after);
      (passes_limit_at(middle) ? after : before) = middle;
    }
    at_limit_ = passes_limit_at(after) && stops;
    if (!limits_.note(between_, data_)) return true;
    if (!at_limit_) continue;
    meter_.restart();
    return take_step(*method_, manifold_, derivative_, now_, slope_, after * step_.h, step_) == StepStatus::done;
  }
  for (const double theta : turns) limits_.note_inside(inside_.at_part(theta));
  return true;
}

// Where a joint that turns back inside the step, or the step's end, is seen to be beyond a limit that was not passed before.
std::optional<double> Runner::part_beyond_limit(const std::vector<double>& turns) {
  for (const double theta : turns)
    if (passes_limit_at(theta)) return theta;
  return passes_limit_at(1) ? std::optional(1.0) : std::nullopt;
}

// Whether a limit is passed at a part of the step that was just taken; between_ is the state there: where a shorter step ends, if the run is
// to end with it.
bool Runner::passes_limit_at(double theta) {
  if (theta == 1) {
    between_ = step_.end;
  } else if (options_.limits == LimitRule::stop) {
    if (take_step(*method_, manifold_, derivative_, now_, slope_, theta * step_.h, shorter_) != StepStatus::done)
      return false;
    between_ = shorter_.end;
  } else {
    between_ = inside_.at_part(theta);
  }
  between_.t = step_.start.t + theta * step_.h;
  if (limits_.watches_efforts() && !derivative_(between_, scratch_)) return false;
  return limits_.passes_another(between_, data_);
}

// The next moment to be recorded, strictly after the last one.
double Runner::next_moment() const { return t0_ + static_cast<double>(recorded_) * options_.record_every; }

bool Runner::is_moment(double t) const {
  const double same = 1e-9 * options_.record_every;
  if (options_.record_every == 0 || t == end_time()) return true;
  return t >= next_moment() - same && t < end_time() - same;  // what is all but the end is left to it
}

double Runner::total_energy() const {
  const EnergyParts now = energy_parts(now_.v, data_);
  return now.kinetic + now.potential;
}

// Whether damping and friction of joints keep the steps so short that more than a thousand are to come.
bool Runner::becomes_stiff() {
  return method_->adaptive() && !method_->implicit() && !data_.motors &&
         stiffness_.watch(data_, derivative_.damping(), step_.end.v, step_.h) && end_time() - now_.t > 1000 * step_.h;
}

void Runner::take_damping_implicitly() {
  method_ = &ark5;
  step_ = shorter_ = Step(*method_, manifold_);
  meter_.use(*method_);
  inside_.use(*method_);
  history_ = {};
  run_.stiff_since = now_.t;
}

// Moments inside the step that was just taken.
bool Runner::record_between() {
  const double last = step_.start.t + step_.h;
  if (options_.record_every == 0 || next_moment() >= last - 1e-9 * options_.record_every) return true;
  if (!inside_.follow(step_)) return give_up(step_.stage);
  while (next_moment() < last - 1e-9 * options_.record_every) {
    const double theta = (next_moment() - step_.start.t) / step_.h;
    const InsideSteps::Solved solved = inside_.solve_at_part(theta, next_moment());
    if (solved == InsideSteps::Solved::off_constraints) return left_constraints(inside_.state());
    if (solved == InsideSteps::Solved::no_motion) return give_up(inside_.state());
    record(inside_.state(), meter_.work_within(step_.h, theta));
  }
  // the factors are those of the last recorded moment; the next projection converges faster with those of the step's end
  return factorize(step_.end, data_) || give_up(step_.end);
}

// A state that was just solved; `works` have been done since the start, by springs as well, whose potentials are part of the energy.
void Runner::record(const State& at, const VecX<>& works) {
  ++recorded_;
  singular_.look(data_);
  table_.write({data_, singular_, at, works.sum() + spring_energy(data_) - springs_at_start_, works},
               run_.recording.add_row());
  const VecX<>& weight = data_.problem.held().weight;
  run_.worst_phi = std::max(run_.worst_phi, largest_error(held_phi(data_), weight));
  run_.worst_rate = std::max(run_.worst_rate, largest_error(held_rate(data_), weight));
  peaks_.note(data_);
}

void Runner::show() {
  if (!options_.at_step) return;
  between_ = now_;
  between_.q += data_.turns;
  options_.at_step(between_);
}

// The last steps: up to the end of the run or, where there is no motion there, up to the last end of a step where there was.
void Runner::conclude_peaks() {
  using enum RunStatus;
  if (run_.steps == 0) return;
  const bool ends_well = run_.status != not_a_number && run_.status != no_motion && run_.status != left_constraints;
  if (ends_well) {
    if (!peaks_.is_sampled_up_to(now_.t)) {
      if (!derivative_(now_, scratch_)) return;
      peaks_.sample(data_);
    }
  } else {
    for (const double t : inside_.last()) {
      if (peaks_.is_sampled_up_to(t)) break;
      if (!solve_inside(t)) continue;
      peaks_.sample(data_);
      break;
    }
  }
  peaks_.finish(data_, look_inside_);
  inside_.come_back();
}

// The constraints that hold, and the paths that motors within their limits track, that were open by more than a thousandth, of a radian or of
// the mechanism, and more than at the start. An error whose unit is not known may be either.
std::vector<std::string> Runner::left_open() const {
  std::vector<std::string> out;
  if (open_at_start_.empty()) return out;
  if (!branch_doubt_.empty()) out.push_back(branch_doubt_);
  const std::vector<Opening> openings = openings_.openings();
  const std::size_t held = data_.problem.held().constraints.size();
  const std::size_t end = motors_.any_met_limit() ? held : openings.size();
  const double length = extent(data_);
  const auto name = [&](std::size_t i) -> const std::string& {
    return data_.problem.system().constraints[data_.problem.asked().constraints[i]].name;
  };
  if (projects() && sizes_.length() > 0)
    for (std::size_t i = 0; i < held; ++i)
      if (openings[i].length > 1e-3 * sizes_.length())
        out.push_back(fmt::format("'{}' is open by {:.2g} m, within what rounding leaves of places up to {:.1g} m",
                                  name(i), openings[i].length, length));
  for (std::size_t i = projects() ? held : 0; i < end; ++i) {
    const Opening &worst = openings[i], &start = open_at_start_[i];
    const bool is_open = worst.length > std::max(1e-3 * length, 3 * start.length) ||
                         worst.angle > std::max(1e-3, 3 * start.angle) ||
                         worst.other > std::max(1e-3 * std::max(1.0, length), 3 * start.other);
    if (!is_open) continue;
    out.push_back(fmt::format("'{}' is {} by {} on the way; {}", name(i), i < held ? "open" : "missed", worst.text(2),
                              i < held ? "a shorter step, or drift: projection, may close it"
                                       : "a shorter step may meet it, or `baumgarte` of its own lead back to it"));
  }
  return out;
}

}  // namespace trammel
