#include "trammel/simulate/peak_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/motion/force_stage.h"

namespace trammel {
namespace {

constexpr double printed_apart = 5e-5;  // as they are printed
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

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

PeakWatch::PeakWatch(const Problem& problem, std::vector<int> joints, SingularForces& singular)
    : sizes_(problem, std::move(joints)),
      singular_(singular),
      values_(MatX<>::Zero(sizes_.count(), kept)),
      now_(VecX<>::Zero(sizes_.count())),
      after_(now_),
      direct_(VecX<>::Zero(sizes_.direct())),
      direct_before_(direct_),
      at_stage_(direct_),
      at_stages_(direct_),
      stage_times_(direct_),
      denied_(direct_),
      found_(sizes_.count()),
      recorded_(sizes_.count()),
      singular_since_(sizes_.constraints(), nan),
      last_singular_(VecX<>::Constant(sizes_.count(), nan)),
      no_bound_at_(last_singular_),
      uniqueness_(sizes_.constraints() + sizes_.joints()) {}

bool PeakWatch::watch(Data& data, const Inside& inside) {
  if (sizes_.none()) return false;
  if (sees_stages_) compare_stages(data);
  const bool looked = watch_samples(data, inside);
  return look_at_stages(data, inside) || looked;
}

bool PeakWatch::watch_samples(Data& data, const Inside& inside) {
  ++steps_;
  bool looked = false;
  if (++since_sample_ >= apart_) {
    sample(data);
  } else {
    const Change change = note_direct(data);
    if (change == Change::none) return false;
    if (change == Change::leap) apart_ = 1;
    if (change == Change::climb)
      sample(data);
    else
      looked = sample_both_sides(data, inside);
  }
  looked = look_inside(data, inside, false) || looked;
  choose_distance(data);
  return looked;
}

void PeakWatch::measure(Data& data, VecX<>& out) {
  sizes_.measure(data, out);
  singular_.look(data);
  if (singular_.any()) hide_singular(data, out);
}

// Sizes, all or the direct ones, are not numbers where they are singular.
void PeakWatch::hide_singular(const Data& data, VecX<>& sizes) {
  was_singular_ = true;
  const auto hide = [&](int k) {
    last_singular_[k] = data.at.t;
    if (k < sizes.size()) sizes[k] = nan;
  };
  for (int c = 0; c < sizes_.velocities(); ++c)
    if (singular_.velocity(c)) hide(c);
  for (int i = 0; i < sizes_.constraints(); ++i) {
    if (!singular_.constraint(i)) continue;
    if (!(singular_since_[i] <= data.at.t)) singular_since_[i] = data.at.t;
    for (int k = sizes_.of_constraint(i); k < sizes_.of_constraint(i + 1); ++k) hide(k);
  }
  for (int j = 0; j < sizes_.joints(); ++j)
    for (int k = sizes_.of_joint(j); singular_.joint(sizes_.body(j)) && k < sizes_.of_joint(j + 1); ++k) hide(k);
}

// Those that the motion has already. How they change: whether one leaps, or climbs to new peaks by a tenth since the last sample, or
// none rises to a new peak any more.
PeakWatch::Change PeakWatch::note_direct(Data& data) {
  sizes_.measure_direct(data, direct_);
  bool leaps = false, rises = false, climbs = false;
  if (!is_quiet()) {
    singular_.look(data);
    if (singular_.any()) hide_singular(data, direct_);
    const double near = span();
    for (int k = 0; k < direct_.size(); ++k) {
      const double peak = found_.value[k];
      leaps |= std::abs(direct_[k] - direct_before_[k]) > 0.1 * peak + rounding(k);
      const bool is_new = direct_[k] > peak * (1 + printed_apart) + rounding(k);
      rises |= is_new;
      climbs |= is_new && !(direct_[k] <= 1.1 * value(k, 0));
      found_.see(k, direct_[k], data.at.t, near);
    }
  }
  direct_before_.swap(direct_);
  const bool passes_top = rose_ && !rises;
  rose_ = rises;
  return leaps ? Change::leap : passes_top ? Change::top : climbs ? Change::climb : Change::none;
}

// Whether no direct size leaps or is above its peak, as it is at the end of most steps.
bool PeakWatch::is_quiet() const {
  const double floor = 1e-9 * largest_;
  const double *size = direct_.data(), *before = direct_before_.data(), *peak = found_.value.data(),
               *unit = sizes_.unit().data();
  for (int k = 0, n = sizes_.direct(); k < n; ++k)
    if (size[k] > peak[k] || std::abs(size[k] - before[k]) > 0.1 * peak[k] + floor * unit[k]) return false;
  return true;
}

// Of the step that has just ended: where forces leap in it or have their top, both sides count.
bool PeakWatch::sample_both_sides(Data& data, const Inside& inside) {
  const double now = data.at.t, before = inside.nearest_step_end(now);
  measure(data, after_);
  note_all(data, after_, found_);
  const bool looks = before > time(0);
  if (looks && measure_at(before, data, inside)) add_sample(now_, before);
  add_sample(after_, now);
  return looks;
}

// Where motors lose hold, u = w/det H with w smooth, and forces are a + B u: those with B w ≠ 0 grow in proportion to the torques, others
// keep their size. A force whose growth from the end of the step to a moment much nearer is more than the root of that of the torques, in
// decades more than half of it, is one of the former.
void PeakWatch::see_lost_hold(double t, Data& data, const Inside& inside) {
  if (sizes_.none()) return;
  measure(data, after_);
  const double end = data.at.t;
  for (const double nearer : {1e-4, 1e-3, 1e-2}) {
    if (!inside.solve_at(t - nearer * (end - t))) continue;
    measure(data, now_);
    double growth = 0;
    for (int k = sizes_.velocities(); k < sizes_.direct(); ++k)
      if (after_[k] > rounding(k)) growth = std::max(growth, now_[k] / after_[k]);
    if (!(growth > 10)) continue;
    double largest = 0;
    for (int k = 0; k < sizes_.count(); ++k)
      if (const double x = now_[k] / sizes_.unit()[k]; x > largest) largest = x;
    for (int k = 0; k < sizes_.count(); ++k) {
      const bool is_motor = k >= sizes_.velocities() && k < sizes_.direct();
      const bool is_force = now_[k] > 1e-6 * largest * sizes_.unit()[k];
      if (!is_motor && is_force && now_[k] > std::sqrt(growth) * after_[k] && std::isnan(no_bound_at_[k]))
        no_bound_at_[k] = t;
    }
    return;
  }
}

void PeakWatch::finish(Data& data, const Inside& inside) {
  // a run of a single step: its middle is the third sample
  if (samples_ == 2) {
    const double end = time(0);
    if (!measure_at(0.5 * (time(1) + end), data, inside)) return;
    values_.col(2) = values_.col(1);
    values_.col(1) = now_;
    times_ = {times_[0], data.at.t, end};
    ++samples_;
  }
  look_inside(data, inside, true);
}

void PeakWatch::sample(Data& data) {
  measure(data, after_);
  becomes_singular_ = singular_.any() && !sampled_singular_;
  sampled_singular_ = singular_.any();
  note_all(data, after_, found_);
  add_sample(after_, data.at.t);
  for (int k = 0; k < sizes_.direct(); ++k) direct_before_[k] = after_[k];
}

void PeakWatch::add_sample(const VecX<>& sizes, double t) {
  const int column = static_cast<int>(samples_++ % kept);
  times_[column] = t;
  values_.col(column) = sizes;
  since_sample_ = 0;
}

void PeakWatch::note_all(const Data& data, const VecX<>& sizes, Best& best) {
  const double near = span(), t = data.at.t;
  for (int k = 0, n = sizes_.count(); k < n; ++k) {
    if (!(sizes[k] > best.value[k])) continue;
    best.see(k, sizes[k], t, near);
    if (&best == &found_) largest_ = std::max(largest_, sizes[k] / sizes_.unit()[k]);
  }
  if (sizes_.constraints() > 0 && data.forces->split.redundant()) note_uniqueness(data);
}

void PeakWatch::note_uniqueness(const Data& data) {
  const ForceSplit& split = data.forces->split;
  for (int i = 0; i < sizes_.constraints(); ++i)
    if (!singular_.constraint(i)) uniqueness_[i] = std::max(uniqueness_[i], split.of_constraint(i));
  for (int j = 0; j < sizes_.joints(); ++j) {
    if (singular_.joint(sizes_.body(j))) continue;
    Uniqueness& of = uniqueness_[sizes_.constraints() + j];
    of = std::max(of, split.of_joint(sizes_.body(j)));
  }
}

// Twice as far apart where the parabola through three samples foretells the fourth, else half as far. Sizes that come to zero, where
// they have a kink, do not count. A split costs more than evaluations do, which look inside steps; multipliers alone cost less.
void PeakWatch::choose_distance(const Data& data) {
  if (samples_ < 4 || sizes_.joints() > 0) return;
  // by Lagrange's weights
  const double t = time(0), a = time(1), b = time(2), c = time(3);
  const double of_a = (t - b) * (t - c) / ((a - b) * (a - c)), of_b = (t - a) * (t - c) / ((b - a) * (b - c)),
               of_c = (t - a) * (t - b) / ((c - a) * (c - b));
  const double *x = values(0), *xa = values(1), *xb = values(2), *xc = values(3);
  double worst = 0;
  for (int k = 0, n = sizes_.count(); k < n; ++k) {
    const double peak = found_.value[k], least = 0.3 * peak + rounding(k);
    if (x[k] < least || xa[k] < least || xb[k] < least) continue;
    worst = std::max(worst, std::abs(of_a * xa[k] + of_b * xb[k] + of_c * xc[k] - x[k]) / peak);
  }
  const bool splits = sizes_.constraints() > 0 && data.forces->split.redundant();
  const double fair = splits ? 5e-3 : 2e-4;
  if (worst < fair)
    apart_ = std::min(2 * apart_, most_apart);
  else if (worst > 10 * fair)
    apart_ = std::max(apart_ / 2, 1);
}

// Whether size k may have a new peak between the last three samples that they do not tell themselves. One that they tell is noted.
bool PeakWatch::may_have_peak(int k, bool last) {
  const std::array<double, 3> t{time(2), time(1), time(0)}, x{value(k, 2), value(k, 1), value(k, 0)};
  const bool first = samples_ == 3;
  if (!(x[1] >= x[0] && x[1] >= x[2]) && !(first && x[0] > x[1]) && !(last && x[2] > x[1])) return false;
  const Parabola parabola(t, x);
  const double at = parabola.vertex(), height = parabola(at);
  if (!(parabola.half_curvature < 0 && at > t[0] && at < t[2])) return false;
  double doubt = height - std::max({x[0], x[1], x[2]}), rest = 0;
  if (!first) {
    // by Newton's divided differences
    const Parabola before({time(3), t[0], t[1]}, {value(k, 3), x[0], x[1]});
    const double cubic = (parabola.half_curvature - before.half_curvature) / (t[2] - time(3));
    const double a = at - t[0], b = at - t[1], c = at - t[2];
    rest = cubic * a * b * c;
    doubt = 2 * std::abs(rest);
    // where terms fall, and that of the fourth order is rounding, nothing is left that counts. Not on a plateau, at whose ends curvatures
    // leap: a motor at its limit
    const bool is_smooth = samples_ > 4 && x[1] > x[0] && x[1] > x[2] && doubt < 20 * told_apart * height &&
                           std::abs(parabola.half_curvature - before.half_curvature) < -0.3 * parabola.half_curvature;
    if (is_smooth) {
      const Parabola earlier({time(4), time(3), t[0]}, {value(k, 4), value(k, 3), x[0]});
      const double cubic_before = (before.half_curvature - earlier.half_curvature) / (t[1] - time(4));
      const double fourth = (cubic - cubic_before) / (t[2] - time(4)) * a * b * c * (at - time(3));
      // the cubic term moves the maximum a little
      const double slope = cubic * (a * b + a * c + b * c), gain = -slope * slope / (4 * parabola.half_curvature);
      if (std::abs(fourth) < 0.5 * told_apart * height) {
        found_.see(k, height + rest + fourth + gain, at, span());
        return false;
      }
    }
  }
  // maxima that return in every period are doubted as long as that costs next to nothing
  const bool doubts = looks_ < 2 * sizes_.count() + steps_ / 128;
  return height + rest + (doubts ? doubt : 0) >
         found_.value[k] * (1 + (doubts ? told_apart : printed_apart)) + rounding(k);
}

bool PeakWatch::look_inside(Data& data, const Inside& inside, bool last) {
  const long before = looks_;
  if (samples_ < 3) return false;
  // what becomes singular may be highest just before
  if (becomes_singular_) measure_at(inside.nearest_step_end(time(0)), data, inside);
  becomes_singular_ = false;
  const bool at_ends = last || samples_ == 3;
  const double *x = values(0), *xa = values(1), *xb = values(2);
  for (int k = 0, n = sizes_.count(); k < n; ++k) {
    const bool encloses = xa[k] >= x[k] && xa[k] >= xb[k] && (xa[k] > x[k] || xa[k] > xb[k]);
    if ((encloses || at_ends) && may_have_peak(k, last))
      search(k, {time(2), time(1), time(0)}, {xb[k], xa[k], x[k]}, data, inside);
  }
  if (was_singular_) note_growth();
  return looks_ > before;
}

void PeakWatch::note_growth() {
  const double begin = time(samples_ < 4 ? 2 : 3);
  for (int k = 0, n = sizes_.count(); k < n; ++k)
    if (last_singular_[k] >= begin && std::isnan(no_bound_at_[k]) && grows(k)) no_bound_at_[k] = last_singular_[k];
}

// Whether a size grows without bound towards the moment at which it was last singular: its peak lies beside it, and the samples further
// away are less by a power of the ratio of the distances, between ½ and 3½: a gradient may vanish as d, d² or d³. One that is bounded hardly
// changes so near. What rounding makes there of nothing grows as the square and faster too: above 1½, samples have to be forces themselves.
bool PeakWatch::grows(int k) const {
  const double at = last_singular_[k];
  for (const Best* best : {&found_, &recorded_}) {
    if (!(best->value[k] > rounding(k))) continue;
    int further = 0, less = 0;
    for (int back = 0; back < std::min<long>(samples_, 4); ++back) {
      const double x = value(k, back), distance = std::abs(time(back) - at);
      const double near = std::max(std::abs(best->t[k] - at), 0.01 * distance);
      if (std::isnan(x) || near > 0.6 * distance) continue;
      ++further;
      const double nearer = near / distance, root = std::sqrt(nearer);
      const double least = is_force(k, back) ? std::pow(nearer, 3.5) : nearer * root;
      if (x < best->value[k] * root && x > best->value[k] * least) ++less;
    }
    if (further > 0 && less == further) return true;
  }
  return false;
}

// Whether a size was no rounding of the others at a sample.
bool PeakWatch::is_force(int k, int back) const {
  double largest = 0;
  for (int other = 0; other < sizes_.count(); ++other)
    if (const double x = value(other, back) / sizes_.unit()[other]; x > largest) largest = x;
  return value(k, back) > std::max(1e-6 * largest * sizes_.unit()[k], rounding(k));
}

bool PeakWatch::measure_at(double t, Data& data, const Inside& inside) {
  ++looks_;
  if (!inside.solve_at(t)) return false;
  measure(data, now_);
  note_all(data, now_, found_);
  return true;
}

// The maximum of size k between three moments at which it is known.
void PeakWatch::search(int k, std::array<double, 3> t, std::array<double, 3> x, Data& data, const Inside& inside) {
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
    if (std::isnan(found)) return;
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
    if (!(std::max(found_.value[k], recorded_.value[k]) >= 0))
      return std::isnan(last_singular_[k]) ? Peak{} : Peak{nan, last_singular_[k]};
    if (!std::isnan(no_bound_at_[k])) return Peak{std::numeric_limits<double>::infinity(), no_bound_at_[k]};
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
