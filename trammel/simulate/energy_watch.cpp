#include "trammel/simulate/energy_watch.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "trammel/math/eps.h"
#include "trammel/motion/matrix_stage.h"
#include "trammel/motion/stages.h"

namespace trammel {

using Verdict = EnergyBalance::Verdict;

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::good:
      return "good";
    case Verdict::suspicious:
      return "suspicious";
    case Verdict::bad:
      return "bad";
    default:
      return "unknown";
  }
}

EnergyWatch::EnergyWatch(const Problem& problem) {
  using Kind = PowerChannel::Kind;
  const std::vector<PowerChannel> channels = power_channels(problem);
  for (std::size_t i = 0; i < channels.size(); ++i)
    if (channels[i].kind != Kind::joint_spring && channels[i].kind != Kind::ideal_constraints)
      counted_.push_back(static_cast<int>(i));
}

bool EnergyWatch::mass_is_constant(const Data& data) const { return !data.matrices || data.matrices->M == mass_; }

void EnergyWatch::begin(const Data& data, const VecX<>& v) {
  if (data.matrices) mass_ = data.matrices->M;
  const EnergyParts now = energy_parts(v, data);
  at_start_ = now.kinetic + now.potential;
  most_kinetic_ = now.kinetic;
  most_potential_ = least_potential_ = now.potential;
  most_terms_ = now.terms;
  exchanged_ = most_kinetic_;
}

void EnergyWatch::put_in(double energy) { put_in_ += energy; }

void EnergyWatch::watch(const Data& data, const VecX<>& v, const WorkMeter& meter) {
  known_ = known_ && mass_is_constant(data);
  double work = put_in_, flow = std::abs(put_in_);
  for (const int i : counted_) {
    work += meter.work()[i];
    flow += 2 * meter.work_put_in()[i] - meter.work()[i];  // that put in, and that taken out
  }
  const EnergyParts now = energy_parts(v, data);
  most_kinetic_ = std::max(most_kinetic_, now.kinetic);
  most_potential_ = std::max(most_potential_, now.potential);
  least_potential_ = std::min(least_potential_, now.potential);
  most_terms_ = std::max(most_terms_, now.terms);
  if (const double D = std::abs(now.kinetic + now.potential - at_start_ - work); !(D <= error_)) error_ = D;
  exchanged_ = most_kinetic_ + (most_potential_ - least_potential_) + flow;
  const double rounding = 100 * eps * (most_terms_ + flow) * std::sqrt(++steps_);
  for (Passing* passing : {&bad_, &suspicious_}) passing->see(data.at.t, error_, exchanged_, rounding);
}

void EnergyWatch::Passing::see(double t, double error, double exchanged, double rounding) {
  if (error <= part * exchanged + rounding && std::isfinite(error))
    since.reset();
  else if (!since)
    since = t;
}

EnergyBalance EnergyWatch::balance(std::string_view cause) const {
  EnergyBalance out{.error = error_, .exchanged = exchanged_};
  if (!known_) {
    out.verdict = Verdict::unknown;
  } else if (bad_.since) {
    out.verdict = Verdict::bad;
    out.since = bad_.since;
    out.what = fmt::format(
        "energy does not balance: {:.2g} J of {:.2g} J exchanged are unaccounted for, from t = {:.4g} s on; {}", error_,
        exchanged_, *out.since, cause);
  } else if (suspicious_.since) {
    out.verdict = Verdict::suspicious;
    out.since = suspicious_.since;
    out.what = fmt::format(
        "energy balances to {:.1g} of what was exchanged only ({:.2g} J of {:.2g} J, from t = {:.4g} s on); {}",
        error_ / exchanged_, error_, exchanged_, *out.since, cause);
  }
  return out;
}

}  // namespace trammel
