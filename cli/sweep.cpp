#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fstream>

#include "browser.h"
#include "print.h"
#include "program.h"
#include "progress.h"
#include "run.h"
#include "trammel/sweep/run_sweep.h"
#include "trammel/sweep/sweep_page.h"
#include "verbs.h"

namespace trammel::cli {
namespace {

namespace fs = std::filesystem;

struct SweepArguments : RunArguments {
  int threads = 0;
  long begin = 0, end = -1;  // --cases
  long one = -1;             // --case
  bool run = false, resume = false;
};

long whole(std::string_view text, const char* option) {
  long out = -1;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (problem != std::errc() || stop != text.data() + text.size() || out < 0)
    throw Error(fmt::format("{} '{}'", option, text), "a number, 0 or above");
  return out;
}

// "10..20": both of them, and all between.
void read_cases(const std::string& text, SweepArguments& out) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) throw Error("--cases '" + text + "'", "the first and the last, as in --cases 10..20");
  const std::string_view first = std::string_view(text).substr(0, dots), last = std::string_view(text).substr(dots + 2);
  if (first.empty() || last.empty()) throw Error("--cases '" + text + "'", "both ends, as in --cases 10..20");
  out.begin = whole(first, "--cases");
  out.end = whole(last, "--cases") + 1;
  if (out.end <= out.begin) throw Error("--cases '" + text + "'", "a last case that is not before the first");
}

Sweep load_sweep(const SweepArguments& arguments) {
  try {
    return read_sweep(arguments.file, arguments.overrides);
  } catch (const Error& error) {
    throw shown_in_file(error, error.place().file);
  }
}

std::string counts_text(const SweepOutcome& outcome) {
  std::string out;
  for (const auto& [status, count] : outcome.counts)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, status);
  return out;
}

Exit tell(const SweepOutcome& outcome, bool is_stopped, const SweepArguments& arguments) {
  const fs::path folder = arguments.folder();
  const bool has_page = !arguments.no_report && write_sweep_page(folder);
  if (arguments.json) {
    std::cout << std::ifstream(folder / "sweep.json", std::ios::binary).rdbuf();
  } else if (!arguments.quiet) {
    print("cases             {} of {}: {}\n", outcome.done, outcome.cases, counts_text(outcome));
    print("results           {}\n", folder.string());
    if (!has_page && !arguments.no_report)
      print("report            none: this program was built without the report page\n");
  }
  if (arguments.open && has_page) open_in_browser((folder / "report.html").string());
  if (!is_stopped) return done;
  std::cerr << fmt::format("trammel: stopped with {} of {} cases done; the same command with --resume goes on\n",
                           outcome.done, outcome.cases);
  return could_not_finish;
}

Exit sweep_all(const Sweep& sweep, const SweepArguments& arguments, bool resume) {
  const StopOnInterrupt stop;
  const bool prints = !arguments.json && !arguments.quiet;
  if (prints && resume == arguments.resume)
    print("{}, {} cases\n", sweep.name(), sweep.case_count()), std::cout.flush();
  SweepOutcome outcome;
  {
    ProgressBar bar(1, prints);
    const auto start = std::chrono::steady_clock::now();
    SweepOptions options{.threads = arguments.threads,
                         .begin = arguments.begin,
                         .end = arguments.end,
                         .resume = resume,
                         .stop = stop.flag()};
    options.progress = [&](long done, long of) {
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      bar.show(static_cast<double>(done) / static_cast<double>(of),
               fmt::format("{} of {}, {:.0f} cases/s", done, of, static_cast<double>(done) / seconds));
    };
    try {
      outcome = run_sweep(sweep, arguments.folder(), options);
    } catch (const Error&) {
      throw;
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(fmt::format("{}; what was computed is kept for --resume", error.what()));
    }
  }
  return tell(outcome, *stop.flag(), arguments);
}

constexpr std::array passed_on{SIGINT, SIGTERM, SIGHUP};
pid_t child_at_work = 0;

// What a terminal sends, both processes get; what another process sends, this one alone.
void pass_on(int signal, siginfo_t* from, void*) {
  if (from->si_code == SI_USER || from->si_code == SI_QUEUE) kill(child_at_work, signal);
}

void pass_signals_on(pid_t child) {
  child_at_work = child;
  struct sigaction action {};
  action.sa_sigaction = &pass_on;
  action.sa_flags = SA_SIGINFO;
  for (const int signal : passed_on) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup wants it ignored
  }
}

// Holds them back while it is not yet clear who is to have them.
void hold_signals(bool hold) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : passed_on) sigaddset(&set, signal);
  sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, nullptr);
}

