#include "trammel/simulate/limits.h"

#include <cmath>
#include <limits>

#include <fmt/core.h>

namespace trammel {

LimitWatch::LimitWatch(const Model* model) : model_(model) {
  const int n = model ? model->nv() : 0;
  first_time_.assign(n, std::numeric_limits<double>::quiet_NaN());
  upper_.assign(n, false);
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
      if (x >= c.lower && x <= c.upper) continue;
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
    out.push_back(fmt::format("joint '{}' passes its {} limit {:g} at t = {:.4g} s", model_->velocity_name(i),
                              upper_[i] ? "upper" : "lower", upper_[i] ? c.upper : c.lower, first_time_[i]));
  }
  return out;
}

MotorWatch::MotorWatch(std::size_t motors) : first_time_(motors, std::numeric_limits<double>::quiet_NaN()) {}

void MotorWatch::watch(double t, const Torques* torques) {
  if (!torques) return;
  for (std::size_t j = 0; j < first_time_.size(); ++j)
    if (torques->at_limit[j] && std::isnan(first_time_[j])) first_time_[j] = t;
}

std::vector<std::string> MotorWatch::warnings(const std::vector<std::string>& names, double worst_path) const {
  std::vector<std::string> out;
  for (std::size_t j = 0; j < first_time_.size(); ++j)
    if (!std::isnan(first_time_[j]))
      out.push_back(
          fmt::format("motor '{}' first meets its limit at t = {:.4g} s; the path is missed by up to {:.2g} m",
                      names[j], first_time_[j], worst_path));
  return out;
}

}  // namespace trammel
