#include "motion.h"

#include <limits>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/core.h>

#include "trammel/motion/stages.h"
#include "vectors.h"

namespace trammel::python {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::optional<std::string> link_of(const Model& model, int body) {
  if (body == world) return {};
  return model.link_name(body);
}

// A force at a point, as Python has it.
struct PlacedForce {
  std::optional<std::string> body;
  WrenchAtPoint at;
  Uniqueness uniqueness;
};
PlacedForce placed(const Model& model, const WrenchAtPoint& at, Uniqueness uniqueness) {
  return {link_of(model, at.body), at, uniqueness};
}

struct ForceOfConstraint : PlacedForce {
  ConstraintForce of;
  std::vector<std::pair<std::string, Vec6<>>> wrenches;  // by the link
};

struct ReactionInJoint : PlacedForce {
  JointReaction of;
};

// The motion again, in a workspace; then what `ask` asks of it.
template <class Ask>
void ask_again(const SolvedMotion& motion, const Ask& ask) {
  if (!has_motion(motion.motion.status)) throw Error("a state without a motion: " + motion.why, "one with a motion");
  const Solver::Lease work(*motion.solver);
  const nb::gil_scoped_release released;
  set_inputs(*motion.solver, motion.inputs, *work);
  solve(motion.at, work->data);
  ask(work->data);
}

nb::object named(const nb::dict& entries, const char* kind) {
  return nb::module_::import_("pytrammel._named").attr("Named")(kind, entries);
}

template <class Force>
void bind_placed(nb::class_<Force>& force) {
  force
      .def_prop_ro(
          "body", [](const Force& f) { return f.body; },
          "The link on which it acts; None where it acts on joints alone.")
      .def_prop_ro(
          "place", [](const Force& f) { return to_array(VecX<>(f.at.p_W)); }, "(3,): where it acts, in the world, m.")
      .def_prop_ro(
          "force", [](const Force& f) { return to_array(VecX<>(f.at.force)); }, "(3,): along the world's axes, N.")
      .def_prop_ro(
          "moment", [](const Force& f) { return to_array(VecX<>(f.at.moment)); },
          "(3,): about the place, along the world's axes, N·m.")
      .def_prop_ro(
          "wrench", [](const Force& f) { return to_array(VecX<>(spatial<double>(f.at.moment, f.at.force))); },
          "(6,): [moment; force].")
      .def_prop_ro(
          "unique", [](const Force& f) { return f.uniqueness == Uniqueness::unique; },
          "Whether it has but one value. Where others could take a part of it, the least is given.")
      .def_prop_ro(
          "uniqueness", [](const Force& f) { return std::string(name_of(f.uniqueness)); },
          "'unique', 'undecided' (rounding decides) or 'shared'.");
}

void bind_force(nb::module_& m) {
  nb::class_<ForceOfConstraint> force(m, "ConstraintForce", "What one constraint puts on the bodies.");
  bind_placed(force);
  force.def_prop_ro("name", [](const ForceOfConstraint& f) { return f.of.name; })
      .def_prop_ro(
          "layer", [](const ForceOfConstraint& f) { return f.of.layer == Layer::physical ? "physical" : "control"; },
          "'physical' or 'control'.")
      .def_prop_ro(
          "multipliers", [](const ForceOfConstraint& f) { return to_array(f.of.multipliers); },
          "(rows,): λ, N for a row in metres, N·m for one in radians.")
      .def_prop_ro(
          "stabilising", [](const ForceOfConstraint& f) { return to_array(f.of.stabilising); },
          "(rows,): the part of λ that drives an error to zero.")
      .def_prop_ro(
          "determined", [](const ForceOfConstraint& f) { return f.of.determined; },
          "Of each row, whether its λ has but one value.")
      .def_prop_ro(
          "shares_with", [](const ForceOfConstraint& f) { return f.of.shares_with; },
          "Constraints whose rows depend on its own.")
      .def_prop_ro(
          "wrenches",
          [](const ForceOfConstraint& f) {
            nb::dict out;
            for (const auto& [link, wrench] : f.wrenches) out[link.c_str()] = to_array(VecX<>(wrench));
            return out;
          },
          nb::sig("def wrenches(self) -> dict[str, numpy.typing.NDArray[numpy.float64]]"),
          "Of each link (6,): [moment; force] on it, about the origin of its joint, along the world's axes; N·m and N.")
      .def_prop_ro(
          "generalised", [](const ForceOfConstraint& f) { return to_array(f.of.generalised); },
          "(nv,): Aᵀλ and friction, N·m or N. Those of all constraints add up to Qc.")
      .def_prop_ro(
          "working", [](const ForceOfConstraint& f) { return to_array(f.of.working); },
          "(nv,): the part of it that is friction, N·m or N.")
      .def_prop_ro(
          "power", [](const ForceOfConstraint& f) { return f.of.power; }, "Of the force on the motion, W.")
      .def("__repr__", [](const ForceOfConstraint& f) {
        return fmt::format("ConstraintForce('{}', {:.4g} N, {:.4g} N·m, {})", f.of.name, f.at.force.norm(),
                           f.at.moment.norm(), name_of(f.uniqueness));
      });
}

void bind_reaction(nb::module_& m) {
  nb::class_<ReactionInJoint> reaction(m, "JointReaction",
                                       "What the guides of a joint put on its outer link, at the joint's origin.");
  bind_placed(reaction);
  reaction.def_prop_ro("joint", [](const ReactionInJoint& r) { return r.of.joint; })
      .def_prop_ro(
          "force_in_joint", [](const ReactionInJoint& r) { return to_array(VecX<>(r.of.force_in_joint)); },
          "(3,): along the axes of the outer link, N.")
      .def_prop_ro(
          "moment_in_joint", [](const ReactionInJoint& r) { return to_array(VecX<>(r.of.moment_in_joint)); },
          "(3,): likewise, N·m.")
      .def("__repr__", [](const ReactionInJoint& r) {
        return fmt::format("JointReaction('{}', {:.4g} N, {:.4g} N·m, {})", r.of.joint, r.at.force.norm(),
                           r.at.moment.norm(), name_of(r.uniqueness));
      });
}

// A vector of the motion, read where it stands.
template <class Get>
auto seen(const Get& get) {
  return [get](nb::handle_t<SolvedMotion> self) { return view(get(*nb::inst_ptr<SolvedMotion>(self)), self); };
}

}  // namespace

