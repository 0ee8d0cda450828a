#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bind.h"
#include "interruptible.h"
#include "recorded.h"
#include "trammel/report/results_of.h"

namespace trammel::python {
namespace {

[[noreturn]] void raise_interrupt() {
  PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw nb::python_error();
}

// The JSON of a check; Ctrl-C ends the waiting for it.
std::string check(const Scenario& scenario, const nb::object& callback) {
  struct Stopped {};
  try {
    return interruptible(callback, [&](Progress& progress) {
      return to_json(scenario, trammel::check(scenario, [&](double part) {
                       if (progress.stop) throw Stopped();
                       progress.part = part;
                     }));
    });
  } catch (const Stopped&) {
    raise_interrupt();
  }
}

struct TorquesOfScenario {
  Scenario scenario;
  TorqueStudy study;
};
using SharedTorques = std::shared_ptr<const TorquesOfScenario>;

SharedTorques torques(const Scenario& scenario, const nb::object& callback) {
  check_ready(scenario);
  return interruptible(callback, [&](Progress& progress) {
    Scenario asked = scenario;
    asked.simulate.stop = &progress.stop;
    asked.simulate.progress = [&](double t) { progress.part = (t - scenario.start.t) / scenario.simulate.duration; };
    TorqueStudy study = study_torques(asked, driven_system(asked));
    return std::make_shared<const TorquesOfScenario>(TorquesOfScenario{scenario, std::move(study)});
  });
}

std::string compare(const Scenario& scenario, const nb::object& callback) {
  check_ready(scenario);
  bool stopped = false;
  const Comparison comparison = interruptible(callback, [&](Progress& progress) {
    Scenario asked = scenario;
    asked.simulate.stop = &progress.stop;
    Comparison out = trammel::compare(std::move(asked));
    stopped = progress.stop;
    return out;
  });
  if (stopped) raise_interrupt();
  if (!comparison.obstacle.empty()) throw std::runtime_error(comparison.obstacle);
  return to_json(scenario, comparison.formulations, comparison.drifts);
}

std::string reproduce(const std::string& what, const std::string& folder) {
  std::vector<NamedReproduction> studies;
  for (const std::filesystem::path& file : study_files(what, folder))
    studies.push_back({file.stem(), trammel::reproduce(file)});
  return to_json(studies);
}

}  // namespace

void bind_studies(nb::module_& m) {
  nb::class_<TorquesOfScenario>(m, "TorqueStudy", "What the motors must give.")
      .def_prop_ro("columns", [](const TorquesOfScenario& torques) { return torques.study.torques.names(); })
      .def_prop_ro("units", [](const TorquesOfScenario& torques) { return units(torques.study.torques); })
      .def_prop_ro(
          "values",
          [](const SharedTorques& torques) { return columns_as_rows(torques->study.torques.values(), torques); },
          nb::rv_policy::automatic)
      .def_prop_ro("realised", [](const TorquesOfScenario& torques) { return torques.study.realised(); })
      .def_prop_ro("json", [](const TorquesOfScenario& torques) { return to_json(torques.scenario, torques.study); });
  m.def("check", check, nb::arg("scenario"), nb::arg("progress").none());
  m.def("torques", torques, nb::arg("scenario"), nb::arg("progress").none());
  m.def("compare", compare, nb::arg("scenario"), nb::arg("progress").none());
  m.def("reproduce", reproduce, nb::arg("what"), nb::arg("folder"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace trammel::python
