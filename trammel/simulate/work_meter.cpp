#include "trammel/simulate/work_meter.h"

#include <algorithm>
#include <cmath>

#include "trammel/simulate/dense_output.h"

namespace trammel {

namespace {

std::vector<int> stages_in_time(const Tableau& method) {
  std::vector<int> out;
  for (int i = 0; i < method.stages(); ++i) out.push_back(i);
  std::ranges::stable_sort(out, {}, [&](int i) { return method.c[i]; });
  std::vector<int> distinct;
  for (const int i : out) {
    if (!distinct.empty() && method.c[distinct.back()] == method.c[i]) distinct.pop_back();
    distinct.push_back(i);
  }
  return distinct;
}

}  // namespace

WorkMeter::WorkMeter(const Problem& problem, const Tableau& method)
    : method_(&method),
      in_time_(stages_in_time(method)),
      balance_(problem),
      powers_(MatX<>::Zero(static_cast<int>(balance_.channels().size()), method.slopes() + 1)),
      work_(VecX<>::Zero(powers_.rows())),
      within_(work_),
      put_in_(work_),
      peak_(work_),
      slopes_(method.slopes()) {}

void WorkMeter::use(const Tableau& method) {
  method_ = &method;
  in_time_ = stages_in_time(method);
  const VecX<> start = powers_.col(0);
  powers_.setZero(powers_.rows(), method.slopes() + 1);
  powers_.col(0) = start;
  slopes_.resize(method.slopes());
  count_ = 1;
  last_ = 0;
}

void WorkMeter::note(Data& data) {
  last_ = std::min(count_++, method_->slopes());
  balance_.evaluate(data, {powers_at(last_), balance_.channels().size()});
}

void WorkMeter::begin_step() {
  const double* now = powers_at(last_);
  double* first = powers_at(0);
  for (int i = 0; i < work_.size(); ++i) {
    first[i] = now[i];
    peak_[i] = std::max(peak_[i], std::abs(now[i]));
  }
  restart();
}

// Of the work over a step of unit length, with the powers P of a channel at the stages: that above zero, by straight lines, and so that what
// is left over is below zero.
double WorkMeter::part_put_in(const double* P, double work) const {
  double above = 0, below = 0;
  for (std::size_t i = 1; i < in_time_.size(); ++i) {
    const double p = P[in_time_[i - 1] * powers_.rows()], q = P[in_time_[i] * powers_.rows()];
    const double half = 0.5 * (method_->c[in_time_[i]] - method_->c[in_time_[i - 1]]), size = std::abs(p) + std::abs(q);
    if (size == 0) continue;
    // where the line crosses zero, each end has its triangle
    for (const double x : {p, q}) (x > 0 ? above : below) += half * (p * q < 0 ? x * x / size : std::abs(x));
  }
  if (above + below == 0) return std::max(work, 0.0);
  const double left = work - (above - below);
  return std::max({above + left * above / (above + below), work, 0.0});
}

void WorkMeter::end_step(double h) {
  const double* P = powers_.data();
  double *work = work_.data(), *put_in = put_in_.data();
  for (const double* const end = P + powers_.rows(); P != end; ++P, ++work, ++put_in) {
    double change = 0, low = *P, high = *P;
    for (int i = 0; i < method_->stages(); ++i) {
      const double power = P[i * powers_.rows()];
      change += method_->b[i] * power;
      low = std::min(low, power);
      high = std::max(high, power);
    }
    *work += h * change;
    // where the power keeps its sign, all of it is put in or taken out
    *put_in += h * (low < 0 && high > 0 ? part_put_in(P, change) : std::max(change, 0.0));
  }
}

double WorkMeter::relative_error(double h, double exchanged) const {
  double error = 0, largest = 0;
  const int stages = std::min(method_->stages(), static_cast<int>(method_->error.size()));
  for (int i = 0; i < stages; ++i) {
    const auto P = powers_.col(i);
    error += method_->error[i] * P.sum();
    largest = std::max(largest, P.cwiseAbs().sum());
  }
  const double size = exchanged + std::abs(h) * largest;
  return size > 0 ? std::abs(h * error) / size : 0;
}

const VecX<>& WorkMeter::work_within(double h, double theta) {
  for (int channel = 0; channel < work_.size(); ++channel) {
    slopes_ = powers_.row(channel).head(slopes_.size());
    within_[channel] =
        work_[channel] + interpolate(*method_, {slopes_.data(), slopes_.data() + slopes_.size()}, h, theta);
  }
  return within_;
}

std::vector<WorkDone> WorkMeter::done() const {
  std::vector<WorkDone> out;
  for (int i = 0; i < work_.size(); ++i) {
    const PowerChannel& channel = balance_.channels()[i];
    out.push_back({channel.name, channel.kind, work_[i], put_in_[i], put_in_[i] - work_[i], peak_[i]});
  }
  return out;
}

}  // namespace trammel
