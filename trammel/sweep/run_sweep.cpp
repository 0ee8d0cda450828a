#include "trammel/sweep/run_sweep.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <limits>
#include <mutex>
#include <thread>

#include <fmt/core.h>

#include "trammel/report/output_folder.h"
#include "trammel/sweep/sweep_identity.h"
#include "trammel/sweep/sweep_index.h"
#include "trammel/sweep/sweep_journal.h"
#include "trammel/sweep/sweep_parts.h"
#include "trammel/sweep/sweep_plan.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;
using sweep::CaseRange;
using sweep::SweepJournal;
using sweep::SweepParts;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds between_parts{1};  // as much is lost at most, of each thread, when the process is killed

SweepParts parts_of(const fs::path& folder) { return SweepParts(folder / "parts"); }

[[noreturn]] void refuse_folder(const fs::path& folder, const std::string& found) {
  throw Error({folder.string()}, found, "the folder of the same sweep, or another one");
}

void check_identity(const Sweep& sweep, const fs::path& folder, const std::string& identity) {
  if (const std::string difference = difference_of(identity_of(sweep), identity); !difference.empty())
    refuse_folder(folder, "the folder of a sweep " + difference);
}

// Cases that are yet to be run, in the order in which threads take them.
class Queue {
 public:
  Queue(std::vector<CaseRange> ranges, int threads) : ranges_(std::move(ranges)), threads_(threads) {
    for (const CaseRange& range : ranges_) left_ += range.end - range.begin;
  }
  long left() const { return left_; }

  /// Up to `wanted` cases one after the other, a second's work; fewer towards the end, so that no thread is left alone with many. None: an
  /// empty range.
  CaseRange take(long wanted) {
    const std::lock_guard lock(mutex_);
    if (next_ == ranges_.size()) return {};
    CaseRange& range = ranges_[next_];
    const long most = std::max({1L, left_ / (4 * threads_), wanted / 20});
    const CaseRange out{range.begin, std::min(range.end, range.begin + std::clamp(wanted, 1L, most))};
    range.begin = out.end;
    left_ -= out.end - out.begin;
    if (range.begin == range.end) ++next_;
    return out;
  }

 private:
  std::mutex mutex_;
  std::vector<CaseRange> ranges_;
  std::size_t next_ = 0;
  long left_ = 0;
  int threads_;
};

// The threads of a run, and what they share.
class Crew {
 public:
  Crew(const Sweep& sweep, const SweepParts& parts, Queue& queue, const SweepOptions& options)
      : sweep_(sweep), parts_(parts), queue_(queue), options_(options), all_(queue.left()) {}

  void work(int threads) {
    {
      std::vector<std::jthread> others;
      for (int k = 1; k < threads; ++k) others.emplace_back([this, k] { work_as(k); });
      work_as(0);
    }
    if (problem_) std::rethrow_exception(problem_);
  }

 private:
  bool ends() const { return failed_ || (options_.stop != nullptr && *options_.stop); }

  void work_as(int thread) {
    try {
      const SweepJournal journal(parts_.path(), thread);
      long wanted = 1;
      for (CaseRange range = queue_.take(wanted); range.begin < range.end && !ends(); range = queue_.take(wanted)) {
        const auto begin = Clock::now();
        const long done = run_range(range, journal);
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        wanted = std::clamp(static_cast<long>(static_cast<double>(done) / std::max(seconds, 1e-6)), 1L, 4 * wanted);
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!problem_) problem_ = std::current_exception();
      failed_ = true;
    }
  }

  long run_range(const CaseRange& range, const SweepJournal& journal) {
    std::vector<CaseResult> results;
    auto written = Clock::now();
    const auto write = [&] {
      if (!results.empty()) parts_.write(sweep_, results);
      results.clear();
      written = Clock::now();
    };
    long i = range.begin;
    for (; i < range.end && !ends(); ++i) {
      journal.note(i);
      results.push_back(run_case(sweep_, i, options_.stop));
      if (results.back().is_stopped()) {
        results.pop_back();
        break;
      }
      tell();
      if (Clock::now() - written > between_parts) write();
    }
    write();
    return i - range.begin;
  }

  void tell() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (options_.progress) options_.progress(done_, all_);
  }

  const Sweep& sweep_;
  const SweepParts& parts_;
  Queue& queue_;
  const SweepOptions& options_;
  long all_, done_ = 0;
  std::mutex mutex_;
  std::exception_ptr problem_;
  std::atomic<bool> failed_ = false;
};

