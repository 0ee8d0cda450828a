#pragma once

#include "trammel/formulations/formulations.h"
#include "trammel/scenario/scenario.h"

namespace trammel {

/// One formulation beside the default one, at the states of a run.
struct FormulationResult {
  std::string name;
  int unknowns = 0;             // of the linear system that it solves
  double disagreement = 0;      // largest difference in v̇ and Qc, relative
  double microseconds = 0;      // an evaluation, the median
  int answered = 0, asked = 0;  // states; some formulations cannot do redundant rows
};

/// All formulations at up to `states` states of a recording of the problem, with its options and the inputs that its author gave. Layers and friction are the default's alone:
/// the others take the rows as one layer, without friction, and so does the default here.
std::vector<FormulationResult> compare_formulations(const Problem& problem, const Recording& recording,
                                                    int states = 20);

/// One drift control beside the others.
struct DriftResult {
  std::string name;
  RunStatus status = RunStatus::finished;
  double worst_phi = 0, worst_rate = 0;  // m, m/s
  double energy_error = 0;               // J
  EnergyBalance::Verdict energy = EnergyBalance::Verdict::good;
  double cost = 1;     // time of the run over that without drift control
  VecX<> t{}, open{};  // s; the largest |φ| at that time, m or rad
};

/// The same run under every drift control. `gains` are those of Baumgarte's. Projection starts on the constraints: a start that is off them is
/// moved there first.
std::vector<DriftResult> compare_drift_controls(const System& system, const State& start,
                                                const SimulateOptions& options, const Baumgarte& gains);

/// Formulations and drift controls, of one scenario.
struct Comparison {
  std::vector<FormulationResult> formulations{};
  std::vector<DriftResult> drifts{};
  Baumgarte gains{};       // those of Baumgarte's
  std::string obstacle{};  // why it is not complete; empty if it is
};

/// At the states of the scenario's run, without motors: control rows hold ideally, the same rows for all. The gains are the scenario's, if
/// it has any.
Comparison compare(Scenario scenario);

}  // namespace trammel
