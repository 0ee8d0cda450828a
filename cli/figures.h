#pragma once

#include "trammel/report/figure.h"
#include "trammel/scenario/scenario.h"

namespace trammel::cli {

/// What everyone looks at, where it was recorded, and what the scenario asks for.
std::vector<Figure> figures_of(const Scenario& scenario, const Recording& recording);

/// Columns of a recording over the time.
Figure figure_over_time(const Recording& recording, const std::string& title, const std::vector<std::string>& columns,
                        bool log_y = false);

/// Both bounds of each motor that has one.
std::vector<double> limits_of(const System& system);

}  // namespace trammel::cli
