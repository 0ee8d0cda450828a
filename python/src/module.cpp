#include <nanobind/stl/string_view.h>

#include "bind.h"
#include "numpy_arrays.h"
#include "trammel/base/version.h"

/// pytrammel._core: what the Python package calls. It is thin, and the package beside it is what users see.
NB_MODULE(_core, m) {
  using namespace trammel;
  m.doc() = "The library behind pytrammel. Users import pytrammel.";
  python::load_numpy();
  m.attr("version") = version();
  python::bind_error(m);
  python::bind_model(m);
  python::bind_state(m);
  python::bind_functions(m);
  python::bind_system(m);
  python::bind_scenario(m);
  python::bind_motion(m);
  python::bind_recorded(m);
  python::bind_problem(m);
  python::bind_run(m);
  python::bind_studies(m);
  python::bind_sweep(m);
  python::bind_program(m);
}
