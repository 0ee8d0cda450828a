#include "trammel/scenario/scenario.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "shown_error.h"
#include "trammel/scenario/text.h"

namespace trammel::python {
namespace {

using Shared = std::shared_ptr<const Scenario>;
using Overrides = std::vector<std::string>;

// What is wrong in the text itself, and not in a robot's file, is shown with its line.
template <class Read>
Shared shown(const std::string& file, const std::string& text, const Read& read) {
  try {
    return std::make_shared<const Scenario>(read());
  } catch (const Error& error) {
    throw ShownError(error, error.place().file == file ? with_caret(error, text) : error.what());
  }
}

Shared read_text(const std::string& text, const std::string& file, const std::string& folder,
                 const Overrides& overrides) {
  return shown(file, text, [&] { return read_scenario_text(text, file, folder, overrides); });
}

}  // namespace

void bind_scenario(nb::module_& m) {
  nb::class_<Scenario>(m, "Scenario", "A scenario that was read, with its start.")
      .def_ro("name", &Scenario::name)
      .def_ro("file", &Scenario::file)
      .def_ro("text", &Scenario::text)
      .def_ro("system", &Scenario::system, nb::rv_policy::reference_internal)
      .def_prop_ro("duration", [](const Scenario& scenario) { return scenario.simulate.duration; })
      .def_prop_ro("warnings", [](const Scenario& scenario) {
        std::vector<std::string> out;
        for (const Warning& warning : scenario.warnings) out.push_back(to_string(warning));
        return out;
      });
  const auto without_gil = nb::call_guard<nb::gil_scoped_release>();
  m.def(
      "read_file", [](const std::string& file) { return scenario::read_file(file); }, nb::arg("file"), without_gil);
  m.def("read_text", read_text, nb::arg("text"), nb::arg("file"), nb::arg("folder"), nb::arg("overrides"), without_gil,
        "Reads a scenario from text; robots are looked for in the folder.");
}

}  // namespace trammel::python
