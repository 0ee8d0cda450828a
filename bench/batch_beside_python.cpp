#include <cstdio>
#include <ctime>
#include <iostream>
#include <map>
#include <string>

#include "trammel/motion/solve_batch.h"
#include "trammel/scenario/scenario.h"

/// The C++ side of bench/python_overhead.py: for each line "FILE THREADS" it solves the start of a scenario 4096 times over as one batch, into the
/// memory of the batch before, and prints the seconds of all its threads that took.
namespace {

using namespace trammel;

struct Task {
  Task(const std::string& file, int threads) : Task(read_scenario(file), threads) {}
  Task(const Scenario& scenario, int threads)
      : work(scenario.problem(), threads),
        q(scenario.start.q.replicate(1, 4096)),
        v(scenario.start.v.replicate(1, 4096)),
        t(scenario.start.t) {}

  double seconds() {
    const std::clock_t begin = std::clock();
    solve_batch(q, v, t, work, out);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  }

  MotionBatchWorkspace work;
  MatX<> q, v;
  double t;
  MotionBatch out;
};

}  // namespace

int main() {
  std::map<std::string, Task> tasks;
  std::string file;
  for (int threads = 0; std::cin >> file >> threads;) {
    Task& task = tasks.try_emplace(file + std::to_string(threads), file, threads).first->second;
    std::printf("%.9f\n", task.seconds());
    std::fflush(stdout);
  }
  return 0;
}
