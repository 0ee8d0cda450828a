#include "trammel/system/system.h"

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "functions.h"
#include "trammel/motion/dense_equation.h"
#include "trammel/scenario/node.h"
#include "trammel/scenario/scenario.h"
#include "trammel/scenario/words.h"

namespace trammel::python {
namespace {

// A law in Python as pytrammel.functions describes it: what is read of it once, and what is called.
template <class T>
T part(nb::handle spec, const char* name) {
  return nb::cast<T>(spec.attr(name));
}

NamedConstraint constraint_of(const System& system, nb::handle spec) {
  const auto name = part<std::string>(spec, "name"), unit = part<std::string>(spec, "unit");
  const auto rows = part<int>(spec, "rows");
  NamedConstraint out;
  out.name = name;
  out.layer = part<bool>(spec, "control") ? Layer::control : Layer::physical;
  out.scale = part<double>(spec, "scale");
  if (const auto gains = part<std::optional<std::pair<double, double>>>(spec, "baumgarte"))
    out.baumgarte = Baumgarte{gains->first, gains->second};
  if (const auto gives = part<std::optional<std::pair<double, double>>>(spec, "compliance"))
    out.compliance = Compliance{gives->first, gives->second};
  const LawInPython law(spec);
  if (nb::hasattr(law.law(), "phi"))
    out.law = explicit_constraint(
        system, name, part<bool>(law.law(), "velocity_level") ? Level::velocity : Level::position, law, rows, unit);
  else
    out.law = function_constraint(system, name, law, rows, unit);
  return out;
}

// Says of what is wrong where it stands: constraints.mine.
template <class Add>
void at_key(const char* list, nb::handle spec, const Add& add) {
  try {
    add();
  } catch (const Error& error) {
    if (!error.place().file.empty()) throw;
    throw error.at(Place{std::string(list) + "." + part<std::string>(spec, "name")});
  }
}

// Adds what the lists of laws in Python say.
AddToSystem adder(const nb::list& constraints, const nb::list& forces) {
  if (nb::len(constraints) + nb::len(forces) == 0) return {};
  const auto held = [](const nb::list& list) {
    std::vector<LawInPython> out;
    for (const nb::handle spec : list) out.emplace_back(spec);
    return out;
  };
  return [constraints = held(constraints), forces = held(forces)](System& system) {
    const nb::gil_scoped_acquire gil;
    for (const LawInPython& law : constraints) {
      const nb::object spec = law.description();
      at_key(part<bool>(spec, "control") ? "control" : "constraints", spec,
             [&] { system.constrain(constraint_of(system, spec)); });
    }
    for (const LawInPython& law : forces) {
      const nb::object spec = law.description();
      at_key("forces", spec, [&] {
        const auto name = part<std::string>(spec, "name");
        system.apply(name, function_force(system, name, law, part<std::optional<std::string>>(spec, "at")));
      });
    }
  };
}

template <class Range, class Name>
std::vector<std::string> names(const Range& range, const Name& name) {
  std::vector<std::string> out;
  for (const auto& item : range) out.push_back(name(item));
  return out;
}

std::vector<std::string> velocity_names(const Model& model) {
  std::vector<std::string> out;
  for (int i = 0; i < model.nv(); ++i) out.push_back(model.velocity_name(i));
  return out;
}

// Texts, lists and maps of a YAML file as Python has them; what is empty is None.
nb::object plain(const scenario::Node& node) {
  using Kind = scenario::Node::Kind;
  if (node.kind == Kind::text) return nb::str(node.text.c_str(), node.text.size());
  if (node.kind == Kind::list) {
    nb::list out;
    for (const scenario::Node& item : node.items) out.append(plain(item));
    return out;
  }
  if (node.kind != Kind::map) return nb::none();
  nb::dict out;
  for (std::size_t i = 0; i < node.keys.size(); ++i)
    out[nb::str(node.keys[i].text.c_str(), node.keys[i].text.size())] = plain(node.items[i]);
  return out;
}

void bind_class(nb::module_& m) {
  const auto name_of_item = [](const auto& item) { return item.name; };
  nb::class_<System>(m, "System", "What the library compiles to a problem.", nb::dynamic_attr())
      .def_prop_ro("constraints", [=](const System& s) { return names(s.constraints, name_of_item); })
      .def_prop_ro("forces", [=](const System& s) { return names(s.forces, name_of_item); })
      .def_prop_ro("actuators", [=](const System& s) { return names(s.actuators, name_of_item); })
      .def_prop_ro("inputs", [=](const System& s) { return names(s.inputs, name_of_item); })
      .def_prop_ro("frames", [=](const System& s) { return names(s.model.frames(), name_of_item); })
      .def_prop_ro("coordinates", [](const System& s) { return s.model.coordinate_names(); })
      .def_prop_ro("velocities", [](const System& s) { return velocity_names(s.model); });
}

}  // namespace

void bind_system(nb::module_& m) {
  bind_class(m);
  m.def(
      "read_system",
      [](const std::string& text, const std::string& file, const std::string& folder, const nb::list& constraints,
         const nb::list& forces) {
        AddToSystem also = adder(constraints, forces);
        const nb::gil_scoped_release no_gil;
        return read_system_text(text, file, folder, std::move(also));
      },
      nb::arg("text"), nb::arg("file"), nb::arg("folder"), nb::arg("constraints"), nb::arg("forces"),
      nb::sig("def read_system(text: str, file: str, folder: str, constraints: list[typing.Any], forces: "
              "list[typing.Any]) -> System"),
      "The system that a scenario's text describes, with laws in Python besides.");
  m.def(
      "parse_scenario",
      [](const std::string& text, const std::string& file) { return plain(scenario::parse_yaml(text, file)); },
      nb::arg("text"), nb::arg("file"), "The texts, lists and maps of a scenario in YAML.");
  m.def(
      "words",
      [] {
        std::vector<std::tuple<std::string, std::string, std::vector<std::string>>> out;
        for (const scenario::Word& word : scenario::all_words()) out.emplace_back(word.kind, word.name, word.with);
        return out;
      },
      "The words of scenarios: kind, name, and what goes with it.");
  m.def(
      "_matrices",
      [](const System& system, const VecX<>& q, const VecX<>& v, double t) {
        const Equation out = dense_equation(system, q, v, t);
        return std::make_tuple(out.M, out.Q, out.A, out.b);
      },
      nb::arg("system"), nb::arg("q"), nb::arg("v"), nb::arg("t") = 0.0, nb::call_guard<nb::gil_scoped_release>(),
      "M, Q, A, b, for tests.");
}

}  // namespace trammel::python
