#pragma once

#include "trammel/report/page.h"
#include "trammel/scenario/scenario.h"
#include "trammel/study/reproduction.h"
#include "trammel/study/summary.h"

namespace trammel {

/// The page of a run; `figures` are those that it leaves as files too, `command` what was typed to make it.
ReportPage page_of(const Scenario& scenario, const Simulation& simulation, const Summary& summary,
                   const std::vector<Figure>& figures, const std::string& command);

/// Of studies side by side with what papers printed.
ReportPage page_of(const std::vector<Reproduction>& studies, const std::string& command);

/// Of formulations and drift controls; `figure` shows the latter.
ReportPage page_of(const std::string& name, const std::vector<FormulationResult>& formulations,
                   const std::vector<DriftResult>& drifts, const Figure& figure, const std::string& command);

}  // namespace trammel
