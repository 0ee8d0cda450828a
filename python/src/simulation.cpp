#include "trammel/simulate/simulate.h"

#include <chrono>
#include <thread>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <fmt/core.h>

#include "problem.h"
#include "recorded.h"
#include "trammel/base/names.h"
#include "trammel/base/parallel_for.h"
#include "trammel/simulate/simulator.h"
#include "vectors.h"

namespace trammel::python {
namespace {

// A word, by its place in a list.
template <class Value>
Value word(const char* name, const std::string& given, const std::vector<std::pair<std::string, Value>>& words) {
  std::vector<std::string> known;
  for (const auto& [text, value] : words) {
    if (text == given) return value;
    known.push_back(text);
  }
  throw Error(fmt::format("{} '{}'", name, given), allowed_names(given, known));
}

using Text = std::optional<std::string>;
using Number = std::optional<double>;
using Names = std::optional<std::vector<std::string>>;
using Texts = std::optional<std::map<std::string, std::string>>;

// What a user asks of a run; what is not given is as the scenario has it.
struct Asked {
  Number duration;
  Text integrator;
  Number step, tolerance, absolute_tolerance;
  Text drift;
  Number record_every;
  Names frames, reactions;
  Text reaction_axes, limits;
  Names velocities, orientations;
  Texts expressions;
};

// Of joints, frames, inputs and t, by the names of their columns.
std::vector<RecordedExpression> read_expressions(const System& system,
                                                 const std::map<std::string, std::string>& texts) {
  const Vocabulary names = vocabulary_of(system);
  std::vector<RecordedExpression> out;
  for (const auto& [name, text] : texts) {
    out.push_back({name, parse_expression(text, names)});
    if (!out.back().expression.starts().empty())
      throw Error(fmt::format("start(…) in the expression '{}'", name), "start(…) in scenarios alone");
  }
  return out;
}

SimulateOptions options_of(const AskedProblem& problem, const Asked& asked) {
  SimulateOptions out = problem.simulate;
  for (const auto& [name, number] : {std::pair("duration", asked.duration),
                                     {"step", asked.step},
                                     {"tolerance", asked.tolerance},
                                     {"absolute_tolerance", asked.absolute_tolerance},
                                     {"record_every", asked.record_every}})
    if (number) read_number(*number, name);
  if (asked.duration) out.duration = *asked.duration;
  if (asked.integrator) out.method = &method_named(*asked.integrator);
  if (asked.step) out.step = *asked.step;
  if (asked.tolerance) out.tolerance.relative = *asked.tolerance;
  if (asked.absolute_tolerance) out.tolerance.absolute = *asked.absolute_tolerance;
  if (asked.record_every) out.record_every = *asked.record_every;
  if (asked.frames) out.frames = *asked.frames;
  if (asked.reactions) out.reactions = *asked.reactions;
  if (asked.velocities) out.velocities = *asked.velocities;
  if (asked.orientations) out.orientations = *asked.orientations;
  if (asked.expressions) out.expressions = read_expressions(problem.problem().system(), *asked.expressions);
  if (asked.drift)
    out.drift.kind = word<Drift>("drift", *asked.drift,
                                 {{"none", Drift::none},
                                  {"baumgarte", Drift::baumgarte},
                                  {"velocity", Drift::velocity},
                                  {"projection", Drift::projection}});
  out.drift.gains = problem.problem().options().baumgarte;
  if (asked.reaction_axes)
    out.reaction_axes = word<ReactionAxes>("reaction_axes", *asked.reaction_axes,
                                           {{"world", ReactionAxes::of_world}, {"joint", ReactionAxes::of_joint}});
  if (asked.limits)
    out.limits = word<LimitRule>("limits", *asked.limits,
                                 {{"warn", LimitRule::warn}, {"stop", LimitRule::stop}, {"ignore", LimitRule::ignore}});
  return out;
}

// The problem as a run with these options solves it: compiled anew where its stabilisation is another.
Problem problem_for(const AskedProblem& asked, const SimulateOptions& options) {
  const MotionOptions wanted = motion_options(options);
  return wanted == asked.problem().options() ? asked.problem() : compile(asked.problem().system(), wanted);
}

void check_size(const char* name, Eigen::Index found, int allowed) {
  if (found != allowed) throw Error(fmt::format("{} of shape ({},)", name, found), fmt::format("({},)", allowed));
}

// Inputs that stay as they are given.
void hold_inputs(const VecX<>& inputs, SimulateOptions& options) {
  if (inputs.size() == 0) return;
  options.set_inputs = [inputs](const State&, std::span<double> out) { std::ranges::copy(inputs, out.begin()); };
}

// Ends runs at Ctrl-C; other exceptions of signal handlers, and of the function that is told how far it is, end them, too, and are thrown
// when they have ended. Looked for every 50 ms.
class SignalWatch {
 public:
  explicit SignalWatch(nb::handle told = nb::none()) : told_(nb::borrow(told)) {}

