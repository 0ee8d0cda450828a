#pragma once

#include <vector>

#include "trammel/constraints/bound_expression.h"
#include "trammel/motion/data.h"
#include "trammel/simulate/controller.h"

namespace trammel {

/// The controllers of a run, and when they act. At a moment, in this order:
///
///   what was computed `delay` ago sets its inputs;
///   each controller whose sample is due, in their order: its laws are computed of the state, of the inputs as they are now and of its memory
///   before this sample; then its memory, and without a delay its inputs, are set.
///
/// So a controller sees at once what those before it set. Moments are t₀ + k·every and t₀ + k·every + delay; those that rounding alone tells
/// apart are one. Sized once.
class Controllers {
 public:
  /// Throws Error where a controller makes no sense: its times, inputs that are not there or that two set. `span`: the longest time of the run,
  /// s.
  Controllers(const Problem& problem, const std::vector<Controller>& all, double start, double span);

  /// Whether a moment has come, to rounding.
  bool is_due(double moment, double t) const { return moment <= t + resolution_; }
  /// The next moment at which one acts, s; infinite if there is none.
  double next() const;
  /// What is due at the state that was just solved, into data.inputs. False where a law has no finite value: what() says which.
  [[nodiscard]] bool act(Data& data);
  const std::string& what() const { return what_; }

 private:
  struct Setting {
    int input;
    BoundExpression value;
  };
  struct Bound {
    const Controller* of = nullptr;
    double delay = 0;  // s; 0 where it is below what the clock resolves
    std::vector<Setting> next, out;
    double sample = 0;             // s: when it looks next,
    long samples = 0;              // how often it has looked,
    long set = 0;                  // and how many of these samples have been set, with a delay
    int waiting = 0;               // how many can wait at most
    std::vector<double> computed;  // `out` of each sample that waits: sample k in part k mod waiting
  };
  double due(const Bound& bound) const;
  bool look(Bound& bound, Data& data);

  double start_, resolution_;  // s
  std::vector<Bound> all_;
  std::vector<double> values_;  // of the laws of one controller
  std::string what_;
};

}  // namespace trammel
