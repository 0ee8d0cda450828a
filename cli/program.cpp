#include "program.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <new>

#include "trammel/base/error.h"
#include "verbs.h"

namespace trammel::cli {
namespace {

// What was printed must have gone somewhere: a full disk is an error, a reader who has seen enough (| head) is none.
Exit checked_output(Exit exit) {
  std::cout.flush();
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  const bool nobody_reads = poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
  if (std::cout || nobody_reads) return exit;
  std::cerr << "trammel: standard output cannot be written\n";
  return could_not_finish;
}

}  // namespace

Exit guarded(const std::function<Exit()>& work) {
  try {
    return work();
  } catch (const BadScenario& error) {
    std::cerr << "trammel: " << error.what() << '\n';
    return bad_input;
  } catch (const Error& error) {
    std::cerr << "trammel: " << error.what() << '\n';
    return bad_input;
  } catch (const std::bad_alloc&) {
    std::cerr << "trammel: could not finish: not enough memory; record less often, or for a shorter time\n";
    return could_not_finish;
  } catch (const std::exception& error) {
    std::cerr << "trammel: could not finish: " << error.what() << '\n';
    return could_not_finish;
  }
}

int run_program(int argc, char** argv, const std::filesystem::path& studies) {
  std::signal(SIGPIPE, SIG_IGN);  // a run goes on, and keeps its results, when nobody reads what it prints
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is told like a full disk
  CommandLine line;
  add_run(line);
  add_sweep(line);
  add_check(line);
  add_torques(line);
  add_compare(line);
  add_reproduce(line, studies);
  add_view(line);
  add_info(line);
  add_words(line);
  return guarded([&] { return checked_output(line.run(argc, argv)); });
}

}  // namespace trammel::cli
