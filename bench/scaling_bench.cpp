#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>

#include "motion_tasks.h"
#include "support/closed_mechanisms.h"
#include "trammel/constraints/templated_rows.h"
#include "trammel/math/lane_columns.h"
#include "trammel/motion/solve_batch.h"

/// How the time of one evaluation of the equation of motion grows: N five-bars side by side, a chain of N rods whose tip
/// is held, and many states in one call. The least of many rounds is printed: other work on the machine can only add to it.
namespace trammel::bench {
namespace {

// Seconds of this program's own time for one evaluation.
double time_motion(System system) {
  ConstrainedMotion task(std::move(system));
  const std::vector<State> states = seeded_states(task.model, 16);
  const int evaluations = std::max(2, 20000 / task.model.nv());
  double least = 1e9;
  for (int round = 0; round < 15; ++round) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < evaluations; ++i) task(states[i % states.size()]);
    const std::clock_t end = std::clock();
    least = std::min(least, static_cast<double>(end - begin) / CLOCKS_PER_SEC / evaluations);
  }
  return least;
}

void many_loops() {
  std::printf("five-bars side by side\n      N   us each\n");
  for (int n = 1; n <= 64; n *= 2) std::printf("  %5d   %7.3f\n", n, 1e6 * time_motion(test::five_bars(n)) / n);
}

void long_chains() {
  std::printf("chain with its tip held\n      N        us   over N/4\n");
  double quarter[2] = {};  // of the last two lengths
  for (int n = 2; n <= 512; n *= 2) {
    const double seconds = time_motion(pinned_chain(n));
    if (n >= 8)
      std::printf("  %5d   %7.2f   %8.2f\n", n, 1e6 * seconds, seconds / quarter[0]);
    else
      std::printf("  %5d   %7.2f\n", n, 1e6 * seconds);
    quarter[0] = quarter[1];
    quarter[1] = seconds;
  }
}

// Each way in turn, so that all meet the machine at the same paces; by the clock on the wall, as threads share the work.
std::vector<double> least_seconds(const std::vector<std::function<void()>>& ways) {
  std::vector<double> least(ways.size(), 1e9);
  for (int round = 0; round < 40; ++round)
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const auto begin = std::chrono::steady_clock::now();
      ways[i]();
      least[i] = std::min(least[i], std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
  return least;
}

// The rows of states in lanes, by themselves: what a batch spends on asking its constraints.
class Asking {
 public:
  Asking(const Problem& problem, const MatX<>& q, const MatX<>& v) : problem_(problem) {
    const Model& model = problem.system().model;
    for (int first = 0; first < 16 * lane_count; first += lane_count) {
      Group& group =
          groups_.emplace_back(Group{Kinematics<Lanes>(model), VecX<Lanes>(model.nq()), VecX<Lanes>(model.nv())});
      gather(q, first, lane_count, group.q);
      gather(v, first, lane_count, group.v);
      kinematics<Lanes>(model, group.q, group.v, group.kin);
    }
    for (const int i : problem.asked().constraints) rows_.push_back(rows_for<Lanes>(law(i)));
  }
  /// So many states.
  void operator()(int count) {
    for (int done = 0; done < count; done += lane_count) {
      const Group& group = groups_[done / lane_count % groups_.size()];
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Constraint& asked = law(problem_.asked().constraints[i]);
        asked.in_lanes()->evaluate(asked, {group.kin, group.q, group.v, 0}, rows_[i]);
      }
    }
  }

 private:
  struct Group {
    Kinematics<Lanes> kin;
    VecX<Lanes> q, v;
  };
  const Constraint& law(int i) const { return *problem_.system().constraints[i].law; }

  Problem problem_;
  std::vector<Group> groups_;
  std::vector<RowsOf<Lanes>> rows_;
};

void batch_of(const char* name, System system) {
  constexpr int count = 4096;
  ConstrainedMotion task(std::move(system));
  const std::vector<State> states = seeded_states(task.model, count);
  MatX<> q(task.model.nq(), count), v(task.model.nv(), count);
  for (int i = 0; i < count; ++i) q.col(i) = states[i].q, v.col(i) = states[i].v;
  MotionBatchWorkspace one(task.problem, 1), two(task.problem, 2);
  MotionBatch out;
  Asking asking(task.problem, q, v);
  const std::vector<double> seconds =
      least_seconds({[&] { std::ranges::for_each(states, std::ref(task)); }, [&] { solve_batch(q, v, 0, one, out); },
                     [&] { solve_batch(q, v, 0, two, out); }, [&] { asking(count); }});
  const double ns = 1e9 / count;
  std::printf("  %-14s %8.0f   %8.0f (%4.2f)   %8.0f (%4.2f)   %4.0f %%\n", name, ns * seconds[0], ns * seconds[1],
              seconds[0] / seconds[1], ns * seconds[2], seconds[0] / seconds[2], 100 * seconds[3] / seconds[1]);
}

void batches() {
  std::printf("4096 states, ns each     alone   %d lanes          and on two threads   share of asking constraints\n",
              lane_count);
  batch_of("arm7", System(build_model(test::arm7())));
  batch_of("pinned chain 7", pinned_chain(7));
  batch_of("held arm7", held_arm7());
  batch_of("five-bar", test::five_bar().system);
  batch_of("parallel robot", test::parallel_robot());
  batch_of("Stewart", test::stewart().system);
}

}  // namespace
}  // namespace trammel::bench

int main() {
  trammel::bench::many_loops();
  trammel::bench::long_chains();
  trammel::bench::batches();
  return 0;
}
