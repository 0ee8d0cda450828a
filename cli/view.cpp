#include <filesystem>
#include <memory>

#include "report.h"
#include "trammel/base/error.h"
#include "verbs.h"

namespace trammel::cli {
namespace {

namespace fs = std::filesystem;

Exit view(const std::string& what) {
  const fs::path page = fs::is_directory(what) ? fs::path(what) / "report.html" : fs::path(what);
  if (!fs::is_regular_file(page))
    throw Error({what}, "no report.html there", "the folder of a run, such as results/NAME, or its report.html");
  open_in_browser(page.string());
  return done;
}

}  // namespace

void add_view(CLI::App& app, Exit& exit) {
  CLI::App* verb = app.add_subcommand("view", "opens the report page of an earlier run");
  const auto what = std::make_shared<std::string>();
  verb->add_option("RESULTS", *what, "the folder of a run, or its report.html")->required();
  verb->footer("Example:\n  trammel view results/03-four-bar");
  verb->callback([what, &exit] { exit = view(*what); });
}

}  // namespace trammel::cli
