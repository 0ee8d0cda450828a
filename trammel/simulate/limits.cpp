#include "trammel/simulate/limits.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace trammel {

LimitWatch::LimitWatch(const Problem& problem, bool all_efforts) {
  if (!problem.is_tree()) return;
  const System& system = problem.system();
  model_ = &system.model;
  const auto add = [&](Kind kind, int velocity, int place, double bound) {
    if (std::isfinite(bound)) limits_.push_back({kind, velocity, place, bound});
  };
  for (const Body& body : model_->bodies())
    for (int k = 0; k < body.nv; ++k) {
      const int i = body.v + k;
      const Coordinate& c = model_->coordinates()[i];
      if (rates_are_velocities(body.type)) {
        add(Kind::lower, i, body.q + k, c.lower);
        add(Kind::upper, i, body.q + k, c.upper);
      }
      add(Kind::speed, i, i, c.speed_limit);
      for (std::size_t j = 0; j < problem.motors().size(); ++j)
        if (system.actuators[j].velocity == i && (all_efforts || system.limit_of(system.actuators[j]) > c.effort_limit))
          add(Kind::effort, i, static_cast<int>(j), c.effort_limit);
    }
  turns_.reserve(limits_.size());
  watches_efforts_ = std::ranges::any_of(limits_, [](const Limit& limit) { return limit.kind == Kind::effort; });
}

double LimitWatch::Limit::value(const State& at, const Data& data) const {
  if (kind == Kind::speed) return std::abs(at.v[place]);
  if (kind == Kind::effort) return std::abs(data.motors->torques.u[place]);
  return at.q[place];
}

bool LimitWatch::Limit::is_passed(double value) const {
  // a joint that stands at its limit is not beyond it for the rounding of an angle
  const double rounding = 1e-12 * (1 + std::abs(value));
  switch (kind) {
    case Kind::lower:
      return value < bound - rounding;
    case Kind::upper:
      return value > bound + rounding;
    case Kind::speed:
      return value > bound * (1 + 1e-12);
    default:
      return value >= bound * (1 - 1e-12);
  }
}

bool LimitWatch::passes_another(const State& at, const Data& data) const {
  return std::ranges::any_of(
      limits_, [&](const Limit& limit) { return !limit.was_passed() && limit.is_passed(limit.value(at, data)); });
}

bool LimitWatch::note(const State& at, const Data& data) {
  if (std::isnan(start_time_)) start_time_ = at.t;
  bool out = false;
  for (Limit& limit : limits_) {
    const double value = limit.value(at, data);
    if (!limit.is_passed(value)) continue;
    out = true;
    limit.see(value, at.t);
  }
  return out;
}

void LimitWatch::note_inside(const State& at) {
  for (Limit& limit : limits_) {
    if (limit.kind == Kind::effort) continue;
    const double value = limit.kind == Kind::speed ? std::abs(at.v[limit.place]) : at.q[limit.place];
    if (limit.was_passed() && limit.is_passed(value)) limit.see(value, at.t);
  }
}

// One that is beyond the bound.
void LimitWatch::Limit::see(double value, double t) {
  const bool first = !was_passed();
  if (first) first_time = t;
  if (!first && is_passed(worst) && (kind == Kind::lower ? value >= worst : value <= worst)) return;
  worst = value;
  worst_time = t;
}

double LimitWatch::Limit::beyond(double value) const { return kind == Kind::lower ? bound - value : value - bound; }

double LimitWatch::Limit::beyond(const State& at) const {
  return beyond(kind == Kind::speed ? std::abs(at.v[place]) : at.q[place]);
}

// Whether it goes towards the bound at the start of a step and comes back at the end, and may be further beyond the bound on the way than it
// ever was: a parabola that begins at a rate ẋ rises by less than ẋ h.
bool LimitWatch::Limit::may_turn_inside(const Step& step) const {
  if (kind == Kind::effort) return false;
  double first = step.start.v[velocity], last = step.end.v[velocity];
  if (kind == Kind::speed) {
    const double change = last - first, sign = first + last < 0 ? -1 : 1;
    first = sign * step.at_start.vdot[velocity];
    last = sign * 2 * change / step.h - first;
  } else if (kind == Kind::lower) {
    first = -first;
    last = -last;
  }
  if (!(first > 0 && last < 0)) return false;
  const double most = std::max(beyond(step.start), beyond(step.end)) + step.h * std::min(first, -last);
  return most > (was_passed() ? beyond(worst) : 0);
}

