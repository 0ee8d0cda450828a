#include <filesystem>

#include "browser.h"
#include "trammel/base/error.h"
#include "trammel/sweep/sweep_page.h"
#include "verbs.h"

namespace trammel::cli {
namespace {

namespace fs = std::filesystem;

Exit view(const std::string& what) {
  const fs::path page = fs::is_directory(what) ? fs::path(what) / "report.html" : fs::path(what);
  if (!fs::exists(page) && fs::exists(fs::path(what) / "sweep.json")) write_sweep_page(what);  // run on a cluster
  if (!fs::is_regular_file(page))
    throw Error({what}, "no report.html there",
                "the folder of a run or a sweep, such as results/NAME, or its report.html");
  open_in_browser(page.string());
  return done;
}

}  // namespace

void add_view(CommandLine& line) {
  const auto what = std::make_shared<std::string>();
  Verb verb = line.add("view", "opens the report page of an earlier run or sweep", "trammel view results/03-four-bar",
                       [what] { return view(*what); });
  verb.argument("RESULTS", *what, "the folder of a run or a sweep, or its report.html");
}

}  // namespace trammel::cli
