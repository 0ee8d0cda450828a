#pragma once

#include <optional>

#include "solver.h"
#include "trammel/simulate/simulate.h"

namespace trammel::python {

/// A problem as Python has it: with the run that its scenario asks for, where it comes from one.
struct AskedProblem {
  std::shared_ptr<Solver> solver;
  SimulateOptions simulate{};
  std::optional<State> start{};

  const Problem& problem() const { return solver->problem; }
};

/// Threads for a batch: as many as are asked for, or one for each core.
int worker_count(std::optional<int> workers);

using ProblemClass = nb::class_<AskedProblem>;
void bind_batches(ProblemClass& problem, nb::module_& m);
void bind_runs(ProblemClass& problem, nb::module_& m);

}  // namespace trammel::python
