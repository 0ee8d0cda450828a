#include "recorded.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "arrays.h"
#include "trammel/report/scene.h"

namespace trammel::python {
namespace {

// The first of the columns of a kind; there may be none.
int first_column(const Recording& recording, ColumnKind kind) {
  int column = 0;
  while (column < recording.columns() && recording.about(column).kind != kind) ++column;
  return column;
}

}  // namespace

std::vector<ForceHistory> recorded_forces(const Problem& problem, const Simulation& simulation) {
  const Recording& recording = simulation.recording;
  const RowSet& held = problem.held();
  const int multipliers = first_column(recording, ColumnKind::multiplier);
  std::vector<ForceHistory> out;
  for (std::size_t i = 0; i < held.constraints.size(); ++i) {
    const NamedConstraint& constraint = problem.system().constraints[held.constraints[i]];
    out.push_back({.name = constraint.name,
                   .body = {},
                   .first_multiplier = multipliers + held.first_row[i],
                   .rows = constraint.law->rows(),
                   .wrenches = MatX<>(9, recording.rows()),
                   .uniqueness = std::string(name_of(simulation.peaks.constraints[i].uniqueness))});
  }
  Data data(problem);
  for (int row = 0; row < recording.rows(); ++row) {
    const std::vector<WrenchAtPoint> wrenches = recorded_wrenches(recording, row, data);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const WrenchAtPoint& wrench = wrenches[i];
      out[i].wrenches.col(row) << wrench.p_W, wrench.force, wrench.moment;
      if (wrench.body != world) out[i].body = problem.system().model.link_name(wrench.body);
    }
  }
  return out;
}

std::vector<std::pair<std::string, int>> recorded_reactions(const Recording& recording,
                                                            const std::vector<std::string>& joints) {
  std::vector<std::pair<std::string, int>> out;
  int column = first_column(recording, ColumnKind::reaction);
  for (const std::string& joint : joints) {
    out.emplace_back(joint, column);
    column += 6;
  }
  return out;
}

std::vector<std::string> units(const Recording& recording) {
  std::vector<std::string> out;
  for (int column = 0; column < recording.columns(); ++column) out.push_back(recording.about(column).unit);
  return out;
}

void bind_recorded(nb::module_& m) {
  nb::class_<ForceHistory>(m, "ForceHistory")
      .def_ro("name", &ForceHistory::name)
      .def_ro("body", &ForceHistory::body)
      .def_ro("first_multiplier", &ForceHistory::first_multiplier)
      .def_ro("rows", &ForceHistory::rows)
      .def_ro("uniqueness", &ForceHistory::uniqueness)
      .def_prop_ro(
          "wrenches", [](const ForceHistory& force) { return columns_as_rows(force.wrenches); },
          nb::rv_policy::automatic);
}

}  // namespace trammel::python
