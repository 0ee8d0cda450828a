#include <filesystem>

#include "print.h"
#include "scenario_arguments.h"
#include "trammel/report/markdown.h"
#include "trammel/report/results_of.h"
#include "verbs.h"

namespace trammel::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string what;
  std::string out = "results/reproduce";
  bool json = false, quiet = false;
  FigureFormats figures{"svg"};
};

void print_study(const NamedReproduction& named) {
  const Reproduction& study = named.study;
  print("{}: {}\n", named.name, study.title);
  if (!study.numbers.empty()) print("{:<72} {:>12} {:>12} {:>12}\n", "", "ours", "printed", "reference");
  for (const Reproduction::Number& n : study.numbers)
    print("{:<72} {:>12.5g} {:>12} {:>12}\n", n.what, n.ours, or_dash(n.printed), or_dash(n.reference));
  for (const Reproduction::Table& t : study.tables)
    print("{:<72} {:>12.1e} from the reference, largest\n", t.title, t.worst);
  print("\n");
  std::cout.flush();
}

Exit reproduce_all(const Arguments& arguments, const fs::path& studies_of_program) {
  const std::vector<fs::path> files = study_files(arguments.what, studies_of_program);
  const OutputFolder folder(arguments.out, 20e6);
  std::vector<NamedReproduction> studies;
  for (const fs::path& file : files) {
    studies.push_back({file.stem(), reproduce(file)});
    if (!arguments.quiet)
      for (const std::string& warning : studies.back().study.warnings)
        std::cerr << "warning: " << studies.back().name << ": " << warning << '\n';
    if (!arguments.json && !arguments.quiet) print_study(studies.back());
  }
  write_results(folder, results_of(studies, arguments.what == "all" ? "all" : "",
                                   {.formats = arguments.figures, .command = typed_command()}));
  if (arguments.json) print("{}\n", to_json(studies));
  if (!arguments.json && !arguments.quiet) print("results           {}\n", folder.path().string());
  return done;
}

}  // namespace

void add_reproduce(CommandLine& line, const fs::path& studies) {
  const auto arguments = std::make_shared<Arguments>();
  Verb verb = line.add("reproduce", "what papers printed beside what comes out: tables, figures",
                       "trammel reproduce all", [arguments, studies] { return reproduce_all(*arguments, studies); });
  verb.argument("STUDY", arguments->what, "the name of a study, all, or a file of your own");
  verb.option("--out", arguments->out, "folder for the results instead of results/reproduce");
  verb.flag("--json", arguments->json, "one JSON object on standard output, and nothing else");
  verb.flag("--quiet", arguments->quiet, "no tables on standard output");
  add_figures(verb, arguments->figures);
}

}  // namespace trammel::cli