const std::vector<double>& LimitWatch::turns_inside(const Step& step, const Way& way) {
  turns_.clear();
  bool followed = false;
  for (const Limit& limit : limits_) {
    if (!limit.may_turn_inside(step)) continue;
    if (!followed && !way.follow()) break;
    followed = true;
    // its maximum, by golden sections
    double low = 0, high = 1;
    for (int k = 0; k < 60; ++k) {
      const double part = 0.3819660112501051 * (high - low), left = low + part, right = high - part;
      const double at_left = limit.beyond(way.at_part(left)), at_right = limit.beyond(way.at_part(right));
      if (at_left < at_right)
        low = left;
      else
        high = right;
    }
    turns_.push_back(0.5 * (low + high));
  }
  std::ranges::sort(turns_);
  return turns_;
}

std::string LimitWatch::text(const Limit& limit) const {
  const std::string joint = fmt::format("joint '{}'", model_->velocity_name(limit.velocity));
  const bool turns = model_->turns(limit.velocity), starts = limit.first_time == start_time_;
  const std::string when = starts ? "" : fmt::format(" at t = {:.4g} s", limit.first_time);
  if (limit.kind == Kind::lower || limit.kind == Kind::upper)
    return fmt::format("{} {} its {} limit {:g}{}", joint, starts ? "starts beyond" : "passes",
                       limit.kind == Kind::upper ? "upper" : "lower", limit.bound, when);
  const bool speed = limit.kind == Kind::speed;
  const char* const unit = speed ? (turns ? "rad/s" : "m/s") : turns ? "N·m" : "N";
  const char* const does = !speed ? "meets" : starts ? "starts beyond" : "passes";
  const std::string worst_when =
      limit.worst_time == limit.first_time ? "" : fmt::format(" at t = {:.4g} s", limit.worst_time);
  return fmt::format("{} {} its {} limit {:g} {}{} ({:.4g} {}{})", joint, does, speed ? "speed" : "effort", limit.bound,
                     unit, starts && !speed ? " at the start" : when, limit.worst, unit, worst_when);
}

std::vector<std::string> LimitWatch::warnings() const {
  std::vector<std::string> out;
  for (const Limit& limit : limits_)
    if (limit.was_passed()) out.push_back(text(limit));
  return out;
}

std::string LimitWatch::last_warning() const {
  const Limit* last = nullptr;
  for (const Limit& limit : limits_)
    if (limit.was_passed() && (last == nullptr || limit.first_time >= last->first_time)) last = &limit;
  return last == nullptr ? "" : text(*last);
}

MotorWatch::MotorWatch(const Problem& problem)
    : first_time_(problem.motors().size(), std::numeric_limits<double>::quiet_NaN()), reach_(problem) {}

void MotorWatch::watch(const Data& data) {
  if (!data.motors) return;
  for (std::size_t j = 0; j < first_time_.size(); ++j)
    if (data.motors->torques.at_limit[j] && std::isnan(first_time_[j])) first_time_[j] = data.at.t;
  reach_.watch(data);
}

std::vector<std::string> MotorWatch::warnings(const Problem& problem, const Opening& worst_path) const {
  std::vector<std::string> out;
  for (std::size_t j = 0; j < first_time_.size(); ++j)
    if (!std::isnan(first_time_[j]))
      out.push_back(fmt::format("motor '{}' first meets its limit at t = {:.4g} s; the path is missed by up to {}",
                                problem.motors()[j].name, first_time_[j], worst_path.text(2)));
  if (std::string singular = reach_.text(problem); !singular.empty()) out.push_back(std::move(singular));
  return out;
}

}  // namespace trammel
