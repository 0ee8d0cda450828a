#include "trammel/simulate/limits.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace trammel {

LimitWatch::LimitWatch(const Model* model) : model_(model) {
  const int n = model ? model->nv() : 0;
  first_time_.assign(n, std::numeric_limits<double>::quiet_NaN());
  upper_.assign(n, false);
}

bool LimitWatch::starts_beyond(const State& start) {
  start_time_ = start.t;
  return passed(start);
}

bool LimitWatch::passed(const State& now) {
  if (!model_) return false;
  bool out = false;
  for (const Body& body : model_->bodies()) {
    if (!rates_are_velocities(body.type)) continue;
    for (int k = 0; k < body.nv; ++k) {
      const int i = body.v + k;
      const Coordinate& c = model_->coordinates()[i];
      const double x = now.q[body.q + k];
      // a joint that stands at its limit is not beyond it for the rounding of an angle
      const double rounding = 1e-12 * (1 + std::abs(x));
      if (x >= c.lower - rounding && x <= c.upper + rounding) continue;
      out = true;
      if (!std::isnan(first_time_[i])) continue;
      first_time_[i] = now.t;
      upper_[i] = x > c.upper;
    }
  }
  return out;
}

std::vector<std::string> LimitWatch::warnings() const {
  std::vector<std::string> out;
  for (int i = 0; i < static_cast<int>(first_time_.size()); ++i) {
    if (std::isnan(first_time_[i])) continue;
    const Coordinate& c = model_->coordinates()[i];
    const char* side = upper_[i] ? "upper" : "lower";
    const double limit = upper_[i] ? c.upper : c.lower;
    out.push_back(first_time_[i] == start_time_
                      ? fmt::format("joint '{}' starts beyond its {} limit {:g}", model_->velocity_name(i), side, limit)
                      : fmt::format("joint '{}' passes its {} limit {:g} at t = {:.4g} s", model_->velocity_name(i),
                                    side, limit, first_time_[i]));
  }
  return out;
}

MotorWatch::MotorWatch(const Problem& problem)
    : first_time_(problem.motors().size(), std::numeric_limits<double>::quiet_NaN()) {}

void MotorWatch::watch(const Data& data) {
  if (!data.motors) return;
  for (std::size_t j = 0; j < first_time_.size(); ++j)
    if (data.motors->torques.at_limit[j] && std::isnan(first_time_[j])) first_time_[j] = data.at.t;
}

std::vector<std::string> MotorWatch::warnings(const Problem& problem, const Opening& worst_path) const {
  std::vector<std::string> out;
  for (std::size_t j = 0; j < first_time_.size(); ++j)
    if (!std::isnan(first_time_[j]))
      out.push_back(fmt::format("motor '{}' first meets its limit at t = {:.4g} s; the path is missed by up to {}",
                                problem.motors()[j].name, first_time_[j], worst_path.text(2)));
  return out;
}

}  // namespace trammel
