#include "problem.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/core.h>

#include "motion.h"
#include "trammel/assembly/assemble.h"
#include "trammel/model/configuration.h"
#include "trammel/motion/dense_equation.h"
#include "trammel/motion/diagnosis.h"
#include "trammel/motion/stages.h"
#include "trammel/motion/torques.h"
#include "trammel/scenario/scenario.h"
#include "vectors.h"

namespace trammel::python {
namespace {

using NumberByName = std::map<std::string, double>;

Changes changes_of(const NumberByName& numbers) { return {numbers.begin(), numbers.end()}; }

AskedProblem of_system(const System& system, double rank_tolerance, std::pair<double, double> baumgarte) {
  const nb::gil_scoped_release released;
  MotionOptions options;
  options.rank.relative = rank_tolerance;
  options.baumgarte = {baumgarte.first, baumgarte.second};
  AskedProblem out{std::make_shared<Solver>(compile(system, options))};
  out.simulate.rank = options.rank;
  out.simulate.step = 0;  // none but the error's own
  if (options.baumgarte != Baumgarte{}) out.simulate.drift = {.kind = Drift::baumgarte, .gains = options.baumgarte};
  return out;
}

AskedProblem of_scenario(const Scenario& scenario) {
  const nb::gil_scoped_release released;
  return {std::make_shared<Solver>(scenario.problem()), scenario.simulate, scenario.start};
}

// The same with other numbers. The start stays as it is: it need not be on the constraints any more.
AskedProblem with_numbers(const AskedProblem& asked, const NumberByName& numbers) {
  const nb::gil_scoped_release released;
  return {std::make_shared<Solver>(asked.problem().with(changes_of(numbers))), asked.simulate, asked.start};
}

NumberByName parameters(const AskedProblem& asked) {
  NumberByName out;
  for (const Parameter& parameter : asked.problem().parameters()) out[parameter.name] = parameter.value;
  for (const auto& [name, value] : asked.problem().changes()) out[name] = value;
  return out;
}

// The system at the inputs that are set.
System with_inputs(const System& system, const VecX<>& inputs) {
  System out = system;
  for (int i = 0; i < inputs.size(); ++i) out.inputs[i].value = inputs[i];
  return out;
}

SolvedMotion solve_at(const AskedProblem& asked, nb::handle q, nb::handle v, double t, nb::handle inputs) {
  const Solver::Lease work(*asked.solver);
  read_state(*asked.solver, q, v, inputs, *work);
  return solve(asked.solver, *work, read_number(t, "t"));
}

nb::tuple matrices(const AskedProblem& asked, nb::handle q, nb::handle v, double t, nb::handle inputs) {
  Solver& solver = *asked.solver;
  const Solver::Lease work(solver);
  read_state(solver, q, v, inputs, *work);
  read_number(t, "t");
  const Problem& problem = solver.problem;
  const Baumgarte& gains = problem.options().baumgarte;
  const Equation equation = [&] {
    const nb::gil_scoped_release released;
    return work->other_inputs
               ? dense_equation(with_inputs(problem.system(), work->data.inputs), work->q, work->v, t, gains)
               : dense_equation(problem.system(), work->q, work->v, t, gains);
  }();
  return nb::make_tuple(to_array(equation.M), to_array(equation.Q), to_array(equation.A), to_array(equation.b));
}

struct TorquesAt {
  Torques torques;
  std::vector<std::string> motors;
  std::string what;
};

TorquesAt torques_at(const AskedProblem& asked, nb::handle q, nb::handle v, double t, nb::handle inputs,
                     nb::handle preload) {
  Solver& solver = *asked.solver;
  require_motors(solver.problem);
  const Solver::Lease work(solver);
  read_state(solver, q, v, inputs, *work);
  read_number(t, "t");
  MotorStage& motors = *work->data.motors;
  if (!preload.is_none()) read_vector(preload, "preload", motors.preload);
  solver.compute([&] { solve_torques(work->q, work->v, t, work->data); });
  motors.preload.setZero();
  TorquesAt out{motors.torques, {}, shortfall_text(solver.problem, motors.torques)};
  for (const VariableInfo& motor : solver.problem.motors()) out.motors.push_back(motor.name);
  return out;
}

Diagnosis diagnose_at(const AskedProblem& asked, nb::handle q, nb::handle v, double t, nb::handle inputs) {
  const Solver::Lease work(*asked.solver);
  read_state(*asked.solver, q, v, inputs, *work);
  read_number(t, "t");
  const nb::gil_scoped_release released;
  return diagnose(work->data, work->q, work->v, t);
}

// The velocities of joints, by their indices.
std::vector<int> velocities_of(const Model& model, const std::vector<std::string>& joints) {
  std::vector<int> out;
  for (const std::string& joint : joints) {
    const Body& body = model.bodies()[model.joint(joint)];
    for (int i = body.v; i < body.v + body.nv; ++i) out.push_back(i);
  }
  return out;
}

Assembly assemble_from(const AskedProblem& asked, nb::handle q, nb::handle v, double t, nb::handle inputs,
                       const std::vector<std::string>& keep, const std::vector<std::string>& keep_speeds) {
  const System& system = asked.problem().system();
  const VecX<> guess = checked_configuration(system.model, read_vector(q, "q", system.model.nq()));
  const VecX<> speeds = v.is_none() ? VecX<>::Zero(system.model.nv()) : read_vector(v, "v", system.model.nv());
  read_number(t, "t");
  const System at_inputs = with_inputs(system, read_inputs(*asked.solver, inputs));
  AssemblyOptions options;
  options.keep = velocities_of(system.model, keep);
  options.keep_speeds = velocities_of(system.model, keep_speeds);
  options.rank_tolerance = asked.problem().options().rank.relative;
  const nb::gil_scoped_release released;
  return assemble(at_inputs, guess, speeds, t, options);
}

void bind_rows(nb::module_& m) {
  nb::class_<RowInfo>(m, "Row", "One row of a problem.")
      .def_ro("name", &RowInfo::name, "'loop[2]' for the third row of 'loop'; 'loop' where it has but one.")
      .def_ro("index", &RowInfo::row, "Among the rows of its constraint.")
      .def_prop_ro(
          "layer", [](const RowInfo& row) { return row.layer == Layer::physical ? "physical" : "control"; },
          "'physical' or 'control'.")
      .def_prop_ro(
          "level", [](const RowInfo& row) { return row.level == Level::position ? "position" : "velocity"; },
          "'position' (φ = 0) or 'velocity' (ψ = 0).")
      .def_prop_ro(
          "role",
          [](const RowInfo& row) {
            return row.role == Role::constraint ? "constraint" : row.role == Role::control ? "control" : "motion";
          },
          "'constraint' (holds whatever happens), 'control' (is asked for), 'motion' (leads one joint).")
      .def_prop_ro(
          "unit", [](const RowInfo& row) { return std::string(row.unit); }, "Of φ: 'm', 'rad', or '' if not known.")
      .def("__repr__", [](const RowInfo& row) {
        return fmt::format("Row('{}', {}, '{}')", row.name, row.layer == Layer::physical ? "physical" : "control",
                           row.unit);
      });
}

void bind_torques(nb::module_& m) {
  nb::class_<TorquesAt>(m, "Torques", "What the motors must give at a state.")
      .def_prop_ro(
          "u", [](const TorquesAt& t) { return to_array(t.torques.u); }, "(motors,), N·m or N.")
      .def_ro("motors", &TorquesAt::motors, "Their names.")
      .def_prop_ro(
          "at_limit", [](const TorquesAt& t) { return t.torques.at_limit; }, "Of each motor.")
      .def_prop_ro(
          "shortfall", [](const TorquesAt& t) { return to_array(t.torques.shortfall); },
          "(control rows,): b − A v̇, what the motors leave undone, m/s² or rad/s².")
      .def_prop_ro(
          "status", [](const TorquesAt& t) { return std::string(name_of(t.torques.status)); },
          "'realised', 'limited', 'unreachable' or 'no motion'.")
      .def_ro("what", &TorquesAt::what, "What the motors do not do and why, by name; empty where all is realised.")
      .def(
          "__getitem__",
          [](const TorquesAt& t, const std::string& motor) {
            return t.torques
                .u[nb::cast<int>(nb::module_::import_("pytrammel._core").attr("find_name")("motor", motor, t.motors))];
          },
          nb::arg("motor"), "Of one motor by its name, N·m or N.");
}

void bind_assembly(nb::module_& m) {
  nb::class_<Assembly>(m, "Assembly", "A state on the constraints, or the nearest to it that was found.")
      .def_prop_ro(
          "q", [](const Assembly& a) { return to_array(a.q); }, "(nq,).")
      .def_prop_ro(
          "v", [](const Assembly& a) { return to_array(a.v); }, "(nv,).")
      .def_prop_ro("closed", &Assembly::closed, "Whether all constraints hold there, place and velocity.")
      .def_prop_ro(
          "status", [](const Assembly& a) { return std::string(name_of(a.status)); },
          "'closed', 'velocities open', 'stuck', 'out of reach' …")
      .def_ro("open", &Assembly::open, "The constraint that is furthest from holding, where one is not.")
      .def_ro("moved", &Assembly::moved, "The largest change of a coordinate from the guess, rad or m.")
      .def_ro("iterations", &Assembly::iterations)
      .def_ro("attempts", &Assembly::attempts)
      .def("__str__", &Assembly::text)
      .def("__repr__", [](const Assembly& a) { return fmt::format("Assembly({})", a.text()); });
}

void bind_diagnosis(nb::module_& m) {
  nb::class_<Diagnosis::RedundantRow>(m, "RedundantRow", "A row that follows from others.")
      .def_ro("row", &Diagnosis::RedundantRow::row)
      .def_ro("follows_from", &Diagnosis::RedundantRow::follows_from)
      .def_ro("agrees", &Diagnosis::RedundantRow::agrees,
              "With what it follows from; else they contradict each other.");
  nb::class_<Diagnosis>(m, "Diagnosis", "What can be said of the constraints at one state.")
      .def_ro("freedoms_before", &Diagnosis::freedoms_before, "Of the tree.")
      .def_ro("rank", &Diagnosis::rank, "Number of independent rows.")
      .def_ro("freedoms_after", &Diagnosis::freedoms_after, "Freedoms that the rows leave.")
      .def_prop_ro("status", [](const Diagnosis& d) { return std::string(name_of(d.status)); })
      .def_ro("redundant", &Diagnosis::redundant)
      .def_prop_ro(
          "contradictory",
          [](const Diagnosis& d) {
            std::vector<std::string> out;
            for (const auto& row : d.redundant)
              if (!row.agrees) out.push_back(row.row);
            return out;
          },
          "Rows that do not agree with those that they follow from.")
      .def_prop_ro(
          "nearly_redundant",
          [](const Diagnosis& d) {
            std::map<std::string, double> out;
            for (const auto& row : d.nearly_redundant) out[row.row] = row.tolerance;
            return out;
          },
          "Rows that almost follow from others, with the rank tolerance above which they would count as redundant.")
      .def_ro("weakest_row", &Diagnosis::weakest_row, "The kept row with the smallest pivot,")
      .def_ro("weakest_pivot", &Diagnosis::weakest_pivot, "and that pivot, over the norm of the largest physical row.")
      .def_prop_ro(
          "residuals",
          [](const Diagnosis& d) {
            std::map<std::string, std::pair<double, double>> out;
            for (const auto& residual : d.residuals)
              out[residual.constraint] = {residual.phi.size(), residual.rate.size()};
            return out;
          },
          "Of each constraint its worst |φ| (m or rad) and |φ̇| or |ψ|.")
      .def_ro("not_numbers", &Diagnosis::not_numbers, "Constraints and forces that are not finite numbers.")
      .def("__str__", &Diagnosis::text)
      .def("__repr__", [](const Diagnosis& d) {
        return fmt::format("Diagnosis(status='{}', rank={}, freedoms_after={})", name_of(d.status), d.rank,
                           d.freedoms_after);
      });
}

std::vector<std::string> names_of(std::span<const VariableInfo> variables) {
  std::vector<std::string> out;
  for (const VariableInfo& variable : variables) out.push_back(variable.name);
  return out;
}

void bind_layout(ProblemClass& problem) {
  problem
      .def_prop_ro(
          "nq", [](const AskedProblem& p) { return p.problem().nq(); }, "Number of coordinates.")
      .def_prop_ro(
          "nv", [](const AskedProblem& p) { return p.problem().nv(); }, "Number of velocities.")
      .def_prop_ro(
          "model", [](const AskedProblem& p) -> const Model& { return p.problem().system().model; },
          nb::rv_policy::reference_internal, "The tree.")
      .def_prop_ro(
          "system", [](const AskedProblem& p) -> const System& { return p.problem().system(); },
          nb::rv_policy::reference_internal, "What it was compiled from.")
      .def_prop_ro(
          "rows",
          [](const AskedProblem& p) {
            return std::vector<RowInfo>(p.problem().rows().begin(), p.problem().rows().end());
          },
          "Every row, physical ones first: the order of A and b.")
      .def_prop_ro(
          "constraints",
          [](const AskedProblem& p) {
            std::vector<std::string> out;
            for (const int i : p.problem().asked().constraints) out.push_back(p.problem().system().constraints[i].name);
            return out;
          },
          "Their names, in the order of their rows.")
      .def_prop_ro(
          "driven", [](const AskedProblem& p) { return p.problem().driven(); }, "Whether motors track control rows.")
      .def_prop_ro(
          "motors", [](const AskedProblem& p) { return names_of(p.problem().motors()); },
          "Names of the motors that track rows.")
      .def_prop_ro(
          "inputs",
          [](const AskedProblem& p) {
            nb::dict out;
            const std::vector<std::string> names = names_of(p.problem().inputs());
            for (std::size_t i = 0; i < names.size(); ++i) out[names[i].c_str()] = p.solver->nominal_inputs[i];
            return out;
          },
          nb::sig("def inputs(self) -> dict[str, float]"),
          "Numbers that are set from outside, with the values that the author gave.")
      .def_prop_ro("rank_tolerance", [](const AskedProblem& p) { return p.problem().options().rank.relative; })
      .def_prop_ro(
          "baumgarte",
          [](const AskedProblem& p) {
            const Baumgarte& gains = p.problem().options().baumgarte;
            return std::pair(gains.alpha, gains.beta);
          },
          "Gains (α in 1/s, β in 1/s²) of constraints that have none of their own.");
}

#define STATE_ARGS nb::arg("q"), nb::arg("v"), nb::arg("t") = 0.0, nb::arg("inputs") = nb::none()
#define STATE_SIG                                                                 \
  "(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike, t: float = 0.0, " \
  "inputs: collections.abc.Mapping[str, float] | numpy.typing.ArrayLike | None = None"

void bind_solves(ProblemClass& problem) {
  problem
      .def("solve", solve_at, STATE_ARGS, nb::sig("def solve" STATE_SIG ") -> Motion"),
           "The motion at a state: q (nq,), v (nv,), rad, m and s; inputs by name, or all as an array, those that are "
           "not\n"
           "given as the author set them. Where motors track rows, they act. Threads may share the problem.")
      .def("matrices", matrices, STATE_ARGS,
           nb::sig("def matrices" STATE_SIG
                   ") -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]"),
           "M (nv, nv), Q (nv,), A (rows, nv), b (rows,) of M v̇ = Q + Qc and A v̇ = b. Q holds all impressed forces "
           "with\n"
           "the velocity terms (−h elsewhere), b its stabilising part; torques of motors and friction of constraints "
           "are\n"
           "left out.")
      .def("torques", torques_at, STATE_ARGS, nb::arg("preload") = nb::none(),
           nb::sig("def torques" STATE_SIG ", preload: numpy.typing.ArrayLike | None = None) -> Torques"),
           "What the motors must give so that the control rows hold: of all u that do it, the least about the preload\n"
           "(motors,). An Error unless the system has actuators and control rows.")
      .def("diagnose", diagnose_at, STATE_ARGS, nb::sig("def diagnose" STATE_SIG ") -> Diagnosis"),
           "Which rows are redundant, nearly so or contradictory, by name, with every row held as if by itself.")
      .def("assemble", assemble_from, nb::arg("q"), nb::arg("v") = nb::none(), nb::arg("t") = 0.0,
           nb::arg("inputs") = nb::none(), nb::arg("keep") = std::vector<std::string>(),
           nb::arg("keep_speeds") = std::vector<std::string>(),
           nb::sig("def assemble(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike | None = None, t: float = "
                   "0.0, inputs: collections.abc.Mapping[str, float] | numpy.typing.ArrayLike | None = None, keep: "
                   "collections.abc.Sequence[str] = (), keep_speeds: collections.abc.Sequence[str] = ()) -> Assembly"),
           "From a guess to a state on all constraints. Joints in `keep` stay where they are, those in `keep_speeds` "
           "as\n"
           "fast as they are.");
}

void bind_making(ProblemClass& problem) {
  problem
      .def(
          "__init__",
          [](AskedProblem* self, const System& system, double rank_tolerance, std::pair<double, double> baumgarte) {
            new (self) AskedProblem(of_system(system, rank_tolerance, baumgarte));
          },
          nb::arg("system"), nb::arg("rank_tolerance") = RankTolerance{}.relative,
          nb::arg("baumgarte") = std::pair(0.0, 0.0))
      .def(
          "__init__",
          [](AskedProblem* self, const Scenario& scenario) { new (self) AskedProblem(of_scenario(scenario)); },
          nb::arg("scenario"))
      .def(
          "__init__",
          [](AskedProblem* self, const AskedProblem& asked, const NumberByName& numbers) {
            new (self) AskedProblem(with_numbers(asked, numbers));
          },
          nb::arg("problem"), nb::arg("parameters"))
      .def_prop_ro("parameters", parameters,
                   "Numbers that with_parameters can change, by name, in SI units, as they are now.")
      .def_prop_ro(
          "changes",
          [](const AskedProblem& p) {
            return NumberByName(p.problem().changes().begin(), p.problem().changes().end());
          },
          "Of these, what differs from what the author gave.");
}

}  // namespace

void bind_problem(nb::module_& m) {
  bind_rows(m);
  bind_torques(m);
  bind_assembly(m);
  bind_diagnosis(m);
  ProblemClass problem(m, "Problem");
  bind_making(problem);
  bind_layout(problem);
  bind_solves(problem);
  bind_batches(problem, m);
  bind_runs(problem, m);
}

}  // namespace trammel::python
