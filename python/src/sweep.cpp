#include <fstream>
#include <sstream>

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "interruptible.h"
#include "shown_error.h"
#include "trammel/scenario/text.h"
#include "trammel/sweep/run_sweep.h"
#include "trammel/sweep/sweep_identity.h"
#include "trammel/sweep/sweep_page.h"

namespace trammel::python {
namespace {

using Overrides = std::vector<std::string>;
using Counts = std::map<std::string, long>;

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

Sweep read(const std::string& text, const std::string& file, const std::string& folder, const Overrides& overrides) {
  try {
    return read_sweep_text(text, file, folder, overrides);
  } catch (const Error& error) {
    throw ShownError(error, with_caret(error, error.place().file == file ? text : text_of(error.place().file)));
  }
}

// All cases, in this process. Returns whether the table is whole: Ctrl-C ends it early.
bool run_all(const Sweep& sweep, const std::string& folder, int threads, bool resume, const nb::object& callback) {
  return interruptible(callback, [&](Progress& progress) {
    SweepOptions options{.threads = threads, .resume = resume, .stop = &progress.stop};
    options.progress = [&](long done, long of) {
      progress.part.store(static_cast<double>(done) / static_cast<double>(of), std::memory_order_relaxed);
    };
    return run_sweep(sweep, folder, options).is_complete() && !progress.stop;
  });
}

// The callback is asked, from time to time, whether to go on: an exception of it ends the work, which keeps what there is.
Counts run_some(const Sweep& sweep, const std::string& folder, long begin, long end, const nb::object& callback) {
  return interruptible(callback,
                       [&](Progress& progress) { return run_cases(sweep, folder, begin, end, &progress.stop); });
}

bool finish(const Sweep& sweep, const std::string& folder, const nb::object& callback) {
  return interruptible(callback, [&](Progress& progress) {
    return finish_sweep(sweep, folder, &progress.stop).is_complete() && !progress.stop;
  });
}

}  // namespace

void bind_sweep(nb::module_& m) {
  nb::class_<Sweep>(m, "Sweep", "A sweep file that was read.")
      .def_prop_ro("name", &Sweep::name)
      .def_prop_ro("case_count", &Sweep::case_count)
      .def("overrides", &Sweep::overrides, nb::arg("case"))
      .def("command", &Sweep::command, nb::arg("case"))
      .def(
          "scenario", [](const Sweep& sweep, long i) { return std::make_shared<const Scenario>(sweep.scenario(i)); },
          nb::arg("case"), nb::call_guard<nb::gil_scoped_release>());
  const auto without_gil = nb::call_guard<nb::gil_scoped_release>();
  m.def("instruction_level", instruction_level);
  m.def("read_sweep", read, nb::arg("text"), nb::arg("file"), nb::arg("folder"), nb::arg("overrides"), without_gil,
        "Reads a sweep from text; its scenario is looked for in the folder.");
  m.def("run_sweep", run_all, nb::arg("sweep"), nb::arg("folder"), nb::arg("threads"), nb::arg("resume"),
        nb::arg("progress").none());
  m.def(
      "open_sweep",
      [](const Sweep& sweep, const std::string& folder, bool resume) { open_sweep(sweep, folder, resume); },
      nb::arg("sweep"), nb::arg("folder"), nb::arg("resume"), without_gil);
  m.def(
      "missing_cases", [](const Sweep& sweep, const std::string& folder) { return missing_cases(sweep, folder); },
      nb::arg("sweep"), nb::arg("folder"), without_gil);
  m.def(
      "abandoned_cases", [](const std::string& folder) { return abandoned_cases(folder); }, nb::arg("folder"),
      without_gil);
  m.def("run_cases", run_some, nb::arg("sweep"), nb::arg("folder"), nb::arg("begin"), nb::arg("end"),
        nb::arg("progress").none());
  m.def(
      "quarantine_case",
      [](const Sweep& sweep, const std::string& folder, long i, const std::string& reason) {
        quarantine_case(sweep, folder, i, reason);
      },
      nb::arg("sweep"), nb::arg("folder"), nb::arg("case"), nb::arg("reason"), without_gil);
  m.def("finish_sweep", finish, nb::arg("sweep"), nb::arg("folder"), nb::arg("progress").none());
  m.def(
      "write_sweep_page", [](const std::string& folder) { return write_sweep_page(folder); }, nb::arg("folder"),
      without_gil, "Writes report.html; whether the library was built with the page.");
}

}  // namespace trammel::python
