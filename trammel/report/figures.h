#pragma once

#include "trammel/figure/figure.h"
#include "trammel/scenario/scenario.h"
#include "trammel/study/compare.h"
#include "trammel/study/torque_study.h"

namespace trammel {

/// Of a run of a problem: what everyone looks at, where it was recorded, and the plots that were asked for.
std::vector<Figure> figures_of(const Problem& problem, const std::vector<Figure>& plots, const Recording& recording);

/// The torques of motors, with their limits.
Figure figure_of(const TorqueStudy& study);

/// How far each drift control lets the constraints open.
Figure figure_of(const std::vector<DriftResult>& drifts);

}  // namespace trammel
