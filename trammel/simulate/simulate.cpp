#include "trammel/simulate/simulate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/ranges.h>

#include "trammel/math/eps.h"
#include "trammel/model/configuration.h"
#include "trammel/motion/force_stage.h"
#include "trammel/motion/row_dependence.h"
#include "trammel/motion/row_strength.h"
#include "trammel/motion/torques.h"
#include "trammel/simulate/dense_output.h"
#include "trammel/simulate/friction_watch.h"
#include "trammel/simulate/jump.h"
#include "trammel/simulate/limits.h"
#include "trammel/simulate/motion_derivative.h"
#include "trammel/simulate/peak_watch.h"
#include "trammel/simulate/projection.h"
#include "trammel/simulate/recent_steps.h"
#include "trammel/simulate/singularity_watch.h"
#include "trammel/simulate/state_sizes.h"
#include "trammel/system/matrix_system.h"
#include "trammel/system/misaligned.h"
#include "trammel/system/worst_error.h"

namespace trammel {
namespace {

int capacity(const SimulateOptions& options) {
  const double every = options.record_every > 0     ? options.record_every
                       : options.method->adaptive() ? options.duration / 1000
                                                    : options.step;
  return static_cast<int>(std::min(options.duration / every, 1e7)) + 3;
}

void check(const SimulateOptions& options) {
  const auto refuse = [](const char* what, double value, const char* allowed) {
    throw Error(fmt::format("{} {:g}", what, value), allowed);
  };
  if (!(options.duration >= 0) || !std::isfinite(options.duration))
    refuse("duration", options.duration, "0 s or above");
  if (!options.method->adaptive() && !(options.step > 0)) refuse("step", options.step, "above 0 s");
  if (!(options.record_every >= 0)) refuse("record every", options.record_every, "0 s (every step) or above");
  if (options.method->adaptive() &&
      (!(options.tolerance.relative > 0) || !(options.tolerance.absolute.value_or(1) > 0)))
    refuse("tolerance", options.tolerance.relative, "above 0");
  if (options.method->adaptive() && is_below_rounding(options.tolerance))
    refuse("tolerance", options.tolerance.relative, allowed_tolerance().c_str());
}

// Whether the clock can tell a step from the next at all times of the run.
void check_clock(double start, const SimulateOptions& options) {
  const double least = shortest_step(start, options.duration);
  const auto check = [&](const char* what, double value) {
    if (value > 0 && value < least)
      throw Error(fmt::format("{} {:g} s", what, value),
                  fmt::format("{:.2g} s or above, the resolution of the clock in this run", least));
  };
  check("step", options.step);
  check("record every", options.record_every);
}

// The start of a run that projects: the constraints hold nearly enough for projections to converge.
void check_on_constraints(const Data& data) {
  WorstError open;
  for (int row = 0; row < data.problem.held().rows; ++row)
    open.see(data.phi[row], data.problem.held().weight[row], data.problem.rows()[row].unit);
  if (open.length() > 1e-6 * extent(data))
    throw Error(fmt::format("a start that is off the constraints by {}", open.text()),
                "one on them, where a run projects: assemble it first, or choose another drift control");
}

// Elastic rows and rows that slip have no common limit, where they share a force.
void check_compliances(Data& data) {
  if (data.matrices || std::ranges::none_of(data.problem.system().constraints,
                                            [](const NamedConstraint& named) { return named.compliance.has_value(); }))
    return;
  held_multipliers(data);
  if (const std::vector<std::string> names = data.forces->split.elastic_and_slipping(data.problem); !names.empty())
    throw Error(
        fmt::format("compliances of '{}', which share a force although some give way and some slip",
                    fmt::join(names, "', '")),
        "compliances of constraints that hold places, or of such that hold velocities, where they share a force");
}

// The start as the problem takes it: quaternions of length one.
State checked_start(const Problem& problem, const State& start) {
  State out = start;
  if (problem.is_tree()) out.q = checked_configuration(problem.system().model, start.q);
  if (start.v.size() != problem.nv())
    throw Error(fmt::format("{} velocities", start.v.size()), fmt::format("{}", problem.nv()));
  return out;
}

// Refuses false solutions, whatever the drift control, and places from which Baumgarte's would lead to one.
void check_alignment(const Problem& problem, const State& start) {
  if (!problem.is_tree()) return;
  const System& system = problem.system();
  Positions<> where(system.model);
  positions<double>(system.model, start.q, where);
  const std::vector<double> inputs = system.input_values();
  const Placement<double> at{where, start.q, start.t, inputs};
  for (int i = 0; i < static_cast<int>(system.constraints.size()); ++i) {
    const Constraint& law = *system.constraints[i].law;
    const Misaligned found{i, law.misalignment(at).norm()};
    if (is_aligned(found.angle)) continue;
    VecX<> phi = VecX<>::Zero(law.rows());
    law.phi(at, phi);
    if (phi.norm() > 1e-6 && problem.baumgarte(i).beta == 0) continue;
    throw Error(fmt::format("a start at which '{}' is open by {}", system.constraints[i].name, found.text()),
                "one at which it is turned by less than a right angle: its rows also hold at false orientations");
  }
}

// Options and start together, before anything is computed.
State checked(const Problem& problem, const State& start, const SimulateOptions& options) {
  check(options);
  check_clock(start.t, options);
  if (motion_options(options) != problem.options())
    throw Error("options of a run that differ from those its problem was compiled with",
                "a rank tolerance and gains of Baumgarte's as motion_options gives them");
  State out = checked_start(problem, start);
  check_alignment(problem, out);
  return out;
}

// The outer bodies of joints.
std::vector<int> bodies_of(const Problem& problem, const std::vector<std::string>& joints) {
  std::vector<int> out;
  for (const std::string& joint : joints) out.push_back(problem.system().model.joint(joint));
  return out;
}

// One run, from its start to its end.
class Runner {
 public:
  Runner(const Problem& problem, const State& start, const SimulateOptions& options)
      : data_(problem),
        options_(options),
        method_(*options.method),
        manifold_of_problem_(manifold_of(problem)),
        manifold_(*manifold_of_problem_),
        table_(columns_of(problem, options)),
        meter_(problem, method_),
        strength_(problem, start, options.duration),
        passage_(problem, manifold_, strength_),
        projection_(data_, manifold_, &passage_),
        derivative_(data_, options.drift, meter_, passage_, projects() && !method_.adaptive() ? &projection_ : nullptr),
        step_(method_, manifold_),
        again_(method_, manifold_),
        steps_(manifold_, PeakWatch::most_steps_back),
        turns_before_(data_.turns),
        dense_(method_, manifold_),
        now_(start),
        between_(start),
        slope_{VecX<>(manifold_.nv()), VecX<>(manifold_.nv())},
        scratch_(slope_),
        limits_(problem, options.limits == LimitRule::stop),
        motors_(problem),
        frictions_(problem),
        openings_(problem),
        singular_(problem, strength_),
        energy_(problem),
        sizes_(problem, options.duration),
        peaks_(problem, bodies_of(problem, options.reactions), singular_),
        inside_{[this](double t) { return solve_inside(t); }, [this](double t) { return steps_.nearest_end(t); }},
        singularities_(problem, strength_),
        endless_(problem.endless()),
        change_(problem.held().rows),
        correction_(manifold_.nv()),
        t0_(start.t) {
    data_.least_extent = StateSizes::least_extent(problem, start);
    run_.recording = Recording(table_.columns(), capacity(options));
  }

