#include "browser.h"

#include <sys/wait.h>
#include <unistd.h>

#include <iostream>

namespace trammel::cli {

void open_in_browser(const std::string& file) {
  const pid_t child = fork();
  if (child == 0) {
    execlp("xdg-open", "xdg-open", file.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    std::cerr << "trammel: no program to show it (xdg-open); open " << file << " in a browser\n";
}

}  // namespace trammel::cli
