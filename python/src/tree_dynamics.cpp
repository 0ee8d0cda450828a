#include "tree_dynamics.h"

#include <array>
#include <map>

#include <nanobind/stl/string_view.h>

#include "trammel/dynamics/coriolis.h"
#include "trammel/dynamics/energy.h"
#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/dynamics/frame_motion.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/dynamics/passive_forces.h"
#include "trammel/model/configuration.h"
#include "vectors.h"

namespace trammel::python {
namespace {

// Room for one state of any tree of this size.
struct TreeRoom {
  explicit TreeRoom(const Model& model)
      : tree(model),
        carried(model),
        v(model.nv()),
        third(model.nv()),
        out(model.nv()),
        M(model.nv(), model.nv()),
        accelerations(model.body_count()) {}
  TreeWorkspace<> tree;
  WorldInertias<> carried;
  VecX<> q, v, third, out;  // the third is v̇ or τ
  MatX<> M;
  BodyVectors<> accelerations;
};

// The room of all calls, which have the GIL from their begin to their end: to allocate it takes as long as the dynamics of an arm.
TreeRoom& room_for(const Model& model) {
  static std::map<std::array<int, 3>, TreeRoom> rooms;
  const std::array<int, 3> size{model.body_count(), model.nq(), model.nv()};
  const auto found = rooms.find(size);
  if (found != rooms.end()) return found->second;
  if (rooms.size() == 16) rooms.clear();
  return rooms.try_emplace(size, model).first->second;
}

// What users give, checked.
TreeRoom& room_at(const Model& model, nb::handle q) {
  TreeRoom& room = room_for(model);
  room.q.resize(model.nq());  // it is gone where the last call's was refused
  read_vector(q, "q", room.q);
  room.q = checked_configuration(model, std::move(room.q));
  return room;
}
TreeRoom& room_at(const Model& model, nb::handle q, nb::handle v) {
  TreeRoom& room = room_at(model, q);
  read_vector(v, "v", room.v);
  return room;
}

const Positions<>& positions_at(const Model& model, nb::handle q) {
  TreeRoom& room = room_at(model, q);
  positions<double>(model, room.q, room.tree.kin);
  return room.tree.kin;
}
TreeRoom& kinematics_at(const Model& model, nb::handle q, nb::handle v) {
  TreeRoom& room = room_at(model, q, v);
  kinematics<double>(model, room.q, room.v, room.tree.kin);
  return room;
}

MatX<> homogeneous(const Pose<>& X) {
  MatX<> out = MatX<>::Identity(4, 4);
  out.topLeftCorner(3, 3) = X.R;
  out.topRightCorner(3, 1) = X.p;
  return out;
}

Matrix jacobian(const Model& model, nb::handle q, std::string_view frame) {
  Eigen::Matrix<double, 6, Eigen::Dynamic> J(6, model.nv());
  frame_jacobian<double>(model, positions_at(model, q), model.frame(frame), J);
  return to_array(MatX<>(J));
}

Vector bias_at(const Model& model, nb::handle q, nb::handle v) {
  TreeRoom& room = kinematics_at(model, q, v);
  world_inertias<double>(model, room.tree.kin, room.tree.inertias);
  bias_forces<double>(model, room.tree.kin, room.tree.inertias, room.tree.vectors, room.out);
  return to_array(room.out);
}

Vector gravity_at(const Model& model, nb::handle q) {
  const Positions<>& where = positions_at(model, q);
  TreeRoom& room = room_for(model);
  gravity_forces<double>(model, where, room.tree.vectors, room.out);
  return to_array(room.out);
}

Vector passive_at(const Model& model, nb::handle q, nb::handle v) {
  TreeRoom& room = room_at(model, q, v);
  passive_forces<double>(model, room.q, room.v, room.out);
  return to_array(room.out);
}

Matrix mass_matrix_at(const Model& model, nb::handle q) {
  const Positions<>& where = positions_at(model, q);
  TreeRoom& room = room_for(model);
  world_inertias<double>(model, where, room.tree.inertias);
  mass_matrix<double>(model, where, room.tree.inertias, room.carried, room.M);
  return to_array(room.M);
}

Vector inverse_dynamics_at(const Model& model, nb::handle q, nb::handle v, nb::handle vdot) {
  TreeRoom& room = room_at(model, q, v);
  TreeWorkspace<>& tree = room.tree;
  read_vector(vdot, "vdot", room.third);
  kinematics<double>(model, room.q, room.v, tree.kin);
  world_inertias<double>(model, tree.kin, tree.inertias);
  newton_euler<double>(model, tree.kin, tree.inertias, room.third, room.accelerations, tree.vectors, room.out);
  if (model.has_passive_forces()) {
    passive_forces<double>(model, room.q, room.v, tree.passive);
    room.out -= tree.passive;
  }
  return to_array(room.out);
}

Vector forward_dynamics_at(const Model& model, nb::handle q, nb::handle v, nb::handle tau) {
  TreeRoom& room = room_at(model, q, v);
  read_vector(tau, "tau", room.third);
  if (forward_dynamics<double>(model, room.q, room.v, room.third, room.tree, room.out) >= 0)
    forward_dynamics(model, room.q, room.v, room.third);  // tells what is singular
  return to_array(room.out);
}

void bind_frames(ModelClass& model) {
  model
      .def(
          "pose",
          [](const Model& m, nb::handle q, std::string_view frame) {
            return to_array(homogeneous(positions_at(m, q).pose(m.frame(frame))));
          },
          nb::arg("q"), nb::arg("frame"),
          nb::sig("def pose(self, q: numpy.typing.ArrayLike, frame: str) -> numpy.typing.NDArray[numpy.float64]"),
          "(4, 4): the pose X_WF of a frame in the world; lengths in m.")
      .def("jacobian", jacobian, nb::arg("q"), nb::arg("frame"),
           nb::sig("def jacobian(self, q: numpy.typing.ArrayLike, frame: str) -> numpy.typing.NDArray[numpy.float64]"),
           "(6, nv): J with [ω; v] = J v̂, v̂ the joints' velocities: angular rows first, of the frame's origin, along "
           "the\n"
           "world's axes (local_world_aligned elsewhere).")
      .def(
          "frame_velocity",
          [](const Model& m, nb::handle q, nb::handle v, std::string_view frame) {
            return to_array(VecX<>(frame_velocity<double>(kinematics_at(m, q, v).tree.kin, m.frame(frame))));
          },
          nb::arg("q"), nb::arg("v"), nb::arg("frame"),
          nb::sig("def frame_velocity(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike, frame: str) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "(6,): [ω; v] of a frame's origin, along the world's axes; rad/s and m/s.")
      .def(
          "frame_bias_acceleration",
          [](const Model& m, nb::handle q, nb::handle v, std::string_view frame) {
            return to_array(VecX<>(frame_bias_acceleration<double>(kinematics_at(m, q, v).tree.kin, m.frame(frame))));
          },
          nb::arg("q"), nb::arg("v"), nb::arg("frame"),
          nb::sig("def frame_bias_acceleration(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike, frame: str) "
                  "-> numpy.typing.NDArray[numpy.float64]"),
          "(6,): J̇ v of a frame, its acceleration at v̇ = 0, of the origin as a point; rad/s² and m/s².")
      .def(
          "mass_centre",
          [](const Model& m, nb::handle q) { return to_array(VecX<>(mass_centre<double>(m, positions_at(m, q)))); },
          nb::arg("q"),
          nb::sig("def mass_centre(self, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]"),
          "(3,): the common mass centre of the moving links in the world, m.");
}

void bind_dynamics(ModelClass& model) {
  model
      .def("mass_matrix", mass_matrix_at, nb::arg("q"),
           nb::sig("def mass_matrix(self, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]"),
           "(nv, nv): M(q), rotors included; kg·m² and kg.")
      .def(
          "coriolis_matrix",
          [](const Model& m, nb::handle q, nb::handle v) {
            const TreeRoom& room = kinematics_at(m, q, v);
            return to_array(coriolis_matrix(m, room.v, room.tree.kin));
          },
          nb::arg("q"), nb::arg("v"),
          nb::sig("def coriolis_matrix(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "(nv, nv): C(q, v) in Christoffel's form: C v are the velocity terms, and Ṁ − 2 C is skew.")
      .def("gravity_forces", gravity_at, nb::arg("q"),
           nb::sig("def gravity_forces(self, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]"),
           "(nv,): the joint forces that hold the robot at rest, ∂V/∂q; N·m or N.")
      .def("bias_forces", bias_at, nb::arg("q"), nb::arg("v"),
           nb::sig("def bias_forces(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           "(nv,): C(q, v) v and the gravity forces, N·m or N: M v̇ + bias = τ + passive.")
      .def("passive_forces", passive_at, nb::arg("q"), nb::arg("v"),
           nb::sig("def passive_forces(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           "(nv,): what springs, dampers and friction of the joints do, N·m or N.")
      .def("inverse_dynamics", inverse_dynamics_at, nb::arg("q"), nb::arg("v"), nb::arg("vdot"),
           nb::sig("def inverse_dynamics(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike, vdot: "
                   "numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]"),
           "(nv,): the joint forces τ = M v̇ + bias − passive under which the robot moves with v̇, N·m or N.")
      .def("forward_dynamics", forward_dynamics_at, nb::arg("q"), nb::arg("v"), nb::arg("tau"),
           nb::sig("def forward_dynamics(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike, tau: "
                   "numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]"),
           "(nv,): v̇ under the joint forces τ, rad/s² or m/s². An Error where M is singular.")
      .def(
          "kinetic_energy",
          [](const Model& m, nb::handle q, nb::handle v) {
            const TreeRoom& room = kinematics_at(m, q, v);
            return kinetic_energy<double>(m, room.v, room.tree.kin);
          },
          nb::arg("q"), nb::arg("v"),
          nb::sig("def kinetic_energy(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike) -> float"), "J.")
      .def(
          "potential_energy",
          [](const Model& m, nb::handle q) {
            const Positions<>& where = positions_at(m, q);
            return potential_energy<double>(m, room_for(m).q, where);
          },
          nb::arg("q"), nb::sig("def potential_energy(self, q: numpy.typing.ArrayLike) -> float"),
          "Of weight (zero at the world's origin) and of the joints' springs, J.")
      .def(
          "momentum",
          [](const Model& m, nb::handle q, nb::handle v) {
            return to_array(VecX<>(momentum<double>(m, kinematics_at(m, q, v).tree.kin)));
          },
          nb::arg("q"), nb::arg("v"),
          nb::sig("def momentum(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "(6,): [angular momentum about the world's origin; linear momentum], N·m·s and N·s.");
}

}  // namespace

void bind_tree_dynamics(ModelClass& model) {
  bind_frames(model);
  bind_dynamics(model);
}

}  // namespace trammel::python