  Simulation run() {
    if (begin()) {
      while (now_.t < end_time() && advance()) {
      }
    }
    conclude_peaks();
    run_.end = now_;
    run_.end.q += data_.turns;
    run_.evaluations = derivative_.evaluations();
    for (std::string& warning : limits_.warnings()) run_.warnings.push_back(std::move(warning));
    run_.peaks = peaks_.peaks();
    run_.passages = singularities_.passages();
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

 private:
  bool watches_limits() const { return options_.limits != LimitRule::ignore && !limits_.empty(); }
  bool projects() const { return options_.drift.kind == Drift::projection; }
  double end_time() const { return t0_ + options_.duration; }

  bool finish(RunStatus status, std::string what) {
    run_.status = status;
    run_.what = std::move(what);
    return false;
  }
  // The constraints that hold and were open by more than a thousandth, of a radian or of the mechanism, and more than at the start. An error
  // whose unit is not known may be either.
  std::vector<std::string> left_open() const {
    std::vector<std::string> out;
    if (projects() || open_at_start_.empty()) return out;
    const std::vector<Opening> openings = openings_.openings();
    for (std::size_t i = 0; i < data_.problem.held().constraints.size(); ++i) {
      const Opening &worst = openings[i], &start = open_at_start_[i];
      if (worst.length > std::max(1e-3 * extent(data_), 3 * start.length) ||
          worst.angle > std::max(1e-3, 3 * start.angle) ||
          worst.other > std::max(1e-3 * std::max(1.0, extent(data_)), 3 * start.other))
        out.push_back(fmt::format("'{}' is open by {} on the way; a shorter step, or drift: projection, may close it",
                                  data_.problem.system().constraints[data_.problem.held().constraints[i]].name,
                                  worst.text(2)));
    }
    return out;
  }

  // Of energy that does not balance.
  std::string likely_cause() const {
    if (method_.adaptive())
      return "a law or a force may change within less than a step (a `step` bounds them), or the tolerance be too "
             "loose";
    return fmt::format("the step of {:g} s may be too long for {}", options_.step, method_.name);
  }

  // Why there is no motion at a state.
  bool give_up(const State& at) {
    if (derivative_.undetermined()) return end_in_singular_posture(at);
    const Status status = data_.motion.status;
    data_.at = at;
    std::string why = why_no_motion(data_);
    if (!why.empty()) why.pop_back();
    return finish(status == Status::not_a_number ? RunStatus::not_a_number : RunStatus::no_motion,
                  fmt::format("t = {:.6g} s: {} ({})", at.t, why, name_of(status)));
  }

  bool end_in_singular_posture(const State& at) {
    const std::vector<std::string> rows = strength_.singular_texts(data_, "there");
    return finish(
        RunStatus::no_motion,
        fmt::format("t = {:.6g} s: the posture is singular, and the motion into it does not tell how it goes on{}{}",
                    at.t, rows.empty() ? "" : ": ", fmt::join(rows, "; ")));
  }

  // The constraints do not hold at a state, or there is no motion there at all.
  bool left_constraints(const State& at) {
    if (!derivative_(at, scratch_)) return give_up(at);
    if (contradicts()) return end_by_contradiction(at);
    return finish(RunStatus::left_constraints,
                  fmt::format("t = {:.6g} s: no least step leads back onto the constraints; a shorter step may", at.t));
  }

  // Whether rows that are held contradict each other in the motion that was just solved. What a singular one leaves open is no contradiction.
  bool contradicts() const {
    return !data_.matrices && data_.motion.status == Status::contradictory && !strength_.any_weak(data_);
  }
  bool end_by_contradiction(const State& at) {
    return finish(RunStatus::contradictory, fmt::format("t = {:.6g} s: {}", at.t, contradiction(data_)));
  }

  bool is_not_a_number(const State& at) {
    return !derivative_(at, scratch_) && data_.motion.status == Status::not_a_number;
  }

  // No step is short enough. Where a law or a force is not a number a little later, that is why.
  bool collapsed() {
    const double span = std::max(std::abs(now_.t), options_.duration);
    between_ = now_;
    for (double ahead = 16 * eps * span; ahead < 1e-6 * span; ahead *= 10) {
      between_.t = now_.t + ahead;
      if (is_not_a_number(between_)) return give_up(between_);
    }
    data_.at = now_;
    const std::string weakest = weakest_row(data_);
    const std::string singular =
        weakest.empty()
            ? "the motion may be singular here"
            : fmt::format("nearest to singular is {}: an arm may be stretched out, or a path lead out of reach",
                          weakest);
    return finish(
        RunStatus::step_collapsed,
        fmt::format("t = {:.6g} s: steps below {:.1g} s do not meet the tolerance; {}", now_.t, h_, singular));
  }

  // The slope at now_, on the constraints if they are projected onto.
  bool arrive() {
    if (!projects()) {
      if (!derivative_(now_, slope_)) return give_up(now_);
    } else if (!arrive_by_correction()) {
      if (!projection_.onto_constraints(now_)) return left_constraints(now_);
      if (!derivative_.from_factors(now_, slope_)) return give_up(now_);
    }
    meter_.begin_step();
    sizes_.see(now_, slope_.vdot);
    contradictory_steps_ = contradicts() ? contradictory_steps_ + 1 : 0;
    return contradictory_steps_ < 3 || end_by_contradiction(now_);  // one alone may be rounding
  }

  // Most steps end on the constraints to rounding, or where a correction with the factors at hand converges. Evaluating the slope
  // evaluates the rows too: where the last step needed no correction, this one is expected to need none, and the rows are not
  // evaluated by themselves first.
  bool arrive_by_correction() {
    const bool rows_first = !stays_;
    if (rows_first)
      evaluate_rows(now_, data_);
    else if (!derivative_(now_, slope_))
      return false;
    else
      now_ = data_.at;  // which may have been taken onto the constraints
    const Projection::Correction correction = projection_.correct(now_);
    stays_ = correction == Projection::Correction::not_needed;
    if (stays_) return !rows_first || derivative_(now_, slope_);
    return correction == Projection::Correction::converged && derivative_(now_, slope_) && projection_.holds(now_);
  }

  void set_inputs() {
    if (!options_.set_inputs) return;
    between_ = now_;
    between_.q += data_.turns;
    options_.set_inputs(between_, {data_.inputs.data(), static_cast<std::size_t>(data_.inputs.size())});
  }

  // At the end of a step, where inputs may change. One that moves a constraint puts energy in.
  bool arrive_with_inputs() {
    if (!options_.set_inputs) return arrive();
    inputs_before_ = data_.inputs;
    set_inputs();
    if (!projects() || data_.inputs == inputs_before_ || !moves_rows()) return arrive();
    const double before = total_energy();
    if (!arrive()) return false;
    energy_.put_in(total_energy() - before);
    return true;
  }
  // Whether the inputs, as they are now, change an error of a row at the end of the step.
  bool moves_rows() {
    evaluate_rows(now_, data_);
    phi_before_ = data_.phi;
    rate_before_ = data_.rate;
    data_.inputs.swap(inputs_before_);
    evaluate_rows(now_, data_);
    data_.inputs.swap(inputs_before_);
    return data_.phi != phi_before_ || data_.rate != rate_before_;
  }
  double total_energy() const {
    const EnergyParts now = energy_parts(now_.v, data_);
    return now.kinetic + now.potential;
  }

  bool begin() {
    set_inputs();
    if (projects()) {
      if (!factorize(now_, data_)) return left_constraints(now_);
      check_on_constraints(data_);
    }
    if (!arrive()) return false;
    run_.warnings = strength_.singular_texts(data_, "at the start");
    if (data_.motors && data_.motors->torques.status == TorqueStatus::unreachable)
      return finish(RunStatus::unreachable, shortfall_text(data_.problem, data_.motors->torques));
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
    if (method_.adaptive()) {
      const double longest = options_.step > 0 ? std::min(options_.step, options_.duration) : options_.duration;
      const std::optional<double> h = options_.duration > 0
                                          ? initial_step(method_, manifold_, derivative_, now_, slope_,
                                                         options_.tolerance, longest, step_, &sizes_.sizes())
                                          : std::optional(0.0);
      h_ = h.value_or(longest / 1000);
    }
    return true;
  }

  // One step forward, its moments recorded.
  bool advance() {
    if (options_.stop && options_.stop->load(std::memory_order_relaxed))
      return finish(RunStatus::stopped, fmt::format("t = {:.6g} s", now_.t));
    if (!take()) return false;
    if (watches_limits() && !meet_limits()) return give_up(step_.stage);
    ++run_.steps;
    if (!record_between()) return false;
    meter_.end_step(step_.h);

    now_ = step_.end;
    if (!method_.adaptive() && !at_limit_)
      now_.t = std::min(t0_ + static_cast<double>(run_.steps) * options_.step, end_time());
    if (end_time() - now_.t < 4 * eps * std::max(std::abs(end_time()), options_.duration)) now_.t = end_time();
    if (!arrive_with_inputs()) return false;
    if (!method_.adaptive() && has_jumped())
      return finish(RunStatus::left_constraints,
                    fmt::format("t = {:.6g} s: the way back onto the constraints is a jump, no small part of the step; "
                                "a law jumps, or the step is too long",
                                now_.t));
    energy_.watch(data_, now_.v, meter_);
    if (is_moment(now_.t) || at_limit_) record(now_, meter_.work());
    if (options_.progress) options_.progress(now_.t);
    show();
    if (peaks_.looks_inside() || singularities_.looks_inside()) steps_.keep(step_, data_.turns);
    if (watches_limits()) limits_.note(now_, data_);
    if (!watch()) return give_up(now_);
    if (at_limit_) return finish(RunStatus::at_limit, limits_.last_warning());
    put_turns_apart();
    return true;
  }

  // Notes the limits of joints that the step which was just taken passes, at the moments when it does. Where the run is to stop at one, the
  // step is taken again, up to there. False where there is no motion.
  bool meet_limits() {
    const bool stops = options_.limits == LimitRule::stop;
    if (limits_.watches_efforts() && !make_dense_of_step()) return false;
    while (passes_limit_at(1)) {
      if (!stops && !make_dense_of_step()) return false;
      double before = 0, after = 1;
      for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (before + after);
        (passes_limit_at(middle) ? after : before) = middle;
      }
      at_limit_ = passes_limit_at(after) && stops;
      if (!limits_.note(between_, data_)) return true;
      if (!at_limit_) continue;
      meter_.restart();
      return take_step(method_, manifold_, derivative_, now_, slope_, after * step_.h, step_) == StepStatus::done;
    }
    return true;
  }
  // Whether a limit is passed at a part of the step that was just taken; between_ is the state there: where a shorter step ends, if the run is
  // to end with it.
  bool passes_limit_at(double theta) {
    if (theta == 1) {
      between_ = step_.end;
    } else if (options_.limits == LimitRule::stop) {
      if (take_step(method_, manifold_, derivative_, now_, slope_, theta * step_.h, again_) != StepStatus::done)
        return false;
      between_ = again_.end;
    } else {
      interpolate(manifold_, dense_, theta, between_);
    }
    between_.t = step_.start.t + theta * step_.h;
    if (limits_.watches_efforts() && !derivative_(between_, scratch_)) return false;
    return limits_.passes_another(between_, data_);
  }
  bool make_dense_of_step() { return make_dense(method_, manifold_, derivative_, step_, dense_) == StepStatus::done; }

