#pragma once

#include "text.h"
#include "trammel/report/figure.h"
#include "trammel/report/output_folder.h"
#include "trammel/scenario/scenario.h"
#include "trammel/study/summary.h"

namespace trammel::cli {

/// How large the results of a run may become.
double expected_bytes(const Scenario& scenario);

Json to_json(const Summary& summary);
Json to_json(const Scenario& scenario, const Simulation& simulation, const Summary& summary);

/// recording.csv, summary.json and figures.
void write_results(const OutputFolder& folder, const Scenario& scenario, const Simulation& simulation,
                   const Json& json);

/// Columns of a recording over the time.
Figure figure_of(const Recording& recording, const std::string& title, const std::string& y_label,
                 const std::vector<std::string>& columns, bool log_y = false);

/// A number, or null where it is infinite or none: JSON has no other word for these.
Json number(double x);

}  // namespace trammel::cli