// A case at which a process has died, in a process of its own. Returns the signal that ended it, or 0.
int signal_alone(const Sweep& sweep, const fs::path& folder, long i, const std::atomic<bool>* stop) {
  const pid_t child = fork();
  if (child < 0) return 0;
  if (child == 0) {
    try {
      run_cases(sweep, folder, i, i + 1, stop);
    } catch (...) {
      _exit(1);  // it is run again, where what is wrong can be told
    }
    _exit(0);
  }
  int status = 0;
  bool is_stopped = false;
  while (waitpid(child, &status, is_stopped ? 0 : WNOHANG) == 0) {
    is_stopped = stop != nullptr && *stop;
    if (is_stopped) kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return WIFSIGNALED(status) && !is_stopped ? WTERMSIG(status) : 0;
}

// Cases that were running when a process died: each alone, so that it is known which of them it was.
void try_abandoned(const Sweep& sweep, const fs::path& folder, const std::atomic<bool>* stop) {
  const SweepParts parts = parts_of(folder);
  for (const long i : sweep::abandoned_cases(parts.path())) {
    if (stop != nullptr && *stop) return;
    if (i < 0 || i >= sweep.case_count() || parts.missing({i, i + 1}).empty()) continue;
    if (const int signal = signal_alone(sweep, folder, i, stop); signal != 0)
      quarantine_case(sweep, folder, i,
                      fmt::format("the process that ran it was ended by SIG{}", sigabbrev_np(signal)));
  }
  sweep::forget_abandoned(parts.path());
}

}  // namespace

void open_sweep(const Sweep& sweep, const fs::path& folder, bool resume) {
  const OutputFolder made(folder, 1e6);
  const SweepParts parts = parts_of(folder);
  const std::string unfinished = parts.identity();
  if (!unfinished.empty()) {
    check_identity(sweep, folder, unfinished);
    if (!resume)
      throw Error({folder.string()}, "a sweep in it that is not finished",
                  "--resume, to go on with it, or another folder");
    return;
  }
  if (resume && !finished_identity(folder).empty()) return check_identity(sweep, folder, finished_identity(folder));
  if (!finished_identity(folder).empty()) {
    remove_index(folder);  // first: a folder without it has no finished sweep
    for (const char* kept : {"recordings", "kept.npy", "bands.csv"}) fs::remove_all(folder / kept);
  }
  parts.remove();
  parts.begin(identity_of(sweep));
}

std::vector<std::pair<long, long>> missing_cases(const Sweep& sweep, const fs::path& folder) {
  std::vector<std::pair<long, long>> out;
  if (parts_of(folder).identity().empty() && !finished_identity(folder).empty()) return out;
  for (const CaseRange& range : parts_of(folder).missing({0, sweep.case_count()}))
    out.emplace_back(range.begin, range.end);
  return out;
}

std::map<std::string, long> run_cases(const Sweep& sweep, const fs::path& folder, long begin, long end,
                                      const std::atomic<bool>* stop) {
  const SweepParts parts = parts_of(folder);
  check_identity(sweep, folder, parts.identity());
  const SweepJournal journal(parts.path(), static_cast<int>(begin % std::numeric_limits<int>::max()));
  std::vector<CaseResult> results;
  std::map<std::string, long> counts;
  for (long i = begin; i < end; ++i) {
    journal.note(i);
    CaseResult result = run_case(sweep, i, stop);
    if (result.is_stopped()) break;
    ++counts[result.status];
    results.push_back(std::move(result));
  }
  if (!results.empty()) parts.write(sweep, results);
  return counts;
}

std::vector<long> abandoned_cases(const fs::path& folder) { return sweep::abandoned_cases(parts_of(folder).path()); }

void quarantine_case(const Sweep& sweep, const fs::path& folder, long i, const std::string& reason) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const SweepPlan& plan = sweep.plan();
  parts_of(folder).write(sweep, {{.number = i,
                                  .status = "crashed",
                                  .reason = reason,
                                  .measures = std::vector<double>(plan.measures.size(), nan),
                                  .kept = std::vector<double>(plan.keep.columns.size() * plan.kept_times, nan)}});
}

SweepOutcome run_sweep(const Sweep& sweep, const fs::path& folder, const SweepOptions& options) {
  open_sweep(sweep, folder, options.resume);
  const SweepParts parts = parts_of(folder);
  if (parts.identity().empty()) return finish_sweep(sweep, folder);  // it was finished
  try_abandoned(sweep, folder, options.stop);
  const long end = options.end < 0 ? sweep.case_count() : std::min(options.end, sweep.case_count());
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int threads = options.threads > 0 ? options.threads : cores;
  Queue queue(parts.missing({options.begin, end}), threads);
  Crew(sweep, parts, queue, options).work(threads);
  return finish_sweep(sweep, folder, options.stop);
}

}  // namespace trammel
