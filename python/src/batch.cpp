#include "trammel/motion/solve_batch.h"

#include <limits>
#include <thread>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/core.h>

#include "problem.h"
#include "trammel/base/parallel_for.h"
#include "trammel/model/configuration.h"
#include "trammel/motion/stages.h"
#include "vectors.h"

namespace trammel::python {
namespace {

// As checked_configuration does for one state, which also tells what is wrong; here nothing allocates where nothing is.
void check_quaternions(const Model& model, MatX<>& q) {
  if (model.nq() == model.nv()) return;
  std::vector<int> places;
  for (const Body& body : model.bodies())
    if (!rates_are_velocities(body.type)) places.push_back(body.q + size_of(body.type).q - 4);
  for (auto state : q.colwise()) {
    bool fine = state.cwiseAbs().maxCoeff() < 1e6;
    for (const int at : places) fine = fine && std::abs(state.segment<4>(at).squaredNorm() - 1) < 1e-6;
    if (fine)
      for (const int at : places) state.segment<4>(at) /= state.segment<4>(at).norm();
    else
      state = checked_configuration(model, VecX<>(state));
  }
}

// One of something for all states, or one for each.
void check_count(const char* name, Eigen::Index found, Eigen::Index states) {
  if (found != states) throw Error(fmt::format("{} for {} states", name, found), fmt::format("{}, as q has", states));
}

void read_states(const Solver& solver, nb::handle q, nb::handle v, nb::handle t, nb::handle inputs, AskedStates& out) {
  const Problem& problem = solver.problem;
  read_vectors(q, "q", problem.nq(), out.q);
  read_vectors(v, "v", problem.nv(), out.v);
  check_count("v", out.v.cols(), out.q.cols());
  check_quaternions(problem.system().model, out.q);
  double time = 0;
  out.t = nb::try_cast(t, time) ? VecX<>::Constant(1, read_number(time, "t")) : read_vector(t, "t", out.q.cols());
  const bool is_named = inputs.is_none() || nb::isinstance<nb::dict>(inputs);
  const nb::object dimensions = is_named ? nb::none() : nb::module_::import_("numpy").attr("ndim")(inputs);
  if (is_named || nb::cast<int>(dimensions) == 1) {
    out.inputs = read_inputs(solver, inputs);
  } else {
    read_vectors(inputs, "inputs", solver.nominal_inputs.size(), out.inputs);
    check_count("inputs", out.inputs.cols(), out.q.cols());
  }
}

// What Python has of a batch. Its memory goes back to the solver with it: fresh memory costs more than the motions of small systems.
struct Motions {
  explicit Motions(std::shared_ptr<Solver> of) : solver(std::move(of)), answer(solver->answers.take()) {}
  Motions(Motions&&) = default;
  ~Motions() {
    if (answer && answer->bytes() <= most_kept) solver->answers.give(std::move(answer));
  }
  Motions(const Motions&) = delete;
  Motions& operator=(const Motions&) = delete;

  static constexpr std::size_t most_kept = std::size_t{256} << 20;
  std::shared_ptr<Solver> solver;
  std::unique_ptr<BatchAnswer> answer;
};

// Each state by itself, in a workspace for each thread.
void solve_each(Solver& solver, const AskedStates& states, int threads, BatchAnswer& out) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const int n = states.count(), nv = solver.problem.nv();
  std::vector<std::unique_ptr<Solver::Lease>> leases;
  for (int i = 0; i < threads; ++i) leases.push_back(std::make_unique<Solver::Lease>(solver));
  const nb::gil_scoped_release released;
  out.batch.vdot.resize(nv, n), out.batch.Qc.resize(nv, n);
  out.batch.rank.resize(n), out.batch.status.resize(n);
  out.torques.resize(static_cast<Eigen::Index>(solver.problem.motors().size()), n);
  parallel_for(n, threads, 1, [&](int worker, int begin, int end) {
    Solver::Workspace& work = **leases[worker];
    Data& data = work.data;
    set_inputs(solver, {}, work);
    for (int i = begin; i < end; ++i) {
      if (states.inputs.size() > 0) set_inputs(solver, states.inputs.col(states.inputs.cols() == 1 ? 0 : i), work);
      work.q = states.q.col(i), work.v = states.v.col(i);
      solve(states.time(i), work.q, work.v, data);
      if (has_motion(data.motion.status)) {
        out.batch.vdot.col(i) = data.motion.vdot;
        out.batch.Qc.col(i) = data.motion.Qc;
      } else {
        out.batch.vdot.col(i).setConstant(none), out.batch.Qc.col(i).setConstant(none);
      }
      out.batch.rank[i] = data.motion.rank;
      out.batch.status[i] = data.motion.status;
      if (data.motors) out.torques.col(i) = data.motors->torques.u;
    }
  });
}

}  // namespace

