#include <algorithm>
#include <filesystem>

#include "print.h"
#include "scenario_arguments.h"
#include "trammel/base/names.h"
#include "trammel/report/json.h"
#include "trammel/report/markdown.h"
#include "trammel/report/page_template.h"
#include "trammel/report/pages.h"
#include "trammel/report/results.h"
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

// The studies that come with the program: where it was installed, or in its sources.
fs::path study_folder() {
  std::error_code ignored;
  const fs::path installed = fs::read_symlink("/proc/self/exe", ignored).parent_path() / "../share/trammel/reproduce";
  return fs::is_directory(installed) ? installed : fs::path(TRAMMEL_SOURCE_DIR) / "reproduce";
}

// A file of the user's, one of the studies by its name, or all of them.
std::vector<fs::path> files_named(const std::string& what) {
  if (what.ends_with(".yaml")) return {what};
  std::vector<fs::path> files;
  std::vector<std::string> known{"all"};
  for (const fs::directory_entry& entry : fs::directory_iterator(study_folder()))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) known.push_back(file.stem());
  if (what == "all") return files;
  if (std::ranges::find(known, what) == known.end())
    throw Error(fmt::format("study '{}'", what), allowed_names(what, known) + ", or a file NAME.yaml");
  return {study_folder() / (what + ".yaml")};
}

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

// Each study as Markdown with its figures; an index where there are several; one page for all.
Results results_of(const Arguments& arguments, const std::vector<NamedReproduction>& studies) {
  const bool several = studies.size() > 1;
  const std::string first = studies.front().name;
  Results out{.formats = arguments.figures,
              .json_name = (arguments.what == "all" ? "all" : first) + ".json",
              .json = [&](const auto& files) { return to_json(studies, &files) + "\n"; }};
  std::string index = "# Reproduced\n\n";
  for (const NamedReproduction& named : studies) {
    const auto& [name, study] = named;
    out.data.push_back({name + ".md", [&] { return to_markdown(named.name, named.study, arguments.figures); }});
    for (std::size_t k = 0; k < study.figures.size(); ++k)
      out.figures.push_back({figure_stem(name, k), study.figures[k]});
    index += fmt::format("- [{}]({}.md)\n", study.title, name);
  }
  if (several) out.data.push_back({"index.md", [index] { return index; }});
  if (!page_template().empty())
    out.pages.push_back({several ? "index.html" : first + ".html", [&] {
                           std::vector<Reproduction> all;
                           for (const NamedReproduction& named : studies) all.push_back(named.study);
                           return to_html(page_of(all, typed_command()), page_template());
                         }});
  return out;
}

Exit reproduce_all(const Arguments& arguments) {
  const std::vector<fs::path> files = files_named(arguments.what);
  const OutputFolder folder(arguments.out, 20e6);
  std::vector<NamedReproduction> studies;
  for (const fs::path& file : files) {
    studies.push_back({file.stem(), reproduce(file)});
    if (!arguments.json && !arguments.quiet) print_study(studies.back());
  }
  write_results(folder, results_of(arguments, studies));
  if (arguments.json) print("{}\n", to_json(studies));
  if (!arguments.json && !arguments.quiet) print("results           {}\n", folder.path().string());
  return done;
}

}  // namespace

void add_reproduce(CommandLine& line) {
  const auto arguments = std::make_shared<Arguments>();
  Verb verb = line.add("reproduce", "what papers printed beside what comes out: tables, figures",
                       "trammel reproduce all", [arguments] { return reproduce_all(*arguments); });
  verb.argument("STUDY", arguments->what, "the name of a study, all, or a file of your own");
  verb.option("--out", arguments->out, "folder for the results instead of results/reproduce");
  verb.flag("--json", arguments->json, "one JSON object on standard output, and nothing else");
  verb.flag("--quiet", arguments->quiet, "no tables on standard output");
  add_figures(verb, arguments->figures);
}

}  // namespace trammel::cli
