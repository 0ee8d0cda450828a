#pragma once

#include <string>

#include <nanobind/nanobind.h>

namespace trammel::python {

namespace nb = nanobind;

/// str(object) in UTF-8; halves of surrogate pairs, which Python's texts may hold, are escaped.
inline std::string text_of(nb::handle object) {
  const nb::object bytes = nb::str(object).attr("encode")("utf-8", "backslashreplace");
  return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
}

/// Each theme of the extension module, in a file of its own, adds itself to the module.
void bind_error(nb::module_& m);
void bind_model(nb::module_& m);
void bind_state(nb::module_& m);
void bind_scenario(nb::module_& m);
void bind_motion(nb::module_& m);
void bind_problem(nb::module_& m);
void bind_recorded(nb::module_& m);
void bind_run(nb::module_& m);
void bind_studies(nb::module_& m);
void bind_sweep(nb::module_& m);
void bind_program(nb::module_& m);
void bind_functions(nb::module_& m);
void bind_system(nb::module_& m);

}  // namespace trammel::python