int worker_count(std::optional<int> workers) {
  constexpr int most = 1024;
  if (workers && (*workers < 1 || *workers > most))
    throw Error(fmt::format("workers = {}", *workers), fmt::format("1 to {}", most));
  return workers ? *workers : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

namespace {

// In lanes, unless motors act, or times or inputs differ.
Motions solve_all(const AskedProblem& asked, nb::handle q, nb::handle v, nb::handle t, nb::handle inputs,
                  std::optional<int> workers) {
  Solver& solver = *asked.solver;
  std::unique_ptr<AskedStates> given = solver.asked.take();
  const AskedStates& states = *given;
  read_states(solver, q, v, t, inputs, *given);
  const int threads = std::min(worker_count(workers), std::max(1, states.count()));
  Motions out(asked.solver);
  if (states.count() == 0 || solver.problem.driven() || states.t.size() > 1 || states.inputs.size() > 0) {
    solve_each(solver, states, threads, *out.answer);
  } else {
    std::unique_ptr<MotionBatchWorkspace> room = solver.take_batch_room(threads);
    {
      const nb::gil_scoped_release released;
      solve_batch(states.q, states.v, states.t[0], *room, out.answer->batch);
      out.answer->torques.resize(0, states.count());
    }
    solver.give_back(std::move(room), threads);
  }
  if (given->bytes() <= Motions::most_kept) solver.asked.give(std::move(given));
  return out;
}

ArrayObject<1, const int> ranks(nb::handle_t<Motions> self) {
  const std::vector<int>& rank = nb::inst_ptr<Motions>(self)->answer->batch.rank;
  return nb::ndarray<nb::numpy, const int, nb::ndim<1>>(rank.data(), {rank.size()}, self).cast();
}

ArrayObject<1, bool> moving(const Motions& motions) {
  const std::size_t n = motions.answer->batch.status.size();
  bool* flags = new bool[n];
  for (std::size_t i = 0; i < n; ++i) flags[i] = has_motion(motions.answer->batch.status[i]);
  const nb::capsule owner(flags, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
  return nb::ndarray<nb::numpy, bool, nb::ndim<1>>(flags, {n}, owner).cast();
}

// A matrix of the motions, read where it stands: a row of the array for each state.
template <class Get>
auto seen(const Get& get) {
  return [get](nb::handle_t<Motions> self) { return rows_view(get(*nb::inst_ptr<Motions>(self)->answer), self); };
}

}  // namespace

void bind_batches(ProblemClass& problem, nb::module_& m) {
  nb::class_<Motions>(m, "MotionBatch", "The motions of n states.")
      .def_prop_ro("vdot", seen([](const BatchAnswer& s) -> const MatX<>& { return s.batch.vdot; }),
                   "(n, nv): accelerations, rad/s² or m/s². Read-only; NaN where there is no motion.")
      .def_prop_ro("Qc", seen([](const BatchAnswer& s) -> const MatX<>& { return s.batch.Qc; }),
                   "(n, nv): generalised forces of the constraints, N·m or N. Read-only.")
      .def_prop_ro("torques", seen([](const BatchAnswer& s) -> const MatX<>& { return s.torques; }),
                   "(n, motors): what the motors give, N·m or N. Read-only.")
      .def_prop_ro("rank", ranks, "(n,): numbers of independent rows. Read-only.")
      .def_prop_ro("has_motion", moving, "(n,): whether there is a motion.")
      .def_prop_ro(
          "status",
          [](const Motions& motions) {
            std::vector<std::string> out;
            for (const Status status : motions.answer->batch.status) out.emplace_back(name_of(status));
            return out;
          },
          "Of each state, as Motion.status.")
      .def("__len__", [](const Motions& motions) { return motions.answer->batch.status.size(); });
  problem.def(
      "solve_batch", solve_all, nb::arg("q"), nb::arg("v"), nb::arg("t") = 0.0, nb::arg("inputs") = nb::none(),
      nb::arg("workers") = nb::none(),
      nb::sig("def solve_batch(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike, t: numpy.typing.ArrayLike = "
              "0.0, inputs: collections.abc.Mapping[str, float] | numpy.typing.ArrayLike | None = None, workers: int | "
              "None = None) -> MotionBatch"),
      "solve for n states side by side: q (n, nq), v (n, nv), t of all or (n,), inputs of all or (n, inputs). On all\n"
      "cores, or as many threads as there are workers; the answer does not depend on their number. It is that of "
      "solve\n"
      "to rounding; to the bit where motors act, or times or inputs are given for each.");
}

}  // namespace trammel::python