  // After a step, from one thread.
  void look(double part = 0) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(50);
    const nb::gil_scoped_acquire acquired;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!told_.is_none() && !stop) told_(part);
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_KeyboardInterrupt) && !thrown_.is_valid()) thrown_ = nb::borrow(error.value());
      stop = true;
    }
  }
  void rethrow() const {
    if (!thrown_.is_valid()) return;
    PyErr_SetObject(thrown_.type().ptr(), thrown_.ptr());
    throw nb::python_error();
  }
  std::atomic<bool> stop = false;

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  nb::object told_;
  nb::object thrown_;
};

Simulation simulate_from(const AskedProblem& asked, const State& start, nb::handle inputs, const Asked& wanted,
                         nb::handle progress) {
  SimulateOptions options = options_of(asked, wanted);
  check_size("q", start.q.size(), asked.problem().nq());
  check_size("v", start.v.size(), asked.problem().nv());
  hold_inputs(read_inputs(*asked.solver, inputs), options);
  SignalWatch watch(progress);
  options.stop = &watch.stop;
  options.progress = [&](double t) { watch.look((t - start.t) / options.duration); };
  Simulation out;
  {
    const nb::gil_scoped_release released;
    out = simulate(problem_for(asked, options), start, options);
  }
  watch.rethrow();
  return out;
}

std::vector<Simulation> simulate_all(const AskedProblem& asked, nb::handle q, nb::handle v, double t, nb::handle inputs,
                                     std::optional<int> workers, const Asked& wanted) {
  SimulateOptions options = options_of(asked, wanted);
  const MatX<> all_q = read_vectors(q, "q", asked.problem().nq()), all_v = read_vectors(v, "v", asked.problem().nv());
  if (all_q.cols() != all_v.cols())
    throw Error(fmt::format("v for {} states", all_v.cols()), fmt::format("{}, as q has", all_q.cols()));
  read_number(t, "t");
  const int threads = worker_count(workers);
  hold_inputs(read_inputs(*asked.solver, inputs), options);
  SignalWatch watch;
  options.stop = &watch.stop;
  std::vector<Simulation> out(all_q.cols());
  {
    const nb::gil_scoped_release released;
    const Problem problem = problem_for(asked, options);
    const std::thread::id main = std::this_thread::get_id();
    options.progress = [&](double) {
      if (std::this_thread::get_id() == main) watch.look();
    };
    parallel_for(static_cast<int>(out.size()), threads, 1, [&](int, int begin, int end) {
      for (int i = begin; i < end; ++i) out[i] = simulate(problem, State(t, all_q.col(i), all_v.col(i)), options);
    });
  }
  watch.rethrow();
  return out;
}

// A run that its user leads.
class LedRun {
 public:
  LedRun(const AskedProblem& asked, const State& start, nb::handle inputs, const Asked& wanted)
      : solver_(asked.solver) {
    SimulateOptions options = options_of(asked, wanted);
    check_size("q", start.q.size(), asked.problem().nq());
    check_size("v", start.v.size(), asked.problem().nv());
    options.stop = &watch_.stop;
    options.progress = [this](double) { watch_.look(); };
    {
      const nb::gil_scoped_release released;
      simulator_.emplace(problem_for(asked, options), start, options);
    }
    watch_.rethrow();
    if (!inputs.is_none()) set_inputs(inputs);
  }