SolvedMotion solve(const std::shared_ptr<Solver>& solver, Solver::Workspace& work, double t) {
  solver->compute([&] { solve(t, work.q, work.v, work.data); });
  Data& data = work.data;
  SolvedMotion out{solver, {t, work.q, work.v}, {}, data.motion, {}, {}};
  if (work.other_inputs) out.inputs = data.inputs;
  if (!has_motion(data.motion.status)) {
    out.motion.vdot.setConstant(none), out.motion.Qc.setConstant(none), out.motion.residual.setConstant(none);
    out.why = why_no_motion(data);
  }
  if (data.motors) out.torques = data.motors->torques.u;
  return out;
}

nb::dict forces(const SolvedMotion& motion) {
  std::vector<ConstraintForce> ledger;
  ask_again(motion, [&](Data& data) { ledger = force_ledger(data, data.held()); });
  const Model& model = motion.solver->problem.system().model;
  nb::dict out;
  for (ConstraintForce& force : ledger) {
    ForceOfConstraint entry{placed(model, force.at_point, force.uniqueness), std::move(force), {}};
    for (const auto& [body, wrench] : entry.of.wrenches) entry.wrenches.emplace_back(model.link_name(body), wrench);
    const std::string name = entry.of.name;
    out[name.c_str()] = nb::cast(std::move(entry));
  }
  return out;
}

nb::dict reactions(const SolvedMotion& motion) {
  std::vector<JointReaction> ledger;
  ask_again(motion, [&](Data& data) { ledger = reaction_ledger(data); });
  const Model& model = motion.solver->problem.system().model;
  nb::dict out;
  for (JointReaction& reaction : ledger) {
    const std::string name = reaction.joint;
    out[name.c_str()] = nb::cast(ReactionInJoint{placed(model, reaction.at_joint, reaction.uniqueness), reaction});
  }
  return out;
}

void bind_motion(nb::module_& m) {
  bind_force(m);
  bind_reaction(m);
  nb::class_<SolvedMotion>(m, "Motion", "The motion at a state: M v̇ = Q + Qc under A v̇ = b.")
      .def_prop_ro("vdot", seen([](const SolvedMotion& s) -> const VecX<>& { return s.motion.vdot; }),
                   "(nv,): accelerations v̇, rad/s² or m/s². Read-only; NaN where there is no motion.")
      .def_prop_ro("Qc", seen([](const SolvedMotion& s) -> const VecX<>& { return s.motion.Qc; }),
                   "(nv,): the generalised force of the constraints, N·m or N. Read-only.")
      .def_prop_ro("residual", seen([](const SolvedMotion& s) -> const VecX<>& { return s.motion.residual; }),
                   "(rows,): A v̇ − b of every row that is held, b with its stabilising part. Read-only.")
      .def_prop_ro("torques", seen([](const SolvedMotion& s) -> const VecX<>& { return s.torques; }),
                   "(motors,): what the motors give, N·m or N; empty where they track nothing. Read-only.")
      .def_prop_ro(
          "rank", [](const SolvedMotion& s) { return s.motion.rank; }, "Number of independent rows.")
      .def_prop_ro(
          "status", [](const SolvedMotion& s) { return std::string(name_of(s.motion.status)); },
          "'regular', 'redundant', 'nearly redundant', 'contradictory'; without a motion 'unsettled', 'singular',\n"
          "'not a number'.")
      .def_prop_ro(
          "has_motion", [](const SolvedMotion& s) { return has_motion(s.motion.status); },
          "Whether there is a motion at all.")
      .def_prop_ro(
          "why", [](const SolvedMotion& s) { return s.why; }, "Why there is no motion, by name; else empty.")
      .def_prop_ro(
          "forces", [](const SolvedMotion& s) { return named(forces(s), "constraint"); },
          nb::sig("def forces(self) -> dict[str, ConstraintForce]"),
          "The force of each constraint by its name: forces['loop'].force, .place, .unique.")
      .def_prop_ro(
          "reactions", [](const SolvedMotion& s) { return named(reactions(s), "joint"); },
          nb::sig("def reactions(self) -> dict[str, JointReaction]"), "The reaction in each joint by its name.")
      .def("__repr__", [](const SolvedMotion& s) {
        return fmt::format("Motion(status='{}', rank={}, nv={})", name_of(s.motion.status), s.motion.rank,
                           s.motion.vdot.size());
      });
}

}  // namespace trammel::python
