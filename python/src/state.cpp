#include "trammel/motion/state.h"

#include <nanobind/stl/string.h>

#include "bind.h"
#include "vectors.h"

namespace trammel::python {
namespace {

nb::tuple parts(const State& state) { return nb::make_tuple(to_array(state.q), to_array(state.v), state.t); }

State state_of(nb::handle q, nb::handle v, double t) {
  return {read_number(t, "t"), read_vector(q, "q", any_size), read_vector(v, "v", any_size)};
}

}  // namespace

void bind_state(nb::module_& m) {
  nb::class_<State>(m, "State", "A state: coordinates q and velocities v at time t. It unpacks: q, v, t = state.")
      .def(
          "__init__", [](State* self, nb::handle q, nb::handle v, double t) { new (self) State(state_of(q, v, t)); },
          nb::arg("q"), nb::arg("v"), nb::arg("t") = 0.0,
          nb::sig("def __init__(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike, t: float = 0.0) -> None"))
      .def_prop_ro(
          "q", [](const State& state) { return to_array(state.q); }, "(nq,): a copy of the coordinates, rad and m.")
      .def_prop_ro(
          "v", [](const State& state) { return to_array(state.v); }, "(nv,): a copy of the velocities, rad/s and m/s.")
      .def_ro("t", &State::t, "s.")
      .def(
          "__iter__", [](const State& state) { return nb::iter(parts(state)); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[typing.Any]"))
      .def("__getstate__", parts, nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__",
          [](State* self, const nb::tuple& parts) {
            double t = 0;
            if (nb::len(parts) != 3 || !nb::try_cast(parts[2], t))
              throw nb::type_error("the parts of a State: found others than q, v, t");
            new (self) State(state_of(parts[0], parts[1], t));
          },
          nb::sig("def __setstate__(self, parts: tuple[typing.Any, ...]) -> None"))
      .def("__repr__", [](const State& state) {
        return nb::str("State(q={}, v={}, t={})").format(to_array(state.q), to_array(state.v), state.t);
      });
}

}  // namespace trammel::python
