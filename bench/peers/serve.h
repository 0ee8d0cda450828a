#pragma once

#include <ctime>
#include <functional>
#include <iostream>
#include <map>

#include "poses.h"

/// One program per engine and build, spoken to by bench/peers/compare.py in lines of text:
///
///   methods MECHANISM TASK     the names of the engine's ways of doing the task, on one line (perhaps none)
///   check MECHANISM TASK i     how far way i is from the reference, and a remark
///   time MECHANISM TASK i      ns per call over a block of a few ms of this thread's own time
///
/// Nothing is built or allocated by this file inside a timed block. C++17, for the sake of Simbody's headers.
namespace peers {

/// The tasks: forward, inverse, mass (of the tree without its closures), constrained (v̇ under the closures), ten_seconds
/// (drive.h), batch (forward for batch_size states in one call; an engine that has no way of its own does them one after
/// another).
struct Method {
  std::string name;
  std::function<void(int state)> run;
  /// v̇, forces, M u or the last q, after run(state), in the order and the conventions of mechanism.h.
  std::function<std::vector<double>(int state)> result;
  std::function<double()> opening{};  // of a simulation, the largest over its steps, m
};

constexpr int batch_size = 4096;

using Engine = std::function<std::vector<Method>(const Mechanism&, const std::string& task)>;

/// |a − b| beside |b| (or 1, where b is smaller), each the largest entry; infinite if something is not a number.
inline double disagreement(const std::vector<double>& a, const std::vector<double>& b) {
  double off = 0, size = 1;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (!std::isfinite(a[i])) return std::numeric_limits<double>::infinity();
    off = std::max(off, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return off / size;
}

/// What a method should give.
inline std::vector<double> reference(const Mechanism& mechanism, const std::string& task, int state) {
  if (task == "batch") {
    std::vector<double> all;
    for (const State& s : mechanism.states) all.insert(all.end(), s.forward.begin(), s.forward.end());
    return all;
  }
  const State& s = mechanism.states[static_cast<std::size_t>(state)];
  if (task == "forward") return s.forward;
  if (task == "inverse") return s.inverse;
  if (task == "mass") return s.mass;
  if (task == "constrained") return s.constrained;
  return mechanism.end_of_drive;
}

/// A simulation has one start; a batch is evaluated at once.
inline int states_of(const Mechanism& mechanism, const std::string& task) {
  return task == "ten_seconds" || task == "batch" ? 1 : static_cast<int>(mechanism.states.size());
}

/// A batch in terms of a method for one state.
inline Method one_after_another(const Mechanism& mechanism, const Method& single) {
  const int states = static_cast<int>(mechanism.states.size());
  const auto run = [single, states](int) {
    for (int k = 0; k < batch_size; ++k) single.run(k % states);
  };
  const auto result = [single, states](int) {
    std::vector<double> all;
    for (int i = 0; i < states; ++i) {
      single.run(i);
      const std::vector<double> one = single.result(i);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  };
  return {single.name + ", one after another", run, result};
}

inline double worst_disagreement(const Mechanism& mechanism, const std::string& task, const Method& method) {
  double worst = 0;
  for (int i = 0; i < states_of(mechanism, task); ++i) {
    method.run(i);
    worst = std::max(worst, disagreement(method.result(i), reference(mechanism, task, i)));
  }
  return worst;
}

inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Desk {
 public:
  Desk(Engine engine, std::string folder) : engine_(std::move(engine)), folder_(std::move(folder)) {}

  void answer(const std::string& command, const std::string& mechanism, const std::string& task, std::size_t i) {
    Job& job = this->job(mechanism, task);
    if (command == "methods") {
      for (const Method& method : job.methods) std::cout << method.name << '\t';
    } else if (command == "check") {
      check(job, job.methods.at(i));
    } else if (command == "time") {
      std::cout << 1e9 * time(job, i);
    }
  }

 private:
  struct Job {
    const Mechanism& mechanism;
    std::string task;
    std::vector<Method> methods;
    std::vector<long> rounds;  // over all states, in a block
  };

  Job& job(const std::string& name, const std::string& task) {
    if (mechanisms_.count(name) == 0) mechanisms_.emplace(name, read(folder_ + "/" + name));
    const std::string key = name + " " + task;
    if (jobs_.count(key) == 0) {
      const Mechanism& mechanism = mechanisms_.at(name);
      std::vector<Method> methods = engine_(mechanism, task);
      if (task == "batch" && methods.empty())
        for (const Method& single : engine_(mechanism, "forward"))
          methods.push_back(one_after_another(mechanism, single));
      std::vector<long> rounds(methods.size(), 0);
      jobs_.emplace(key, Job{mechanism, task, std::move(methods), std::move(rounds)});
    }
    return jobs_.at(key);
  }

  static void check(const Job& job, const Method& method) {
    std::cout << worst_disagreement(job.mechanism, job.task, method) << '\t';
    if (method.opening) std::cout << "opens by " << method.opening() << " m";
  }

  // Seconds per call.
  static double time(Job& job, std::size_t i) {
    const Method& method = job.methods.at(i);
    const int states = states_of(job.mechanism, job.task);
    const auto block = [&](long rounds) {
      const double begin = thread_seconds();
      for (long k = 0; k < rounds; ++k)
        for (int s = 0; s < states; ++s) method.run(s);
      return (thread_seconds() - begin) / static_cast<double>(rounds * states);
    };
    // the first time, how many rounds make a block of 3 ms
    if (job.rounds[i] == 0) {
      job.rounds[i] = 1;
      const double cold = block(1);
      if (cold * states > 3e-3) return cold;
      job.rounds[i] = std::max(1L, std::lround(3e-3 / (block(1) * states)));
    }
    return block(job.rounds[i]);
  }

  Engine engine_;
  std::string folder_;
  std::map<std::string, Mechanism> mechanisms_;
  std::map<std::string, Job> jobs_;
};

/// The main function of an adapter: argv[1] is the folder of the mechanisms.
inline int serve(int argc, char** argv, Engine engine) {
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " FOLDER, then one request per line\n";
    return 1;
  }
  Desk desk(std::move(engine), argv[1]);
  std::string command, mechanism, task;
  std::size_t i = 0;
  while (std::cin >> command >> mechanism >> task >> i) {
    try {
      desk.answer(command, mechanism, task, i);
    } catch (const std::exception& e) {
      std::cout << "error\t" << e.what();
    }
    std::cout << std::endl;
  }
  return 0;
}

}  // namespace peers