  // What is to be known of every step. False where there is no motion any more.
  bool watch() {
    motors_.watch(data_);
    frictions_.watch(data_);
    openings_.include(data_);
    if (singularities_.watch(data_, inside_) && !derivative_(now_, scratch_)) return false;
    const bool solved_elsewhere = peaks_.watch(data_, inside_);
    return !solved_elsewhere || factorize(now_, data_);
  }

  // The motion inside a step that was taken lately, as record_between has it. Not where inputs are set from outside: they may have changed.
  bool solve_inside(double t) {
    if (options_.set_inputs || !steps_.restore(t, again_, turns_before_)) return false;
    data_.turns.swap(turns_before_);
    const bool solved =
        t == again_.start.t ? derivative_(again_.start, scratch_) : make_dense_again() && solve_between(t);
    data_.turns.swap(turns_before_);
    return solved;
  }
  bool make_dense_again() {
    if (dense_.start.t == again_.start.t && dense_.h == again_.h) return true;
    if (step_.start.t == again_.start.t)
      return make_dense(method_, manifold_, derivative_, step_, dense_) == StepStatus::done;
    return take_step(method_, manifold_, derivative_, again_.start, again_.at_start, again_.h, again_) ==
               StepStatus::done &&
           make_dense(method_, manifold_, derivative_, again_, dense_) == StepStatus::done;
  }
  bool solve_between(double t) {
    interpolate(manifold_, dense_, (t - dense_.start.t) / dense_.h, between_);
    between_.t = t;
    return factorize(between_, data_) && (!projects() || projection_.onto_constraints(between_)) &&
           derivative_.from_factors(between_, scratch_);
  }

