#include "trammel/simulate/peak_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/motion/force_stage.h"

namespace trammel {
namespace {

constexpr double told_apart = 1e-5;     // peaks that differ by less, relatively, are one
constexpr double printed_apart = 5e-5;  // as they are printed

// The sizes of velocities and reactions that the force of a constraint is part of: those on the way from its bodies to the world.
std::vector<int> loaded_sizes(const Problem& problem, int constraint, const ForceSizes& sizes) {
  const Model& model = problem.system().model;
  const Constraint& law = *problem.system().constraints[constraint].law;
  std::vector<bool> loaded(model.body_count(), false);
  std::vector<int> out(law.velocities().begin(), law.velocities().end());
  for (int body : law.bodies())
    for (; body != world; body = model.bodies()[body].parent) loaded[body] = true;
  for (int body = 0; body < model.body_count(); ++body)
    for (int k = 0; loaded[body] && k < model.bodies()[body].nv; ++k) out.push_back(model.bodies()[body].v + k);
  for (int j = 0; j < sizes.joints(); ++j)
    for (int k = 0; loaded[sizes.body(j)] && k < ForceSizes::per_joint; ++k) out.push_back(sizes.of_joint(j) + k);
  return out;
}

}  // namespace

void PeakWatch::Best::see(int k, double size, double when, double near) {
  if (!(size > value[k])) return;
  value[k] = size;
  // a maximum that comes again is no later one; nearby it is the same, found more exactly
  if (!(size > dated[k] * (1 + printed_apart)) && !(std::abs(when - t[k]) <= near)) return;
  dated[k] = size;
  t[k] = when;
}

PeakWatch::Parabola::Parabola(const std::array<double, 3>& times, const std::array<double, 3>& values)
    : t(times[0]), x(values[0]), slope((values[1] - values[0]) / (times[1] - times[0])), t_next(times[1]) {
  half_curvature = ((values[2] - values[1]) / (times[2] - times[1]) - slope) / (times[2] - times[0]);
}

PeakWatch::PeakWatch(const Problem& problem, std::vector<int> joints, RowStrength& strength)
    : sizes_(problem, std::move(joints)),
      strength_(strength),
      values_(MatX<>::Zero(sizes_.count(), 4)),
      now_(VecX<>::Zero(sizes_.count())),
      after_(now_),
      direct_(VecX<>::Zero(sizes_.direct())),
      direct_before_(direct_),
      found_(sizes_.count()),
      recorded_(sizes_.count()),
      singular_(problem.is_tree() ? problem.system().constraints.size() : 0, false),
      singular_since_(sizes_.constraints(), std::numeric_limits<double>::quiet_NaN()),
      size_is_singular_(sizes_.count(), false),
      uniqueness_(sizes_.constraints() + sizes_.joints()) {
  for (int i = 0; i < sizes_.constraints(); ++i)
    loaded_.push_back(loaded_sizes(problem, problem.held().constraints[i], sizes_));
}

bool PeakWatch::watch(Data& data, const Inside& inside) {
  ++steps_;
  const bool skips = ++since_sample_ < apart_;
  const Change change = note_direct(data);
  if (skips && change == Change::none) return false;
  bool looked = false;
  if (skips && change == Change::leap) {
    apart_ = 1;
    looked = sample_both_sides(data, inside);
  } else {
    sample(data);
  }
  looked = look_inside(data, inside, false) || looked;
  choose_distance(data);
  return looked;
}

// Those that the motion has already. How one changes: whether it leaps, or rises to a new peak.
PeakWatch::Change PeakWatch::note_direct(Data& data) {
  sizes_.measure_direct(data, direct_);
  mark_singular(data);
  Change out = Change::none;
  for (int k = 0; k < direct_.size(); ++k) {
    if (size_is_singular_[k]) continue;
    const double peak = found_.value[k];
    if (std::abs(direct_[k] - direct_before_[k]) > 0.1 * peak + rounding(k))
      out = Change::leap;
    else if (out == Change::none && direct_[k] > peak * (1 + printed_apart) + rounding(k))
      out = Change::rise;
  }
  note_direct(direct_, data.at.t, found_);
  direct_before_.swap(direct_);
  return out;
}

void PeakWatch::note_direct(const Eigen::Ref<const VecX<>>& sizes, double t, Best& best) const {
  const double near = span();
  for (int k = 0; k < sizes_.direct(); ++k)
    if (!size_is_singular_[k]) best.see(k, sizes[k], t, near);
}

// Where a constraint is singular, what its force is part of is as little determined as its λ is. Motors give what they give.
void PeakWatch::mark_singular(Data& data) {
  std::fill(size_is_singular_.begin(), size_is_singular_.end(), false);
  if (sizes_.constraints() == 0 || !strength_.mark_singular(data, singular_)) return;
  for (int i = 0; i < sizes_.constraints(); ++i) {
    if (!singular_[data.problem.held().constraints[i]]) continue;
    for (int k = sizes_.of_constraint(i); k < sizes_.of_constraint(i + 1); ++k) size_is_singular_[k] = true;
    for (const int k : loaded_[i]) size_is_singular_[k] = true;
  }
}

// Of the step that has just ended: where forces leap in it, both sides count.
bool PeakWatch::sample_both_sides(Data& data, const Inside& inside) {
  const double now = data.at.t, before = inside.nearest_step_end(now);
  sizes_.measure(data, after_);
  note_all(data, after_, now, found_);
  const bool solved = before > time(0) && measure_at(before, data, inside);
  if (solved) add_sample(now_, before);
  add_sample(after_, now);
  return solved;
}

void PeakWatch::note(Data& data) {
  sizes_.measure(data, now_);
  note_all(data, now_, data.at.t, recorded_);
}

void PeakWatch::finish(Data& data, const Inside& inside) {
  // a run of a single step: its middle is the third sample
  if (samples_ == 2) {
    const double end = time(0);
    if (!measure_at(0.5 * (time(1) + end), data, inside)) return;
    values_.col(2) = values_.col(1);
    values_.col(1) = now_;
    times_ = {times_[0], data.at.t, end, 0};
    ++samples_;
  }
  look_inside(data, inside, true);
}

void PeakWatch::sample(Data& data) {
  sizes_.measure(data, after_);
  note_all(data, after_, data.at.t, found_);
  add_sample(after_, data.at.t);
}

void PeakWatch::add_sample(const VecX<>& sizes, double t) {
  const int column = static_cast<int>(samples_++ % 4);
  times_[column] = t;
  values_.col(column) = sizes;
  since_sample_ = 0;
}

void PeakWatch::note_all(Data& data, const Eigen::Ref<const VecX<>>& sizes, double t, Best& best) {
  mark_singular(data);
  const double near = span();
  for (int k = 0; k < sizes_.count(); ++k) {
    if (size_is_singular_[k]) continue;
    best.see(k, sizes[k], t, near);
    if (&best == &found_) largest_ = std::max(largest_, sizes[k] * sizes_.as_force()[k]);
  }
  for (int i = 0; i < sizes_.constraints(); ++i)
    if (singular_[data.problem.held().constraints[i]] && !(singular_since_[i] <= t)) singular_since_[i] = t;
  if (sizes_.constraints() == 0 || !data.forces->split.redundant()) return;
  for (int i = 0; i < sizes_.constraints(); ++i)
    uniqueness_[i] = std::max(uniqueness_[i], data.forces->split.of_constraint(i));
  for (int j = 0; j < sizes_.joints(); ++j) {
    Uniqueness& of = uniqueness_[sizes_.constraints() + j];
    of = std::max(of, data.forces->split.of_joint(sizes_.body(j)));
  }
}

// Twice as far apart where the parabola through three samples foretells the fourth, else half as far. Sizes that come to zero, where
// they have a kink, do not count. A split costs more than evaluations do, multipliers alone next to nothing.
void PeakWatch::choose_distance(const Data& data) {
  if (samples_ < 4 || sizes_.joints() > 0) return;
  const bool splits = sizes_.constraints() > 0 && data.forces->split.redundant();
  double worst = 0;
  for (int k = 0; k < sizes_.count(); ++k) {
    const double least = 0.3 * found_.value[k] + rounding(k), x = value(k, 0);
    if (x < least || value(k, 1) < least || value(k, 2) < least) continue;
    const Parabola before({time(3), time(2), time(1)}, {value(k, 3), value(k, 2), value(k, 1)});
    worst = std::max(worst, std::abs(before(time(0)) - x) / found_.value[k]);
  }
  const double fair = splits ? 5e-3 : 2e-4;
  if (worst < fair)
    apart_ = std::min(2 * apart_, most_apart);
  else if (worst > 10 * fair)
    apart_ = std::max(apart_ / 2, 1);
}

// Whether size k may have a new peak between the last three samples.
bool PeakWatch::may_have_peak(int k, bool last) const {
  const std::array<double, 3> t{time(2), time(1), time(0)}, x{value(k, 2), value(k, 1), value(k, 0)};
  const bool first = samples_ == 3;
  if (!(x[1] >= x[0] && x[1] >= x[2]) && !(first && x[0] > x[1]) && !(last && x[2] > x[1])) return false;
  const Parabola parabola(t, x);
  const double at = parabola.vertex(), height = parabola(at);
  if (!(parabola.half_curvature < 0 && at > t[0] && at < t[2])) return false;
  double doubt = height - std::max({x[0], x[1], x[2]}), rest = 0;
  if (!first) {
    const Parabola before({time(3), t[0], t[1]}, {value(k, 3), x[0], x[1]});
    const double cubic = (parabola.half_curvature - before.half_curvature) / (t[2] - time(3));
    rest = cubic * (at - t[0]) * (at - t[1]) * (at - t[2]);
    doubt = 2 * std::abs(rest);
  }
  // maxima that return in every period are doubted as long as that costs next to nothing
  const bool doubts = looks_ < 2 * sizes_.count() + steps_ / 128;
  return height + rest + (doubts ? doubt : 0) >
         found_.value[k] * (1 + (doubts ? told_apart : printed_apart)) + rounding(k);
}

bool PeakWatch::look_inside(Data& data, const Inside& inside, bool last) {
  if (samples_ < 3) return false;
  const long before = looks_;
  for (int k = 0; k < sizes_.count(); ++k)
    if (!size_is_singular_[k] && may_have_peak(k, last)) search(k, data, inside);
  return looks_ > before;
}

bool PeakWatch::measure_at(double t, Data& data, const Inside& inside) {
  ++looks_;
  if (!inside.solve_at(t)) return false;
  sizes_.measure(data, now_);
  note_all(data, now_, data.at.t, found_);
  return true;
}

// The maximum of size k between the last three samples.
void PeakWatch::search(int k, Data& data, const Inside& inside) {
  std::array<double, 3> t{time(2), time(1), time(0)}, x{value(k, 2), value(k, 1), value(k, 0)};
  const double shortest = 1e-9 * (t[2] - t[0]);
  constexpr int most = 40;
  for (int i = 0; i < most && t[2] - t[0] > shortest; ++i) {
    const Parabola parabola(t, x);
    // the golden section of the longer part
    double at = t[2] - t[1] > t[1] - t[0] ? t[1] + 0.382 * (t[2] - t[1]) : t[1] - 0.382 * (t[1] - t[0]);
    const double vertex = parabola.vertex(), near = 1e-3 * (t[2] - t[0]);
    const bool by_parabola = parabola.half_curvature < 0 && i % 3 < 2 && vertex > t[0] && vertex < t[2];
    if (by_parabola) at = std::abs(vertex - t[1]) > near ? vertex : t[1] + std::copysign(near, vertex - t[1]);
    const double end = inside.nearest_step_end(at);
    if (i == 0 && end > t[0] && end < t[2] && end != t[1]) at = end;
    if (!measure_at(at, data, inside)) return;
    const double found = now_[k];
    if (std::max(found, x[1]) < std::max(x[0], x[2]) && i >= 2) return;  // it is where the run begins or ends
    if (found >= x[1]) {
      const int side = at < t[1] ? 2 : 0;
      t[side] = t[1];
      x[side] = x[1];
      t[1] = at;
      x[1] = found;
    } else {
      const int side = at < t[1] ? 0 : 2;
      t[side] = at;
      x[side] = found;
    }
    // where one parabola foretold the value, the next one tells what is left to gain
    const Parabola next(t, x);
    const bool foretold = by_parabola && std::abs(found - parabola(at)) < 1e-2 * found;
    if (foretold && next(next.vertex()) < x[1] * (1 + told_apart)) return;
  }
}

Peaks PeakWatch::peaks() const {
  const auto peak = [&](int k) {
    const Best& best = recorded_.value[k] > found_.value[k] * (1 + printed_apart) ? recorded_ : found_;
    return Peak{std::max(found_.value[k], recorded_.value[k]), best.t[k]};
  };
  Peaks out;
  for (int i = 0; i < sizes_.constraints(); ++i) {
    const int k = sizes_.of_constraint(i);
    out.constraints.push_back({peak(k), peak(k + 1), peak(k + 2), uniqueness_[i], {}});
    if (!std::isnan(singular_since_[i])) out.constraints.back().singular_since = singular_since_[i];
  }
  for (int j = 0; j < sizes_.joints(); ++j)
    out.joints.push_back(
        {peak(sizes_.of_joint(j)), peak(sizes_.of_joint(j) + 1), {}, uniqueness_[sizes_.constraints() + j], {}});
  for (int i = 0; i < sizes_.velocities(); ++i) out.velocities.push_back(peak(i));
  for (int j = 0; j < sizes_.motors(); ++j) out.motors.push_back(peak(sizes_.velocities() + j));
  return out;
}

}  // namespace trammel
