#pragma once

#include <optional>
#include <string>

#include "trammel/simulate/work_meter.h"

namespace trammel {

/// How well the energy of a run balances. With T the kinetic energy, V the potential of weight and of the joints' springs, and W the work of
/// all channels that may do work (power_balance.h),
///
///   D = |T + V − T₀ − V₀ − W|                           what is unaccounted for
///   X = max T + (max V − min V) + Σ ∫|P|                what was exchanged, P the powers of these channels
///   R = 100 ε · (sizes of all terms) · √steps           what rounding leaves
///
///   bad if D > 10⁻² X + R,  suspicious if D > 10⁻⁵ X + R,  for the largest D and the X of the whole run
///
/// Springs count by their potential and ideal constraints do no work, whatever the steps say of these: their quadratures have the errors of
/// the steps. A balance is necessary for a good run, not sufficient.
struct EnergyBalance {
  enum class Verdict : std::uint8_t {
    good,
    suspicious,
    bad,
    unknown  // a problem that is given by its matrices, whose M changes: the power of that is not known
  };
  Verdict verdict = Verdict::good;
  double error = 0;               // the largest D, J
  double exchanged = 0;           // X, J
  std::optional<double> since{};  // s: D has passed the bound of the verdict there, and X has not grown beyond it again
  std::string what{};             // one sentence, with the likely cause; empty where there is none to tell

  bool is_good() const { return verdict == Verdict::good || verdict == Verdict::unknown; }
};
std::string_view name_of(EnergyBalance::Verdict verdict);

/// Watches the balance at the end of every step.
class EnergyWatch {
 public:
  explicit EnergyWatch(const Problem& problem);

  /// The start, and the end of a step, solved with the velocities v. The meter has the work of all steps up to there.
  void begin(const Data& data, const VecX<>& v);
  void watch(const Data& data, const VecX<>& v, const WorkMeter& meter);
  /// What was put in from outside of the equation of motion, J: an input that jumped, and moved a constraint.
  void put_in(double energy);

  /// X up to now, J.
  double exchanged() const { return exchanged_; }
  /// Of the run up to now. `cause`: what may have spoilt it.
  EnergyBalance balance(std::string_view cause) const;

 private:
  // Since when the largest D is beyond a bound.
  struct Passing {
    double part;  // of X
    std::optional<double> since{};
    void see(double t, double error, double exchanged, double rounding);
  };
  bool mass_is_constant(const Data& data) const;

  std::vector<int> counted_;  // the channels of W
  MatX<> mass_;               // where the problem is given by its matrices
  bool known_ = true;
  double at_start_ = 0, put_in_ = 0;  // T + V, and what was put in from outside, J
  double most_kinetic_ = 0, most_potential_ = 0, least_potential_ = 0, most_terms_ = 0;
  double error_ = 0, exchanged_ = 0;  // D and X, J
  double steps_ = 0;
  Passing bad_{1e-2}, suspicious_{1e-5};
};

}  // namespace trammel
