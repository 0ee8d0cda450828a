#pragma once

#include "trammel/figure/figure.h"
#include "trammel/scenario/scenario.h"
#include "trammel/study/compare.h"
#include "trammel/study/torque_study.h"

namespace trammel {

/// Of a run: what everyone looks at, where it was recorded, and what the scenario asks for.
std::vector<Figure> figures_of(const Scenario& scenario, const Recording& recording);

/// The torques of motors, with their limits.
Figure figure_of(const TorqueStudy& study);

/// How far each drift control lets the constraints open.
Figure figure_of(const std::vector<DriftResult>& drifts);

}  // namespace trammel