  // The last steps, where the run came to an end on the constraints.
  void conclude_peaks() {
    using enum RunStatus;
    if (run_.steps == 0 || run_.status == not_a_number || run_.status == no_motion || run_.status == left_constraints)
      return;
    if (!peaks_.was_sampled(now_.t)) {
      if (!derivative_(now_, scratch_)) return;
      peaks_.sample(data_);
    }
    peaks_.finish(data_, inside_);
  }

  void show() {
    if (!options_.at_step) return;
    between_ = now_;
    between_.q += data_.turns;
    options_.at_step(between_);
  }

  // An angle of a thousand turns has three digits less behind the point than one within a turn, and constraints feel it.
  void put_turns_apart() {
    constexpr double turn = 2 * std::numbers::pi, rest_of_turn = 2.4492935982947064e-16;  // 2π is their sum
    for (const int i : endless_) {
      if (std::abs(now_.q[i]) < 3.5) continue;  // not at π itself, about which a joint may swing
      const double turns = std::round(now_.q[i] / turn);
      now_.q[i] = std::fma(-turns, turn, now_.q[i]) - turns * rest_of_turn;
      data_.turns[i] = turn * (std::round(data_.turns[i] / turn) + turns);
    }
  }

  // Whether the constraints are so far off at the end of the step that to meet them would be a jump, by the rows and factors of the last stage
  // that was evaluated, which is at that time. Not where inputs are set from outside: rows are met wherever these move
  // them.
  bool would_jump() {
    if (!projects() || options_.set_inputs || data_.problem.position_rows().empty()) return false;
    change_ = -held_phi(data_);
    if (!(largest_error(change_, data_.problem.held().weight) > 1e-6 * extent(data_))) return false;
    least_position_step(change_, data_, correction_);
    return is_jump(method_, correction_, step_.s, sizes_.sizes());
  }

