#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bind.h"
#include "interruptible.h"
#include "recorded.h"
#include "trammel/figure/svg.h"
#include "trammel/report/results_of.h"

namespace trammel::python {
namespace {

using Shared = std::shared_ptr<const ScenarioRun>;

Shared run(const Scenario& scenario, const nb::object& callback) {
  check_ready(scenario);
  return interruptible(callback, [&](Progress& progress) {
    Scenario asked = scenario;
    asked.simulate.stop = &progress.stop;
    asked.simulate.progress = [&](double t) {
      progress.part.store((t - scenario.start.t) / scenario.simulate.duration, std::memory_order_relaxed);
    };
    return std::make_shared<const ScenarioRun>(run_scenario(std::move(asked)));
  });
}

std::vector<std::string> warnings(const ScenarioRun& run) {
  std::vector<std::string> out;
  for (const Warning& warning : run.scenario.warnings) out.push_back(to_string(warning));
  out.insert(out.end(), run.simulation.warnings.begin(), run.simulation.warnings.end());
  return out;
}

std::vector<ForceHistory> forces(const ScenarioRun& run) {
  const nb::gil_scoped_release released;
  return recorded_forces(run.problem, run.simulation);
}

// Everything that save() would write, figures as SVG.
std::map<std::string, std::string> files(const ScenarioRun& run, const std::string& command) {
  const Results results = results_of(run, {.command = command});
  std::map<std::string, std::string> out;
  FileNames names;
  const auto put = [&](const std::string& name, std::string content) {
    names.push_back(name);
    out[name] = std::move(content);
  };
  for (const Results::File& file : results.data) put(file.name, file.content());
  for (const Results::File& page : results.pages) put(page.name, page.content());
  for (const Results::Picture& picture : results.figures) put(picture.stem + ".svg", to_svg(picture.figure));
  out[results.json_name] = results.json(names);
  return out;
}

std::string page(const ScenarioRun& run, const std::string& command) {
  const Results results = results_of(run, {.command = command});
  return results.pages.empty() ? "" : results.pages.front().content();
}

void save(const ScenarioRun& run, const std::string& folder, const std::string& figures, const std::string& command) {
  const OutputFolder to(folder, expected_bytes(run.scenario));
  write_results(to, results_of(run, {.formats = read_figure_formats(figures), .command = command}));
}

// The same of what files() gave.
void save_files(const std::map<std::string, std::string>& files, const std::string& json_name,
                const std::string& folder) {
  Results results{.json_name = json_name, .json = [&](const auto&) { return files.at(json_name); }};
  for (const auto& [name, content] : files)
    if (name != json_name) results.data.push_back({name, [&content] { return content; }});
  write_results(OutputFolder(folder), results);
}

}  // namespace

void bind_run(nb::module_& m) {
  const auto without_gil = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<ScenarioRun>(m, "ScenarioRun", "A scenario that was run.")
      .def_prop_ro("columns", [](const ScenarioRun& run) { return run.simulation.recording.names(); })
      .def_prop_ro("coordinates",
                   [](const ScenarioRun& run) { return run.simulation.recording.names_of(ColumnKind::coordinate); })
      .def_prop_ro("units", [](const ScenarioRun& run) { return units(run.simulation.recording); })
      .def_prop_ro(
          "values", [](const Shared& run) { return columns_as_rows(run->simulation.recording.values(), run); },
          nb::rv_policy::automatic)
      .def_prop_ro("succeeded", &ScenarioRun::succeeded)
      .def_prop_ro("good", [](const ScenarioRun& run) { return run.simulation.is_good(); })
      .def_prop_ro("warnings", warnings)
      .def_prop_ro("json", [](const ScenarioRun& run) { return to_json(run.scenario, run.simulation, run.summary); })
      .def_prop_ro("text", [](const ScenarioRun& run) { return run.summary.text(); })
      .def_prop_ro("reactions",
                   [](const ScenarioRun& run) {
                     return recorded_reactions(run.simulation.recording, run.scenario.simulate.reactions);
                   })
      .def_prop_ro("reaction_axes",
                   [](const ScenarioRun& run) {
                     return run.scenario.simulate.reaction_axes == ReactionAxes::of_joint ? "joint" : "world";
                   })
      .def("forces", forces)
      .def("files", files, nb::arg("command"), without_gil)
      .def("page", page, nb::arg("command"), without_gil)
      .def("save", save, nb::arg("folder"), nb::arg("figures"), nb::arg("command"), without_gil);
  m.def("run", run, nb::arg("scenario"), nb::arg("progress").none(), "Runs a scenario.");
  m.def("save_files", save_files, nb::arg("files"), nb::arg("json_name"), nb::arg("folder"), without_gil);
}

}  // namespace trammel::python
