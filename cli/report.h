#pragma once

#include "trammel/report/page.h"
#include "trammel/scenario/scenario.h"
#include "trammel/study/reproduction.h"
#include "trammel/study/summary.h"

namespace trammel::cli {

/// The report of a run; `figures` are those that it leaves as files too.
ReportPage report_of(const Scenario& scenario, const Simulation& simulation, const Summary& summary,
                     const std::vector<Figure>& figures, const std::string& command);

/// Of studies side by side with what papers printed.
ReportPage report_of(const std::vector<Reproduction>& studies, const std::string& command);

/// Of formulations and drift controls; `figure` shows the latter.
ReportPage report_of(const std::string& name, const std::vector<FormulationResult>& formulations,
                     const std::vector<DriftResult>& drifts, const Figure& figure, const std::string& command);

/// A study's picture. Curves called "theory" are those that the others should be.
Figure figure_of(const Reproduction::Picture& picture);

/// Shows a file with what the desktop has for it. Says so on standard error where there is nothing.
void open_in_browser(const std::string& file);

}  // namespace trammel::cli
