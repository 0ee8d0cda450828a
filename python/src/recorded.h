#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bind.h"
#include "trammel/simulate/simulate.h"

namespace trammel::python {

/// A force of a constraint over the rows of a recording.
struct ForceHistory {
  std::string name;
  std::optional<std::string> body;  // none where it acts on joints alone
  int first_multiplier = 0, rows = 0;
  MatX<> wrenches;  // place, force, moment: a column for each row of the recording
  std::string uniqueness;
};

/// Of each constraint that holds by itself. Nothing is solved again.
std::vector<ForceHistory> recorded_forces(const Problem& problem, const Simulation& simulation);

/// The joints whose reactions were recorded, each with the first of its six columns.
std::vector<std::pair<std::string, int>> recorded_reactions(const Recording& recording,
                                                            const std::vector<std::string>& joints);

/// The units of the columns.
std::vector<std::string> units(const Recording& recording);

}  // namespace trammel::python
