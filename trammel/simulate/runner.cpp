#include "trammel/simulate/runner.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "trammel/math/eps.h"
#include "trammel/motion/torques.h"
#include "trammel/simulate/check_start.h"
#include "trammel/simulate/jump.h"

namespace trammel {
namespace {

int capacity(const SimulateOptions& options) {
  const double every = options.record_every > 0     ? options.record_every
                       : options.method->adaptive() ? options.duration / 1000
                                                    : options.step;
  return static_cast<int>(std::min(options.duration / every, 1e7)) + 3;
}

// The outer bodies of joints.
std::vector<int> bodies_of(const Problem& problem, const std::vector<std::string>& joints) {
  std::vector<int> out;
  for (const std::string& joint : joints) out.push_back(problem.system().model.joint(joint));
  return out;
}

}  // namespace

Runner::Runner(const Problem& problem, const State& start, const SimulateOptions& options)
    : data_(problem),
      options_(options),
      method_(options.method),
      manifold_of_problem_(manifold_of(problem)),
      manifold_(*manifold_of_problem_),
      table_(columns_of(problem, options)),
      meter_(problem, *method_),
      strength_(problem, start, options.duration, StateSizes::least_extent(problem, start)),
      passage_(problem, manifold_, strength_),
      projection_(data_, manifold_, &passage_),
      derivative_(data_, options.drift, meter_, passage_, projects() ? &projection_ : nullptr),
      step_(*method_, manifold_),
      shorter_(*method_, manifold_),
      inside_(data_, *method_, manifold_, derivative_, projects() ? &projection_ : nullptr, PeakWatch::most_steps_back),
      now_(start),
      between_(start),
      slope_{VecX<>(manifold_.nv()), VecX<>(manifold_.nv())},
      scratch_(slope_),
      limits_(problem, options.limits == LimitRule::stop),
      way_{[this] { return inside_.follow(step_); },
           [this](double theta) -> const State& { return inside_.at_part(theta); }},
      motors_(problem),
      frictions_(problem),
      openings_(problem),
      singular_(problem, strength_),
      energy_(problem),
      sizes_(problem, options.duration),
      peaks_(problem, bodies_of(problem, options.reactions), singular_),
      look_inside_{[this](double t) { return solve_inside(t); }, [this](double t) { return inside_.nearest_end(t); }},
      singularities_(problem, strength_),
      endless_(problem.endless()),
      change_(problem.held().rows),
      correction_(manifold_.nv()),
      controllers_(problem, options.controllers, start.t, options.duration),
      inputs_change_(static_cast<bool>(options.set_inputs)),
      t0_(start.t),
      clock_start_(start.t),
      crawled_from_(start.t),
      trembled_from_(start.t) {
  data_.least_extent = StateSizes::least_extent(problem, start);
  data_.with_residuals = false;
  if (method_->adaptive()) derivative_.show(peaks_);  // whose steps may be long
  for (int i = 0; i < manifold_.nv(); ++i) coordinate_of_.push_back(manifold_.coordinate_of(i));
  run_.recording = Recording(table_.columns(), capacity(options));
}

Simulation Runner::run() {
  if (begin())
    while (now_.t < end_time() && advance(end_time())) {
    }
  return conclude();
}

Simulation Runner::conclude() {
  if (run_.status == RunStatus::finished && now_.t < end_time()) stop();
  conclude_peaks();
  run_.end = now_;
  run_.end.q += data_.turns;
  run_.evaluations = derivative_.evaluations();
  for (std::string& warning : limits_.warnings()) run_.warnings.push_back(std::move(warning));
  run_.peaks = peaks_.peaks();
  for (std::size_t j = 0; j < run_.peaks.motors.size(); ++j)
    if (const std::optional<double> t = motors_.unbounded_at(j))
      run_.peaks.motors[j] = {std::numeric_limits<double>::infinity(), *t};
  run_.passages = singularities_.passages();
  run_.near_misses = singularities_.near_misses();
  if (passage_.freed_rank() && run_.status != RunStatus::contradictory)
    run_.warnings.emplace_back(
        "the start is a singular posture: rows that follow from others there are independent on the way; which way "
        "the mechanism leaves it at rest is not determined");
  run_.peaks.joint_names = options_.reactions;
  run_.worst_openings = openings_.openings();
  run_.worst_rates = openings_.rates();
  // of the constraints that motors track
  for (std::size_t i = data_.problem.held().constraints.size(); i < run_.worst_openings.size(); ++i)
    run_.worst_path.include(run_.worst_openings[i]);
  for (std::string& warning : motors_.warnings(data_.problem, run_.worst_path))
    run_.warnings.push_back(std::move(warning));
  run_.left_open = left_open();
  run_.warnings.insert(run_.warnings.end(), run_.left_open.begin(), run_.left_open.end());
  for (std::string& warning : frictions_.warnings()) run_.warnings.push_back(std::move(warning));
  run_.works = meter_.done();
  run_.energy = energy_.balance(likely_cause());
  if (run_.energy.verdict == EnergyBalance::Verdict::suspicious) run_.warnings.push_back(run_.energy.what);
  return std::move(run_);
}

bool Runner::begin() {
  set_inputs();
  if (projects()) {
    if (!factorize(now_, data_)) return left_constraints(now_);
    check_on_constraints(data_);
  }
  if (!arrive()) return false;
  if (projects()) passage_.limit_rank(data_);
  run_.warnings = strength_.singular_texts(data_, "at the start");
  if (data_.motors && data_.motors->torques.status == TorqueStatus::unreachable)
    return finish(RunStatus::unreachable, shortfall_text(data_.problem, data_.motors->torques));
  if (!take_samples()) return false;
  check_compliances(data_);
  springs_at_start_ = spring_energy(data_);
  energy_.begin(data_, now_.v);
  record(now_, meter_.work());
  show();
  const bool beyond = watches_limits() && limits_.note(now_, data_);
  watch();
  open_at_start_ = openings_.openings();
  if (beyond && options_.limits == LimitRule::stop) return finish(RunStatus::at_limit, limits_.last_warning());
  h_ = options_.step;
  if (method_->adaptive()) {
    const double longest = options_.step > 0 ? std::min(options_.step, options_.duration) : options_.duration;
    const std::optional<double> h = options_.duration > 0
                                        ? initial_step(*method_, manifold_, derivative_, now_, slope_,
                                                       options_.tolerance, longest, step_, &sizes_.sizes())
                                        : std::optional(0.0);
    h_ = h.value_or(longest / 1000);
  }
  return true;
}

bool Runner::advance(double until) {
  if (options_.stop && options_.stop->load(std::memory_order_relaxed)) return stop();
  until = std::min(until, next_sample());
  inside_.begin_step();
  if (!take(until)) return false;
  const bool stiff = becomes_stiff();
  if (watches_limits() && !meet_limits()) return give_up(step_.stage);
  ++run_.steps;
  if (!record_between()) return false;
  meter_.end_step(step_.h);

  now_ = step_.end;
  set_clock(until);
  if (!arrive_with_inputs()) return false;
  if (!method_->adaptive() && has_jumped())
    return finish(RunStatus::left_constraints,
                  fmt::format("t = {:.6g} s: the way back onto the constraints is a jump, no small part of the step; "
                              "a law jumps, or the step is too long",
                              now_.t));
  if (!take_samples()) return false;
  energy_.watch(data_, now_.v, meter_);
  if (is_moment(now_.t) || at_limit_) record(now_, meter_.work());
  if (options_.progress) options_.progress(now_.t);
  show();
  if (peaks_.looks_inside() || singularities_.looks_inside()) inside_.keep(step_);
  if (watches_limits()) limits_.note(now_, data_);
  if (!watch()) return give_up(now_);
  if (at_limit_) return finish(RunStatus::at_limit, limits_.last_warning());
  put_turns_apart();
  if (stiff) take_damping_implicitly();
  return !crawls() && !trembles();
}

// The time at the end of a step: multiples of a fixed step are not summed up, and an end that is met to rounding is met.
void Runner::set_clock(double until) {
  if (!method_->adaptive() && !at_limit_)
    now_.t = std::min(clock_start_ + static_cast<double>(++clock_steps_) * options_.step, until);
  if (until - now_.t < 4 * eps * std::max(std::abs(end_time()), options_.duration)) now_.t = until;
  if (now_.t < until) return;
  clock_start_ = now_.t;
  clock_steps_ = 0;
}

// A step that is good enough, into step_.
bool Runner::take(double until) {
  derivative_.take_stages(derivative_.came_near());
  while (true) {
    double h = h_;
    if (now_.t + h * (1 + 1e-10) >= until) h = until - now_.t;
    meter_.restart();
    if (method_->adaptive()) peaks_.begin_stages();
    const StepStatus status = take_step(*method_, manifold_, derivative_, now_, slope_, h, step_);
    if (projects() && derivative_.came_near() && !derivative_.takes_stages()) {
      derivative_.take_stages(true);  // this step again
      continue;
    }
    if (!method_->adaptive()) {
      if (status == StepStatus::done) return true;
      return status == StepStatus::no_derivative
                 ? give_up(step_.stage)
                 : finish(RunStatus::not_a_number, fmt::format("t = {:.6g} s: {}", now_.t, name_of(status)));
    }
    const double error = status == StepStatus::done && !would_jump() && !has_lost_path()
                             ? error_norm(*method_, manifold_, options_.tolerance, step_, &sizes_.sizes())
                             : std::numeric_limits<double>::quiet_NaN();
    const StepVerdict verdict = judge_step(*method_, StepControl{}, error, h, history_);
    const bool was_last = h < h_;
    // a step that was cut short says nothing against the longer one that was due
    h_ = was_last && verdict.accepted ? std::max(h_, verdict.next_h) : verdict.next_h;
    if (options_.step > 0) h_ = std::min(h_, options_.step);
    if (verdict.accepted) {
      h_ = bounded_by_work(h_);
      return true;
    }
    ++run_.rejected_steps;
    if (h_ > 16 * eps * std::max(std::abs(now_.t), options_.duration)) continue;
    if (status == StepStatus::no_derivative && !was_last) return give_up(step_.stage);
    return collapsed();
  }
}

// Whether the constraints are so far off at the end of the step that to meet them would be a jump, by the factors of the last stage that was
// evaluated, which is at that time, and its rows, unless it was taken onto the constraints. Not where inputs are set from outside: rows are
// met wherever these move them.
bool Runner::would_jump() {
  if (!projects() || inputs_change_ || data_.problem.position_rows().empty()) return false;
  if (derivative_.takes_stages()) evaluate_rows(step_.end, data_);
  change_ = -held_phi(data_);
  if (!(largest_error(change_, data_.problem.held().weight) > 1e-6 * extent(data_))) return false;
  least_position_step(change_, data_, correction_);
  return is_jump(*method_, correction_, step_.s, sizes_.sizes());
}

// By the rows of the last stage, which is at the end of the step. Not where inputs are set from outside, for they may move the path.
bool Runner::has_lost_path() const { return !inputs_change_ && path_.is_lost(data_, step_.h); }

// Whether the projection at the end of the step was one.
bool Runner::has_jumped() {
  if (!projects() || stays_ || inputs_change_) return false;
  bool is_small = true;
  for (int i = 0; i < manifold_.nv(); ++i) {
    const int coordinate = coordinate_of_[i];
    correction_[i] = coordinate < 0 ? 0 : now_.q[coordinate] - step_.end.q[coordinate];
    is_small &= std::abs(correction_[i]) <= 0.1 * std::abs(step_.s[i]);
  }
  sizes_.see_places(now_);
  if (is_small) return false;  // by whatever sizes
  sizes_.see(now_, slope_.vdot);
  return is_jump(*method_, correction_, step_.s, sizes_.sizes());
}

// The next step where motors lead the mechanism: no longer than that the error of their work stays below 1e-6 of what is exchanged, or a
// thousandth of the run. The state may be met exactly by any step (a polynomial), and says nothing of their powers.
double Runner::bounded_by_work(double next) const {
  if (!data_.motors) return next;
  const double error = meter_.relative_error(step_.h, energy_.exchanged()) / 1e-6;
  const double bound = step_.h * std::clamp(0.9 * std::pow(error, -1.0 / method_->order), 0.2, 10.0);
  return std::min(next, std::max(bound, 1e-3 * options_.duration));
}

// The slope at now_, on the constraints if they are projected onto.
bool Runner::arrive() {
  if (!projects()) {
    if (!derivative_(now_, slope_)) return give_up(now_);
  } else if (derivative_.takes_stages() || !arrive_by_correction()) {
    if (!projection_.onto_constraints(now_)) return left_constraints(now_);
    if (!derivative_.from_factors(now_, slope_)) return give_up(now_);
  }
  meter_.begin_step();
  if (method_->adaptive()) {
    sizes_.see(now_, slope_.vdot);
    path_.note(data_);
  }
  contradictory_steps_ = contradicts() ? contradictory_steps_ + 1 : 0;
  return contradictory_steps_ < 3 || end_by_contradiction(now_);  // one alone may be rounding
}

// Most steps end on the constraints to rounding, or where a correction with the factors at hand converges. Evaluating the slope
// evaluates the rows too: where the last step needed no correction, this one is expected to need none, and the rows are not
// evaluated by themselves first.
bool Runner::arrive_by_correction() {
  const bool rows_first = !stays_;
  if (rows_first)
    evaluate_rows(now_, data_);
  else if (!derivative_(now_, slope_))
    return false;
  const Projection::Correction correction = projection_.correct(now_);
  stays_ = correction == Projection::Correction::not_needed;
  if (stays_) return !rows_first || derivative_(now_, slope_);
  return correction == Projection::Correction::converged && derivative_(now_, slope_) && projection_.holds(now_);
}

void Runner::set_inputs() {
  if (!options_.set_inputs) return;
  between_ = now_;
  between_.q += data_.turns;
  options_.set_inputs(between_, {data_.inputs.data(), static_cast<std::size_t>(data_.inputs.size())});
}

bool Runner::change_inputs(std::span<const double> values) {
  inputs_before_ = data_.inputs;
  std::ranges::copy(values, data_.inputs.data());
  inputs_change_ = true;
  if (data_.inputs == inputs_before_) return true;
  see_before_change();
  return arrive_with_changed_inputs();
}

// At the end of a step, where inputs may change.
bool Runner::arrive_with_inputs() {
  if (!options_.set_inputs) return arrive();
  inputs_before_ = data_.inputs;
  set_inputs();
  if (data_.inputs == inputs_before_) return arrive();
  see_before_change();
  return arrive_with_changed_inputs();
}

// An input that moves a constraint puts energy in.
bool Runner::arrive_with_changed_inputs() {
  const bool moves = projects() && moves_rows();
  const double before = moves ? total_energy() : 0;
  if (!arrive()) return false;
  if (moves) energy_.put_in(total_energy() - before);
  peaks_.see_leap(data_);
  return true;
}

// Forces leap with inputs: up to the end of the step they are what they are with those of before.
void Runner::see_before_change() {
  data_.inputs.swap(inputs_before_);
  if (derivative_(now_, scratch_)) peaks_.see_leap(data_);
  data_.inputs.swap(inputs_before_);
}

// When a controller acts, or motors are sampled, s.
double Runner::next_sample() const {
  const bool samples_motors = options_.motors_every > 0 && data_.motors;
  const double motors = samples_motors ? t0_ + static_cast<double>(motor_samples_) * options_.motors_every
                                       : std::numeric_limits<double>::infinity();
  return std::min(motors, controllers_.next());
}

// What is due where the run is: controllers first, so that motors see what these have set.
bool Runner::take_samples() {
  if (!controllers_.is_due(next_sample(), now_.t)) return true;
  inputs_before_ = data_.inputs;
  if (run_.steps > 0) peaks_.see_leap(data_);
  if (!controllers_.act(data_))
    return finish(RunStatus::not_a_number, fmt::format("t = {:.6g} s: {}", now_.t, controllers_.what()));
  const bool changed = data_.inputs != inputs_before_;
  const bool of_motors = controllers_.is_due(next_sample(), now_.t);
  if (of_motors) data_.motors->holds = false;
  if (changed ? !arrive_with_changed_inputs() : of_motors && !arrive()) return false;
  if (!of_motors) return true;
  peaks_.see_leap(data_);
  data_.motors->hold();
  ++motor_samples_;
  return true;
}

// Whether the inputs, as they are now, change an error of a row at the end of the step.
bool Runner::moves_rows() {
  evaluate_rows(now_, data_);
  phi_before_ = data_.phi;
  rate_before_ = data_.rate;
  data_.inputs.swap(inputs_before_);
  evaluate_rows(now_, data_);
  data_.inputs.swap(inputs_before_);
  return data_.phi != phi_before_ || data_.rate != rate_before_;
}

// An angle of a thousand turns has three digits less behind the point than one within a turn, and constraints feel it.
void Runner::put_turns_apart() {
  constexpr double turn = 2 * std::numbers::pi, rest_of_turn = 2.4492935982947064e-16;  // 2π is their sum
  for (const int i : endless_) {
    if (std::abs(now_.q[i]) < 3.5) continue;  // not at π itself, about which a joint may swing
    const double turns = std::round(now_.q[i] / turn);
    now_.q[i] = std::fma(-turns, turn, now_.q[i]) - turns * rest_of_turn;
    data_.turns[i] = turn * (std::round(data_.turns[i] / turn) + turns);
  }
}

}  // namespace trammel
