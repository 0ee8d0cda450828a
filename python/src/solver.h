#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "bind.h"
#include "trammel/motion/data.h"
#include "trammel/motion/solve_batch.h"

namespace trammel::python {

/// Many states: column i of q and v is state i; so is column i of the inputs, where some are given.
struct AskedStates {
  MatX<> q, v;
  VecX<> t;       // of each, or of all
  MatX<> inputs;  // of each, or of all, or none
  int count() const { return static_cast<int>(q.cols()); }
  double time(int i) const { return t[t.size() == 1 ? 0 : i]; }
  std::size_t bytes() const { return sizeof(double) * static_cast<std::size_t>(q.size() + v.size() + inputs.size()); }
};

/// Their motions.
struct BatchAnswer {
  MotionBatch batch;
  MatX<> torques;
  std::size_t bytes() const {
    return sizeof(double) * static_cast<std::size_t>(batch.vdot.size() + batch.Qc.size() + torques.size());
  }
};

/// A few objects that nobody uses, whose memory the next to ask is given. Taken and given back with the GIL.
template <class T, std::size_t most>
class Spares {
 public:
  std::unique_ptr<T> take() {
    if (idle_.empty()) return std::make_unique<T>();
    std::unique_ptr<T> out = std::move(idle_.back());
    idle_.pop_back();
    return out;
  }
  void give(std::unique_ptr<T> object) {
    if (idle_.size() < most) idle_.push_back(std::move(object));
  }

 private:
  std::vector<std::unique_ptr<T>> idle_;
};

/// A problem with room to solve it in. Any number of threads may use it at once: each takes a workspace of its own, and gives it back when
/// it is done. That happens with the GIL, which guards the list; in between the GIL may be released.
class Solver {
 public:
  explicit Solver(Problem what) : problem(std::move(what)), nominal_inputs(Data(problem).inputs) {}

  /// What one call needs.
  struct Workspace {
    explicit Workspace(const Problem& problem) : data(problem), q(problem.nq()), v(problem.nv()) {}
    Data data;
    VecX<> q, v;                // the state that is asked for
    bool other_inputs = false;  // whether data.inputs are other than the author's
  };

  /// A workspace for the time of a call. One in which something was thrown is not used again.
  class Lease {
   public:
    explicit Lease(Solver& solver) : solver_(solver) {
      if (solver.idle_.empty()) {
        workspace_ = std::make_unique<Workspace>(solver.problem);
      } else {
        workspace_ = std::move(solver.idle_.back());
        solver.idle_.pop_back();
      }
    }
    ~Lease() {
      if (std::uncaught_exceptions() == thrown_before_) solver_.idle_.push_back(std::move(workspace_));
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Workspace& operator*() const { return *workspace_; }
    Workspace* operator->() const { return workspace_.get(); }

   private:
    Solver& solver_;
    std::unique_ptr<Workspace> workspace_;
    int thrown_before_ = std::uncaught_exceptions();
  };

  /// Room for batches on as many threads as were asked for last; taken and given back with the GIL, as leases are.
  std::unique_ptr<MotionBatchWorkspace> take_batch_room(int threads) {
    if (!batch_room_ || batch_threads_ != threads) return std::make_unique<MotionBatchWorkspace>(problem, threads);
    return std::move(batch_room_);
  }
  void give_back(std::unique_ptr<MotionBatchWorkspace> room, int threads) {
    batch_room_ = std::move(room);
    batch_threads_ = threads;
  }

  Spares<AskedStates, 1> asked;
  Spares<BatchAnswer, 2> answers;  // of a loop, which has one while it asks for the next

  Problem problem;
  VecX<> nominal_inputs;  // as the author gave them

  /// work(), one solve of the problem. Where that takes longer than 10 µs it is done without the GIL; to release it for less would not pay.
  /// The first three solves tell how long it takes.
  template <class Work>
  void compute(const Work& work) {
    if (timed_ == 3 && least_time_ > std::chrono::microseconds(10)) {
      const nb::gil_scoped_release released;
      work();
    } else if (timed_ == 3) {
      work();
    } else {
      const auto begin = std::chrono::steady_clock::now();
      work();
      least_time_ = std::min<std::chrono::nanoseconds>(least_time_, std::chrono::steady_clock::now() - begin);
      ++timed_;
    }
  }

 private:
  std::vector<std::unique_ptr<Workspace>> idle_;
  std::unique_ptr<MotionBatchWorkspace> batch_room_;
  int batch_threads_ = 0;
  int timed_ = 0;
  std::chrono::nanoseconds least_time_ = std::chrono::nanoseconds::max();
};

/// The state and the inputs that a user gives, into a workspace: q in its own size with quaternions of unit length, v, and inputs as a
/// dict by name, an array of all, or None for those that the author gave.
void read_state(Solver& solver, nb::handle q, nb::handle v, nb::handle inputs, Solver::Workspace& out);
/// The inputs alone: empty for None. Those that a dict does not name are the author's, or those `besides`.
VecX<> read_inputs(const Solver& solver, nb::handle inputs);
VecX<> read_inputs(const Solver& solver, nb::handle inputs, VecX<> besides);
/// From now on; empty for those that the author gave.
void set_inputs(const Solver& solver, const VecX<>& inputs, Solver::Workspace& out);

}  // namespace trammel::python
