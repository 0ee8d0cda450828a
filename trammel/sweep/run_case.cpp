#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <new>
#include <thread>

#include <fmt/core.h>

#include "trammel/sweep/sweep_plan.h"

namespace trammel {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// For tests of what a sweep does about them: TRAMMEL_SWEEP_CRASH=17 ends the process in case 17, TRAMMEL_SWEEP_ENDLESS=17 keeps that case from
// ever ending by itself.
bool is_told_by(const char* variable, long i) {
  const char* const told = std::getenv(variable);
  return told != nullptr && told == std::to_string(i);
}

// Ends a run when its user or the clock says so.
class Deadline {
 public:
  Deadline(const std::optional<double>& limit, const std::atomic<bool>* stop) : stop_(stop) {
    if (limit) end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*limit));
  }
  bool is_stopped() const { return stop_ != nullptr && *stop_; }
  bool is_over() const { return end_ && Clock::now() >= *end_; }

 private:
  const std::atomic<bool>* stop_;
  std::optional<Clock::time_point> end_{};
};

// What a run is called in the table.
void judge(const Simulation& run, const Deadline& deadline, const SweepPlan& plan, CaseResult& out) {
  out.status = name_of(run.status);
  out.reason = run.what;
  if (run.status == RunStatus::stopped && !deadline.is_stopped()) {
    out.status = "time limit";
    out.reason = fmt::format("not at its end after {:g} s", *plan.time_limit);
  } else if (run.status == RunStatus::finished && !run.energy.is_good()) {
    out.status = fmt::format("{} energy", name_of(run.energy.verdict));
    out.reason = run.energy.what;
  } else if (run.status == RunStatus::finished && !run.left_open.empty()) {
    out.status = "left open";
    out.reason = run.left_open.front();
  }
}

// Whether measures of the run mean what they say.
bool is_measured(std::string_view status) {
  return status == name_of(RunStatus::finished) || status == name_of(RunStatus::at_limit) || status == "left open" ||
         status == "suspicious energy";
}

void keep_columns(const SweepPlan& plan, const SimulateOptions& options, const Recording& recording, CaseResult& out) {
  auto next = out.kept.begin();
  for (const std::string& name : plan.keep.columns) {
    const int column = recording.column(name);
    for (int k = 0; k < plan.kept_times; ++k, ++next) {
      const double t = k * options.record_every;
      if (k < recording.rows() && std::abs(recording(k, "t") - t) < 1e-6 * options.record_every)
        *next = recording(k, column);
    }
  }
}

void run_into(const Sweep& sweep, long i, const Deadline& deadline, CaseResult& out) {
  const SweepPlan& plan = sweep.plan();
  Scenario scenario = sweep.scenario(i);
  if (scenario.assembly && !scenario.assembly->closed()) {
    out.status = "not assembled";
    out.reason = scenario.assembly->text();
    return;
  }
  std::atomic<bool> end = false;
  scenario.simulate.stop = &end;
  const bool is_endless = is_told_by("TRAMMEL_SWEEP_ENDLESS", i);
  scenario.simulate.progress = [&](double) {
    while (is_endless && !deadline.is_stopped() && !deadline.is_over())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (deadline.is_stopped() || deadline.is_over()) end = true;
  };
  const Simulation simulation = simulate(scenario.problem(), scenario.start, scenario.simulate);
  judge(simulation, deadline, plan, out);
  if (!out.is_stopped()) keep_columns(plan, scenario.simulate, simulation.recording, out);
  if (!is_measured(out.status)) return;
  for (std::size_t k = 0; k < plan.measures.size(); ++k)
    out.measures[k] = plan.measures[k].of(simulation.recording, std::span(out.measures).first(k));
}

}  // namespace

CaseResult run_case(const Sweep& sweep, long i, const std::atomic<bool>* stop) {
  const SweepPlan& plan = sweep.plan();
  if (i < 0 || i >= plan.cases())
    throw Error(fmt::format("case {}", i), fmt::format("a case from 0 to {}", plan.cases() - 1));
  CaseResult out{.number = i,
                 .status = "",
                 .measures = std::vector<double>(plan.measures.size(), nan),
                 .kept = std::vector<double>(plan.keep.columns.size() * plan.kept_times, nan)};
  if (is_told_by("TRAMMEL_SWEEP_CRASH", i)) std::raise(SIGABRT);
  const Deadline deadline(plan.time_limit, stop);
  try {
    run_into(sweep, i, deadline, out);
  } catch (const Error& error) {
    out.status = "refused";
    out.reason = fmt::format("found {}; allowed: {}", error.found(), error.allowed());
  } catch (const std::bad_alloc&) {
    out.status = "out of memory";
    out.reason = "the run did not fit into memory; record less often, or for a shorter time";
  } catch (
      const std::exception& error) {  // nothing throws these but a fault of the program: one case has it, not the sweep
    out.status = "crashed";
    out.reason = error.what();
  }
  for (char& c : out.reason)
    if (c == '\n' || c == '\r') c = ' ';
  return out;
}

}  // namespace trammel