  // Those that a dict does not name stay as they are.
  void set_inputs(nb::handle inputs) {
    const Turn turn(*this);
    inputs_ = read_inputs(*solver_, inputs, inputs_.size() > 0 ? inputs_ : solver_->nominal_inputs);
    const nb::gil_scoped_release released;
    simulator_->set_inputs({inputs_.data(), static_cast<std::size_t>(inputs_.size())});
  }
  bool advance_to(double t) {
    const Turn turn(*this);
    bool goes_on = false;
    {
      const nb::gil_scoped_release released;
      goes_on = simulator_->advance_to(t);
    }
    watch_.rethrow();
    return goes_on;
  }
  State state() {
    const Turn turn(*this);
    return simulator_->state();
  }
  bool has_ended() {
    if (concluded_) return true;
    const Turn turn(*this);
    return simulator_->has_ended();
  }
  Simulation conclude() {
    const Turn turn(*this);
    concluded_ = true;
    return simulator_->conclude();
  }

 private:
  // One call at a time, and none after the last. The GIL guards the flag.
  class Turn {
   public:
    explicit Turn(LedRun& run) : run_(run) {
      if (run.concluded_) throw Error("a run that was concluded", "to ask the Simulation that conclude() gave");
      if (run.busy_) throw Error("a run that another thread leads", "one thread at a time");
      run.busy_ = true;
    }
    ~Turn() { run_.busy_ = false; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    LedRun& run_;
  };

  std::shared_ptr<Solver> solver_;
  SignalWatch watch_;
  std::optional<Simulator> simulator_;
  VecX<> inputs_;  // empty for those that the author gave
  bool busy_ = false, concluded_ = false;
};

void bind_led_run(nb::module_& m) {
  nb::class_<LedRun>(m, "LedRun", "A run that its user leads from moment to moment.")
      .def(nb::init<const AskedProblem&, const State&, nb::handle, const Asked&>(), nb::arg("problem"),
           nb::arg("start"), nb::arg("inputs").none(), nb::arg("options"),
           nb::sig("def __init__(self, problem: Problem, start: State, inputs: object, options: RunOptions) -> None"))
      .def("set_inputs", &LedRun::set_inputs, nb::arg("inputs"),
           nb::sig("def set_inputs(self, inputs: object) -> None"),
           "From now on; those that a dict does not name stay as they are. What was recorded at this moment has those "
           "before.")
      .def("advance_to", &LedRun::advance_to, nb::arg("t"),
           "On to a time in s, exactly. False where the run has ended, at its time or before.")
      .def_prop_ro("state", &LedRun::state, "Where it is now.")
      .def_prop_ro("ended", &LedRun::has_ended, "Whether it has come to its end, or was ended: conclude tells why.")
      .def("finish", &LedRun::conclude, "What came of it. One that has not come to its end is 'stopped' there.");
}

void bind_result(nb::module_& m) {
  nb::class_<Simulation>(m, "Simulation", "A run: what it recorded, and how it ended.")
      .def_prop_ro(
          "status", [](const Simulation& s) { return std::string(name_of(s.status)); },
          "'finished', 'stopped' (Ctrl-C), or what ended it before its time.")
      .def_ro("what", &Simulation::what, "Why it ended before its time, by name; else empty.")
      .def_prop_ro("good", &Simulation::is_good,
                   "Whether it came to its end, its energy balances and its constraints hold.")
      .def_ro("warnings", &Simulation::warnings)
      .def_ro("left_open", &Simulation::left_open, "Constraints that a run without projection has left far open.")
      .def_ro("steps", &Simulation::steps)
      .def_ro("rejected_steps", &Simulation::rejected_steps)
      .def_ro("evaluations", &Simulation::evaluations)
      .def_ro("worst_phi", &Simulation::worst_phi, "Over the recording, m.")
      .def_ro("worst_rate", &Simulation::worst_rate, "Over the recording, m/s.")
      .def_prop_ro(
          "energy_error", [](const Simulation& s) { return s.energy.error; },
          "What the energy balance leaves unaccounted for, J,")
      .def_prop_ro(
          "energy_exchanged", [](const Simulation& s) { return s.energy.exchanged; }, "beside what was exchanged, J.")
      .def_ro("end", &Simulation::end, "The last state.")
      .def_prop_ro(
          "columns", [](const Simulation& s) { return s.recording.names(); }, "Names: 't', 'q.shoulder' …")
      .def_prop_ro(
          "units", [](const Simulation& s) { return units(s.recording); }, "Of the columns.")
      .def_prop_ro(
          "coordinates", [](const Simulation& s) { return s.recording.names_of(ColumnKind::coordinate); },
          "Names of the columns of q.")
      .def_prop_ro(
          "values",
          [](nb::handle_t<Simulation> self) {
            return rows_view(nb::inst_ptr<Simulation>(self)->recording.values(), self);
          },
          "(rows, columns): all that was recorded. Read-only, nothing is copied; it outlives the run.")
      .def(
          "__getitem__",
          [](nb::handle_t<Simulation> self, std::string_view name) {
            const Recording& recording = nb::inst_ptr<Simulation>(self)->recording;
            return entry_view(recording.values(), recording.column(name), self);
          },
          nb::arg("column"), "(rows,): a column by its name. Read-only, nothing is copied.")
      .def(
          "__len__", [](const Simulation& s) { return s.recording.rows(); }, "Number of rows recorded.")
      .def("__repr__", [](const Simulation& s) {
        return fmt::format("Simulation(status='{}', {} rows, {} columns)", name_of(s.status), s.recording.rows(),
                           s.recording.columns());
      });
}

}  // namespace