  // Whether the projection at the end of the step was one.
  bool has_jumped() {
    if (!projects() || stays_ || options_.set_inputs) return false;
    for (int i = 0; i < manifold_.nv(); ++i) {
      const int coordinate = manifold_.coordinate_of(i);
      correction_[i] = coordinate < 0 ? 0 : now_.q[coordinate] - step_.end.q[coordinate];
    }
    return is_jump(method_, correction_, step_.s, sizes_.sizes());
  }

  // The next step where motors lead the mechanism: no longer than that the error of their work stays below 1e-6 of what is exchanged, or a
  // thousandth of the run. The state may be met exactly by any step (a polynomial), and says nothing of their powers.
  double bounded_by_work(double next) const {
    if (!data_.motors) return next;
    const double error = meter_.relative_error(step_.h, energy_.exchanged()) / 1e-6;
    const double bound = step_.h * std::clamp(0.9 * std::pow(error, -1.0 / method_.order), 0.2, 10.0);
    return std::min(next, std::max(bound, 1e-3 * options_.duration));
  }

  // A step that is good enough, into step_.
  bool take() {
    while (true) {
      double h = h_;
      const double left = end_time() - now_.t;
      if (now_.t + h * (1 + 1e-10) >= end_time()) h = left;
      meter_.restart();
      const StepStatus status = take_step(method_, manifold_, derivative_, now_, slope_, h, step_);
      if (!method_.adaptive()) {
        if (status == StepStatus::done) return true;
        return status == StepStatus::no_derivative
                   ? give_up(step_.stage)
                   : finish(RunStatus::not_a_number, fmt::format("t = {:.6g} s: {}", now_.t, name_of(status)));
      }
      const double error = status == StepStatus::done && !would_jump()
                               ? error_norm(method_, manifold_, options_.tolerance, step_, &sizes_.sizes())
                               : std::numeric_limits<double>::quiet_NaN();
      const StepVerdict verdict = judge_step(method_, StepControl{}, error, h, history_);
      const bool was_last = h < h_;
      h_ = verdict.next_h;
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

  // The next moment to be recorded, strictly after the last one.
  double next_moment() const { return t0_ + static_cast<double>(recorded_) * options_.record_every; }
  bool is_moment(double t) const {
    return options_.record_every == 0 || t == end_time() || t >= next_moment() - 1e-9 * options_.record_every;
  }

  // Moments inside the step that was just taken.
  bool record_between() {
    const double last = step_.start.t + step_.h;
    if (options_.record_every == 0 || next_moment() >= last - 1e-9 * options_.record_every) return true;
    if (make_dense(method_, manifold_, derivative_, step_, dense_) != StepStatus::done) return give_up(step_.stage);
    while (next_moment() < last - 1e-9 * options_.record_every) {
      const double theta = (next_moment() - step_.start.t) / step_.h;
      interpolate(manifold_, dense_, theta, between_);
      between_.t = next_moment();
      if (!factorize(between_, data_)) return give_up(between_);
      if (projects() && !projection_.onto_constraints(between_)) return left_constraints(between_);
      if (!derivative_.from_factors(between_, scratch_)) return give_up(between_);
      record(between_, meter_.work_within(step_.h, theta));
    }
    // the factors are those of the last recorded moment; the next projection converges faster with those of the step's end
    return factorize(step_.end, data_) || give_up(step_.end);
  }

  // A state that was just solved; `works` have been done since the start, by springs as well, whose potentials are part of the energy.
  void record(const State& at, const VecX<>& works) {
    ++recorded_;
    singular_.look(data_);
    table_.write({data_, singular_, at, works.sum() + spring_energy(data_) - springs_at_start_, works},
                 run_.recording.add_row());
    const VecX<>& weight = data_.problem.held().weight;
    run_.worst_phi = std::max(run_.worst_phi, largest_error(held_phi(data_), weight));
    run_.worst_rate = std::max(run_.worst_rate, largest_error(held_rate(data_), weight));
    peaks_.note(data_);
  }

  Data data_;
  const SimulateOptions& options_;
  const Tableau& method_;
  const std::unique_ptr<Manifold> manifold_of_problem_;
  const Manifold& manifold_;
  ColumnTable table_;
  WorkMeter meter_;
  RowStrength strength_;
  SingularPassage passage_;
  Projection projection_;
  MotionDerivative derivative_;
  Step step_, again_;
  RecentSteps steps_;
  VecX<> turns_before_;
  DenseOutput dense_;
  StepHistory history_;
  State now_, between_;
  VecX<> inputs_before_, phi_before_, rate_before_;
  Slope slope_, scratch_;
  LimitWatch limits_;
  MotorWatch motors_;
  FrictionWatch frictions_;
  WorstOpenings openings_;
  SingularForces singular_;
  std::vector<Opening> open_at_start_;
  EnergyWatch energy_;
  StateSizes sizes_;
  PeakWatch peaks_;
  PeakWatch::Inside inside_;
  SingularityWatch singularities_;
  std::span<const int> endless_;
  VecX<> change_, correction_;
  int contradictory_steps_ = 0;  // one after the other
  bool stays_ = false;           // whether the last step ended on the constraints by itself
  bool at_limit_ = false;        // whether it ends at a joint's limit, where the run is to stop
  double t0_, h_ = 0, springs_at_start_ = 0;
  long recorded_ = 0;
  Simulation run_;
};

}  // namespace

std::string_view name_of(RunStatus status) {
  switch (status) {
    case RunStatus::finished:
      return "finished";
    case RunStatus::stopped:
      return "stopped";
    case RunStatus::at_limit:
      return "at a joint's limit";
    case RunStatus::not_a_number:
      return "not a number";
    case RunStatus::unreachable:
      return "unreachable";
    case RunStatus::no_motion:
      return "no motion";
    case RunStatus::contradictory:
      return "contradictory constraints";
    case RunStatus::step_collapsed:
      return "step collapsed";
    default:
      return "left the constraints";
  }
}

bool is_below_rounding(const Tolerance& tolerance) {
  return std::max(tolerance.relative, tolerance.absolute.value_or(0)) < 4 * eps;
}
std::string allowed_tolerance() {
  return fmt::format("{:.1g} or above, some roundings; what can be had is about 1e-13, with dop8", 4 * eps);
}
double shortest_step(double start, double duration) {
  return 4 * eps * std::max(std::abs(start), std::abs(start + duration));
}

MotionOptions motion_options(const SimulateOptions& options) {
  return {options.rank, options.drift.kind == Drift::baumgarte ? options.drift.gains : Baumgarte{}};
}

ColumnTable columns_of(const Problem& problem, const SimulateOptions& options) {
  return {problem, {options.frames, options.angles, options.reactions, options.reaction_axes}};
}

Simulation simulate(const Problem& problem, const State& start, const SimulateOptions& options) {
  return Runner(problem, checked(problem, start, options), options).run();
}

Simulation simulate(const System& system, const State& start, const SimulateOptions& options) {
  return simulate(compile(system, motion_options(options)), start, options);
}

Simulation simulate(const MatrixSystem& system, const State& start, const SimulateOptions& options) {
  return simulate(compile(system, motion_options(options)), start, options);
}

void check_start(const Problem& problem, const State& start, const SimulateOptions& options) {
  const State at = checked(problem, start, options);
  if (options.drift.kind != Drift::projection) return;
  Data data(problem);
  data.least_extent = StateSizes::least_extent(problem, at);
  if (factorize(at, data)) check_on_constraints(data);
}

}  // namespace trammel
