#include "trammel/model/model.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <fmt/core.h>

#include "trammel/model/build_model.h"
#include "trammel/model/configuration.h"
#include "trammel/scenario/robot_file.h"
#include "trammel/xml/file.h"
#include "tree_dynamics.h"
#include "vectors.h"

namespace trammel::python {
namespace {

// What users give, checked.
VecX<> configuration(const Model& model, nb::handle q, const char* name = "q") {
  return checked_configuration(model, read_vector(q, name, model.nq()));
}
VecX<> velocity(const Model& model, nb::handle v, const char* name = "v") { return read_vector(v, name, model.nv()); }

// One number of every velocity's coordinate.
Vector of_coordinates(const Model& model, double Coordinate::*number) {
  VecX<> out(model.nv());
  for (int i = 0; i < model.nv(); ++i) out[i] = model.coordinates()[i].*number;
  return to_array(std::move(out));
}

template <class Name>
std::vector<std::string> names(int count, const Name& name) {
  std::vector<std::string> out;
  for (int i = 0; i < count; ++i) out.emplace_back(name(i));
  return out;
}

// A joint as Python lists it.
struct JointPlace {
  std::string name, link, parent;
  std::string_view type;
  int q, nq, v, nv;
  std::vector<bool> angular;
};
JointPlace joint_place(const Model& model, int i) {
  const Body& body = model.bodies()[i];
  JointPlace out{.name = model.joint_name(i),
                 .link = model.link_name(i),
                 .parent = body.parent == world ? "world" : model.link_name(body.parent),
                 .type = name_of(body.type),
                 .q = body.q,
                 .nq = size_of(body.type).q,
                 .v = body.v,
                 .nv = body.nv,
                 .angular = {}};
  for (int k = 0; k < body.nv; ++k) out.angular.push_back(is_angular(body.type, k));
  return out;
}

void bind_joint(nb::module_& m) {
  nb::class_<JointPlace>(m, "Joint", "A joint that moves: its links, and where its coordinates and velocities stand.")
      .def_ro("name", &JointPlace::name)
      .def_ro("link", &JointPlace::link, "The link that it carries.")
      .def_ro("parent", &JointPlace::parent, "The link that carries it, or 'world'.")
      .def_prop_ro(
          "type", [](const JointPlace& joint) { return std::string(joint.type); }, "'revolute', 'floating' …")
      .def_ro("q", &JointPlace::q, "Where its coordinates begin in q,")
      .def_ro("nq", &JointPlace::nq, "and how many they are.")
      .def_ro("v", &JointPlace::v, "Where its velocities begin in v,")
      .def_ro("nv", &JointPlace::nv, "and how many they are.")
      .def_ro("angular", &JointPlace::angular, "Of each velocity, whether it is angular (rad/s) or linear (m/s).")
      .def("__repr__", [](const JointPlace& joint) {
        return fmt::format("Joint('{}', {}, '{}' → '{}')", joint.name, joint.type, joint.parent, joint.link);
      });
}

void bind_facts(ModelClass& model) {
  model.def_prop_ro("name", &Model::name)
      .def_prop_ro("nq", &Model::nq, "Number of coordinates.")
      .def_prop_ro("nv", &Model::nv, "Number of velocities: the freedoms of the tree.")
      .def_prop_ro(
          "gravity", [](const Model& m) { return to_array(VecX<>(m.gravity())); }, "(3,), m/s².")
      .def_prop_ro("mass", &Model::moving_mass, "Of the moving links, kg.")
      .def_prop_ro(
          "joints",
          [](const Model& m) {
            std::vector<JointPlace> out;
            for (int i = 0; i < m.body_count(); ++i) out.push_back(joint_place(m, i));
            return out;
          },
          "The joints that move, parents first.")
      .def_prop_ro(
          "joint_names", [](const Model& m) { return names(m.body_count(), [&](int i) { return m.joint_name(i); }); },
          "Of the joints that move.")
      .def_prop_ro(
          "frame_names",
          [](const Model& m) {
            return names(static_cast<int>(m.frames().size()), [&](int i) { return m.frames()[i].name; });
          },
          "Of all links, and of the places that were named.")
      .def_prop_ro("coordinate_names", &Model::coordinate_names, "One for each entry of q.")
      .def_prop_ro(
          "velocity_names", [](const Model& m) { return names(m.nv(), [&](int i) { return m.velocity_name(i); }); },
          "One for each entry of v.")
      .def_prop_ro(
          "lower", [](const Model& m) { return of_coordinates(m, &Coordinate::lower); },
          "(nv,), lower joint limits, rad or m; −inf where there is none.")
      .def_prop_ro(
          "upper", [](const Model& m) { return of_coordinates(m, &Coordinate::upper); },
          "(nv,), upper joint limits, rad or m; inf where there is none.")
      .def_prop_ro(
          "effort_limit", [](const Model& m) { return of_coordinates(m, &Coordinate::effort_limit); },
          "(nv,), N·m or N; inf where there is none.")
      .def_prop_ro(
          "warnings",
          [](const Model& m) {
            std::vector<std::string> out;
            for (const Warning& warning : m.warnings()) out.push_back(to_string(warning));
            return out;
          },
          "What the author of the file should know.")
      .def("__repr__", [](const Model& m) {
        return fmt::format("robot '{}': {} joints, {} velocities, {} frames", m.name(), m.body_count(), m.nv(),
                           m.frames().size());
      });
}

void bind_configurations(ModelClass& model) {
  model
      .def(
          "neutral", [](const Model& m) { return to_array(neutral_configuration(m)); },
          "(nq,): every joint at its zero.")
      .def(
          "integrate",
          [](const Model& m, nb::handle q, nb::handle step) {
            return to_array(retract(m, configuration(m, q), velocity(m, step, "step")));
          },
          nb::arg("q"), nb::arg("step"),
          nb::sig("def integrate(self, q: numpy.typing.ArrayLike, step: numpy.typing.ArrayLike) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "(nq,): q ⊕ step, each joint moved for unit time at the constant velocity `step`.")
      .def(
          "difference",
          [](const Model& m, nb::handle q0, nb::handle q1) {
            return to_array(difference(m, configuration(m, q0, "q0"), configuration(m, q1, "q1")));
          },
          nb::arg("q0"), nb::arg("q1"),
          nb::sig("def difference(self, q0: numpy.typing.ArrayLike, q1: numpy.typing.ArrayLike) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "(nv,): the step with q0 ⊕ step = q1.")
      .def(
          "coordinate_rates",
          [](const Model& m, nb::handle q, nb::handle v) {
            return to_array(coordinate_rates(m, configuration(m, q), velocity(m, v)));
          },
          nb::arg("q"), nb::arg("v"),
          nb::sig("def coordinate_rates(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "(nq,): q̇ = N(q) v; v itself where no joint has a quaternion.");
}

}  // namespace

void bind_model(nb::module_& m) {
  bind_joint(m);
  ModelClass model(m, "Model", "A tree of links and joints. Immutable: threads may share it.");
  model.def(
      "__init__",
      [](Model* self, const nb::bytes& bytes, const std::string& file, nb::handle gravity, bool strict) {
        const VecX<> g = read_vector(gravity, "gravity", 3);
        const std::string_view text(bytes.c_str(), bytes.size());
        const nb::gil_scoped_release released;
        new (self) Model(build_model(scenario::parse_robot(text, file, {.strict = strict}), Vec3<>(g)));
      },
      nb::arg("text"), nb::arg("file"), nb::arg("gravity"), nb::arg("strict") = false,
      nb::sig(
          "def __init__(self, text: bytes, file: str, gravity: numpy.typing.ArrayLike, strict: bool = False) -> None"));
  m.def(
      "read_robot_file",
      [](const std::string& path) {
        const std::string text = xml::read_file(path);
        return nb::bytes(text.data(), text.size());
      },
      nb::arg("path"), "The bytes of a file, of up to 32 MB.");
  bind_facts(model);
  bind_configurations(model);
  bind_tree_dynamics(model);
}

}  // namespace trammel::python
