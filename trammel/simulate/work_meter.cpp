#include "trammel/simulate/work_meter.h"

#include <algorithm>
#include <cmath>

#include "trammel/simulate/dense_output.h"

namespace trammel {

WorkMeter::WorkMeter(const Problem& problem, const Tableau& method)
    : method_(method),
      balance_(problem),
      powers_(MatX<>::Zero(static_cast<int>(balance_.channels().size()), method.slopes() + 1)),
      work_(VecX<>::Zero(powers_.rows())),
      within_(work_),
      put_in_(work_),
      peak_(work_),
      slopes_(method.slopes()) {}

void WorkMeter::note(Data& data) {
  last_ = std::min(count_++, method_.slopes());
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

void WorkMeter::end_step(double h) {
  const double* P = powers_.data();
  double *work = work_.data(), *put_in = put_in_.data();
  for (const double* const end = P + powers_.rows(); P != end; ++P, ++work, ++put_in) {
    double change = 0;
    for (int i = 0; i < method_.stages(); ++i) change += method_.b[i] * P[i * powers_.rows()];
    *work += h * change;
    *put_in += std::max(h * change, 0.0);
  }
}

const VecX<>& WorkMeter::work_within(double h, double theta) {
  for (int channel = 0; channel < work_.size(); ++channel) {
    slopes_ = powers_.row(channel).head(slopes_.size());
    within_[channel] =
        work_[channel] + interpolate(method_, {slopes_.data(), slopes_.data() + slopes_.size()}, h, theta);
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
