#pragma once

#include "trammel/motion/tree_motion.h"

namespace trammel {

/// One row of a system, by its place: row `row` of constraint `constraint` (index in System::constraints).
struct RowPlace {
  int constraint, row;
};
RowPlace place_of_row(const System& system, const MotionWorkspace& work, int row);

/// "loop[2]" for the third row of "loop"; the constraint's name alone where it has but one row.
std::string row_name(const System& system, const MotionWorkspace& work, int row);

/// "follows from a, b"; "holds by itself" where there is nothing to follow from.
std::string follows(const std::vector<std::string>& from);

/// A row that follows from others.
struct Dependence {
  int row;                  // in the order of the workspace
  std::vector<int> others;  // the kept rows that it is made of
};

/// All rows that follow from others at the state that solve_motion was last asked about.
std::vector<Dependence> dependences(MotionWorkspace& work);

}  // namespace trammel
