#pragma once

#include "trammel/study/result_table.h"
#include "trammel/study/summary.h"

namespace trammel {

/// The tables of a summary, for terminals and pages. Every column has its unit, and angles and moments have columns of their own; peaks
/// have four digits, which is what they are good for, and what is only rounding is none.
ResultTable constraint_table(const Summary& summary);
ResultTable velocity_table(const Summary& summary);
ResultTable joint_table(const Summary& summary);
ResultTable motor_table(const std::vector<Summary::OfMotor>& motors);

}  // namespace trammel
