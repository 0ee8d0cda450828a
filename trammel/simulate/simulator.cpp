#include "trammel/simulate/simulator.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "trammel/simulate/check_start.h"
#include "trammel/simulate/runner.h"

namespace trammel {

Simulator::Simulator(const Problem& problem, const State& start, SimulateOptions options)
    : options_(std::make_unique<SimulateOptions>(std::move(options))),
      runner_(std::make_unique<Runner>(problem, checked_start(problem, start, *options_), *options_)) {
  has_ended_ = !runner_->begin();
  see_state();
}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

void Simulator::set_inputs(std::span<const double> values) {
  const long count = runner_->data().inputs.size();
  if (std::ssize(values) != count) throw Error(fmt::format("{} inputs", values.size()), fmt::format("{}", count));
  if (const auto bad = std::ranges::find_if_not(values, [](double x) { return std::isfinite(x); }); bad != values.end())
    throw Error(fmt::format("{} as an input", *bad), "finite numbers");
  if (!has_ended_ && !runner_->change_inputs(values)) has_ended_ = true;
  see_state();
}

bool Simulator::advance_to(double t) {
  if (!(t >= runner_->now().t))
    throw Error(fmt::format("the time {:g} s", t), fmt::format("{:g} s, where the run is, or later", runner_->now().t));
  const double until = std::min(t, runner_->end_time());
  while (!has_ended_ && runner_->now().t < until) has_ended_ = !runner_->advance(until);
  if (runner_->now().t >= runner_->end_time()) has_ended_ = true;
  see_state();
  return !has_ended_;
}

bool Simulator::has_ended() const { return has_ended_; }
const State& Simulator::state() const { return state_; }
const Data& Simulator::solved() { return runner_->solved(); }

Simulation Simulator::conclude() {
  has_ended_ = true;
  return runner_->conclude();
}

void Simulator::see_state() {
  state_ = runner_->now();
  state_.q += runner_->data().turns;
}

}  // namespace trammel
