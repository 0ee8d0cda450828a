#pragma once

#include <memory>
#include <span>

#include "trammel/simulate/simulate.h"

namespace trammel {

class Runner;

/// A run that its user leads from moment to moment, such as from sample to sample of a controller. Steps end exactly at these moments, and
/// inputs hold between them:
///
///   Simulator simulator(problem, start, options);
///   while (simulator.advance_to(simulator.state().t + period)) simulator.set_inputs(control(simulator.state()));
///   const Simulation run = simulator.conclude();
///
/// Advanced at once to its end it gives what simulate() gives.
class Simulator {
 public:
  /// Throws Error as simulate() does. Of the options, the duration is the longest that the run can get.
  Simulator(const Problem& problem, const State& start, SimulateOptions options);
  ~Simulator();
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;

  /// From now on, in the order of System::inputs. What was recorded at this moment has the inputs before. An input that moves a constraint is
  /// followed at once, if projection can.
  void set_inputs(std::span<const double> values);

  /// On to a time (s), not before the present one, and not beyond the duration. False where the run has ended, at its time or before.
  bool advance_to(double t);

  bool has_ended() const;
  /// Where the run is now.
  const State& state() const;
  /// The motion there, with the inputs as they are.
  const Data& solved();

  /// What came of it: a run that did not come to its end was stopped. Nothing is asked of the simulator afterwards.
  Simulation conclude();

 private:
  void see_state();

  std::unique_ptr<SimulateOptions> options_;  // the runner refers to them
  std::unique_ptr<Runner> runner_;
  State state_;
  bool has_ended_ = false;
};

}  // namespace trammel
