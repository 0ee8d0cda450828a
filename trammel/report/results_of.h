#pragma once

#include "trammel/report/json.h"
#include "trammel/report/results.h"
#include "trammel/study/scenario_run.h"

namespace trammel {

/// What each verb leaves in a folder. The results refer to what they are made from, which must outlive them.

/// How: `command` stands on the page, as that which made it; there is no page where none is wanted or the library has none.
struct ResultsStyle {
  FigureFormats formats{"svg"};
  std::string command{};
  bool page = true;
};

/// recording.csv, report.html, figures, summary.json.
Results results_of(const ScenarioRun& run, const ResultsStyle& style);
/// torques.csv, a figure, torques.json.
Results results_of(const Scenario& scenario, const TorqueStudy& study, const ResultsStyle& style);
/// compare.html, a figure, compare.json.
Results results_of(const Scenario& scenario, const Comparison& comparison, const ResultsStyle& style);
/// Each study as Markdown with its figures; an index where there are several; one page for all, and NAME.json, `name` that of the first
/// if it is empty.
Results results_of(const std::vector<NamedReproduction>& studies, const std::string& name, const ResultsStyle& style);

}  // namespace trammel