void bind_runs(ProblemClass& problem, nb::module_& m) {
  bind_result(m);
  bind_led_run(m);
  nb::class_<Asked>(m, "RunOptions", "What is asked of a run; None for what its scenario says.")
      .def(
          nb::init<Number, Text, Number, Number, Number, Text, Number, Names, Names, Text, Text, Names, Names, Texts>(),
          nb::arg("duration") = nb::none(), nb::arg("integrator") = nb::none(), nb::arg("step") = nb::none(),
          nb::arg("tolerance") = nb::none(), nb::arg("absolute_tolerance") = nb::none(), nb::arg("drift") = nb::none(),
          nb::arg("record_every") = nb::none(), nb::arg("frames") = nb::none(), nb::arg("reactions") = nb::none(),
          nb::arg("reaction_axes") = nb::none(), nb::arg("limits") = nb::none(), nb::arg("velocities") = nb::none(),
          nb::arg("orientations") = nb::none(), nb::arg("expressions") = nb::none());
  problem
      .def_ro("start", &AskedProblem::start,
              "Where the run of its scenario begins; None where it comes from no scenario.")
      .def("run_from", simulate_from, nb::arg("start"), nb::arg("inputs").none(), nb::arg("options"),
           nb::arg("progress").none(),
           nb::sig("def run_from(self, start: State, inputs: object, options: RunOptions, progress: "
                   "collections.abc.Callable[[float], None] | None) -> Simulation"))
      .def(
          "forces_of",
          [](const AskedProblem& asked, const Simulation& simulation) {
            const nb::gil_scoped_release released;
            return recorded_forces(asked.problem(), simulation);
          },
          nb::arg("simulation"), "The force of each constraint over the rows of a run of this problem.")
      .def(
          "reactions_of",
          [](const AskedProblem& asked, const Simulation& simulation, const Asked& wanted) {
            const SimulateOptions options = options_of(asked, wanted);
            return std::pair(recorded_reactions(simulation.recording, options.reactions),
                             options.reaction_axes == ReactionAxes::of_joint ? "joint" : "world");
          },
          nb::arg("simulation"), nb::arg("options"),
          "The joints whose reactions a run has recorded, each with its first column; and along which axes.")
      .def("run_all", simulate_all, nb::arg("q"), nb::arg("v"), nb::arg("t"), nb::arg("inputs").none(),
           nb::arg("workers").none(), nb::arg("options"),
           nb::sig("def run_all(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike, t: float, inputs: "
                   "object, workers: int | None, options: RunOptions) -> list[Simulation]"));
}

}  // namespace trammel::python
