#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>

#include "results.h"
#include "trammel/base/error.h"
#include "trammel/base/names.h"
#include "verbs.h"

namespace {

// A word that is no verb gets the nearest one suggested.
void check_verb(const CLI::App& app, const std::string& word) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands(nullptr)) verbs.push_back(verb->get_name());
  if (!word.starts_with('-') && std::ranges::find(verbs, word) == verbs.end())
    throw trammel::Error("verb '" + word + "'", trammel::allowed_names(word, verbs));
}

// What was printed must have gone somewhere: a full disk is an error, a reader who has seen enough (| head) is none.
trammel::cli::Exit checked_output(trammel::cli::Exit exit) {
  std::cout.flush();
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  const bool nobody_reads = poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
  if (std::cout || nobody_reads) return exit;
  std::cerr << "trammel: standard output cannot be written\n";
  return trammel::cli::could_not_finish;
}

}  // namespace

/// trammel VERB …: one thin file per verb. Exit codes: 0 done, 1 bad input, 2 could not finish.
int main(int argc, char** argv) {
  using namespace trammel;
  std::signal(SIGPIPE, SIG_IGN);  // a run goes on, and keeps its results, when nobody reads what it prints
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is told like a full disk
  CLI::App app("Constrained robot dynamics: say what must hold, get the motion and the force that makes it hold.");
  app.name("trammel");
  app.set_version_flag("--version", "trammel " TRAMMEL_VERSION);
  app.require_subcommand(1);
  cli::Exit exit = cli::done;
  cli::add_run(app, exit);
  cli::add_check(app, exit);
  cli::add_torques(app, exit);
  cli::add_compare(app, exit);
  cli::add_reproduce(app, exit);
  cli::add_view(app, exit);
  cli::add_info(app, exit);

  try {
    if (argc < 2) {
      std::cerr << app.help();
      return cli::bad_input;
    }
    cli::set_command_line(argc, argv);
    check_verb(app, argv[1]);
    app.parse(argc, argv);
    return checked_output(exit);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error);  // --help, --version
      return checked_output(cli::done);
    }
    std::cerr << "trammel: " << error.what() << "; trammel --help, trammel VERB --help tell more\n";
    return cli::bad_input;
  } catch (const cli::BadScenario& error) {
    std::cerr << "trammel: " << error.what() << '\n';
    return cli::bad_input;
  } catch (const Error& error) {
    std::cerr << "trammel: " << error.what() << '\n';
    return cli::bad_input;
  } catch (const std::bad_alloc&) {
    std::cerr << "trammel: could not finish: not enough memory; record less often, or for a shorter time\n";
    return cli::could_not_finish;
  } catch (const std::exception& error) {
    std::cerr << "trammel: could not finish: " << error.what() << '\n';
    return cli::could_not_finish;
  }
}