// The cases run in a process of their own, which this one waits for: a case that ends its process does not end the sweep. Returns the
// status of waitpid.
int in_a_child(const std::function<Exit()>& work) {
  std::cout.flush();
  const pid_t parent = getpid();
  hold_signals(true);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(fmt::format("no process for the cases: {}", std::strerror(errno)));
  if (child == 0) {
    hold_signals(false);
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // it does not outlive this one
    if (getppid() != parent) _exit(could_not_finish);
    const int exit = guarded(work);
    std::cout.flush();
    _exit(std::cout ? exit : could_not_finish);
  }
  pass_signals_on(child);
  hold_signals(false);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

long missing_count(const Sweep& sweep, const fs::path& folder) {
  long out = 0;
  for (const auto& [begin, end] : missing_cases(sweep, folder)) out += end - begin;
  return out;
}

Exit sweep_with_crashes(const Sweep& sweep, const SweepArguments& arguments) {
  bool resume = arguments.resume;
  for (long missing = -1;;) {
    const int status = in_a_child([&] { return sweep_all(sweep, arguments, resume); });
    if (!WIFSIGNALED(status)) return static_cast<Exit>(WEXITSTATUS(status));
    const std::string signal = fmt::format("SIG{}", sigabbrev_np(WTERMSIG(status)));
    const long still_missing = missing_count(sweep, arguments.folder());
    const bool is_killed = WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM || WTERMSIG(status) == SIGINT;
    if (is_killed || still_missing == missing) {
      std::cerr << fmt::format("trammel: the cases were ended by {}; the same command with --resume goes on\n", signal);
      return could_not_finish;
    }
    std::cerr << fmt::format("trammel: a case has ended its process by {}; it is looked for, and left out\n", signal);
    missing = still_missing;
    resume = true;
  }
}

Exit show_or_run_one(const Sweep& sweep, SweepArguments& arguments) {
  if (arguments.one >= sweep.case_count())
    throw Error(fmt::format("--case {}", arguments.one), fmt::format("a case from 0 to {}", sweep.case_count() - 1));
  const std::string command = sweep.command(arguments.one);
  if (arguments.run) {
    if (arguments.out.empty()) arguments.out = (arguments.folder() / fmt::format("case-{:06}", arguments.one)).string();
    if (!arguments.json && !arguments.quiet) print("{}\n", command);
    return run_and_write(sweep.scenario(arguments.one), arguments, command);
  }
  const CaseResult result = run_case(sweep, arguments.one);
  if (!arguments.quiet && !arguments.json) std::cerr << command << '\n';
  print("{}\n{}\n", header_of(sweep), row_of(sweep, result));
  return done;
}

Exit sweep(SweepArguments& arguments) {
  if (arguments.run && arguments.one < 0) throw Error("--run without a case", "--case 17 --run");
  const Sweep sweep = load_sweep(arguments);
  if (arguments.one >= 0) return show_or_run_one(sweep, arguments);
  const long last = sweep.case_count() - 1;
  if (arguments.begin > last || arguments.end > last + 1)
    throw Error(fmt::format("--cases {}..{}", arguments.begin, arguments.end - 1),
                fmt::format("cases from 0 to {}", last));
  return sweep_with_crashes(sweep, arguments);
}

}  // namespace

void add_sweep(CommandLine& line) {
  const auto arguments = std::make_shared<SweepArguments>();
  Verb verb =
      line.add("sweep", "runs a scenario many times, with what varies from case to case: a table of measures",
               "trammel sweep examples/sweeps/five-bars.yaml --cases 0..99", [arguments] { return sweep(*arguments); });
  verb.argument("FILE", arguments->file, "the sweep, a YAML file");
  verb.option("--set", arguments->overrides, "KEY=VALUE instead of what the scenario says, in all cases");
  verb.option("--out", arguments->out, "folder for the results instead of results/NAME");
  verb.option(
      "--threads", "N",
      [arguments](const std::string& text) {
        arguments->threads = static_cast<int>(std::clamp(whole(text, "--threads"), 0L, 1024L));
      },
      "how many cases at once; all cores unless given");
  verb.option(
      "--cases", "A..B", [arguments](const std::string& text) { read_cases(text, *arguments); },
      "these cases alone, both ends among them");
  verb.option(
      "--case", "I", [arguments](const std::string& text) { arguments->one = whole(text, "--case"); },
      "one case: its row, and the command that reproduces it");
  verb.flag("--run", arguments->run, "what trammel run leaves of that one case, instead of its row");
  verb.flag("--resume", arguments->resume, "goes on with what an earlier run has left in the folder");
  verb.flag("--no-report", arguments->no_report, "no report.html among the results");
  verb.flag("--open", arguments->open, "shows report.html when the sweep has ended");
  verb.flag("--json", arguments->json, "sweep.json on standard output, and nothing else");
  verb.flag("--quiet", arguments->quiet, "no progress, no summary");
}

}  // namespace trammel::cli
