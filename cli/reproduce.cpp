#include <algorithm>
#include <memory>

#include <fmt/core.h>

#include "page_template.h"
#include "report.h"
#include "results.h"
#include "trammel/base/names.h"
#include "trammel/study/reproduction.h"
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

std::string or_dash(const std::optional<double>& x) { return x ? fmt::format("{:.6g}", *x) : "–"; }

Json to_json(const Reproduction& study) {
  Json out{{"title", study.title}, {"numbers", Json::array()}, {"tables", Json::array()}};
  for (const Reproduction::Number& n : study.numbers)
    out["numbers"].push_back({{"what", n.what},
                              {"ours", number(n.ours)},
                              {"printed", n.printed ? Json(*n.printed) : Json()},
                              {"reference", n.reference ? Json(*n.reference) : Json()},
                              {"note", n.note}});
  for (const Reproduction::Table& t : study.tables)
    out["tables"].push_back({{"title", t.title}, {"worst_difference", number(t.worst)}});
  return out;
}

std::string numbers_text(const Reproduction& study) {
  std::string out = "| | ours | printed | reference | |\n|---|---|---|---|---|\n";
  for (const Reproduction::Number& n : study.numbers)
    out += fmt::format("| {} | {:.6g} | {} | {} | {} |\n", n.what, n.ours, or_dash(n.printed), or_dash(n.reference),
                       n.note);
  return out + "\n";
}

std::string table_text(const Reproduction::Table& table) {
  std::string out = fmt::format("### {}\n\n| t |", table.title), line = "|---|";
  for (const std::string& column : table.columns) {
    out += fmt::format(" {} |", column);
    line += "---|";
  }
  out += "\n" + line + "\n";
  for (std::size_t i = 0; i < table.times.size(); ++i) {
    out += fmt::format("| {:g} |", table.times[i]);
    for (const double x : table.ours[i]) out += fmt::format(" {:.10f} |", x);
    out += "\n";
  }
  return out + fmt::format("\nLargest difference from the reference: {:.1e}.\n\n", table.worst);
}

std::string agreement_text(const Reproduction::Agreement& agreement) {
  std::string out = fmt::format(
      "### Formulations along '{}'\n\n| formulation | unknowns | disagreement | an evaluation |\n", agreement.run);
  out += "|---|---|---|---|\n";
  for (const FormulationResult& f : agreement.formulations)
    out += fmt::format("| {} | {} | {} | {:.1f} µs |\n", f.name, f.unknowns,
                       f.answered > 0 ? fmt::format("{:.1e}", f.disagreement) : "no answer", f.microseconds);
  return out + "\n";
}

// A figure in Markdown, in the format that browsers show best of those that are there.
std::string picture_text(const std::string& title, const std::string& stem, const FigureFormats& formats) {
  for (const char* shown : {"svg", "png"})
    if (std::ranges::find(formats, shown) != formats.end()) return fmt::format("![{}]({}.{})", title, stem, shown);
  return fmt::format("[{}]({}.pdf)", title, stem);
}

// The study as Markdown, with its figures beside it.
std::vector<ResultFile> files_of(const std::string& name, const Reproduction& study, const FigureFormats& formats) {
  std::vector<ResultFile> files;
  std::string text = fmt::format("# {}\n\n{}\n\n", study.title, study.about);
  if (!study.numbers.empty()) text += numbers_text(study);
  for (const Reproduction::Table& table : study.tables) text += table_text(table);
  for (const Reproduction::Agreement& agreement : study.agreements) text += agreement_text(agreement);
  int k = 0;
  for (const Reproduction::Picture& picture : study.pictures) {
    const std::string stem = fmt::format("{}-{:02}", name, ++k);
    files.push_back({stem + ".svg", to_svg(figure_of(picture))});
    text +=
        fmt::format("### {}\n\n{}\n\n{}\n\n", picture.title, picture.text, picture_text(picture.title, stem, formats));
  }
  files.push_back({name + ".md", text});
  return files;
}

void print_study(const std::string& name, const Reproduction& study) {
  print("{}: {}\n", name, study.title);
  if (!study.numbers.empty()) print("{:<72} {:>12} {:>12} {:>12}\n", "", "ours", "printed", "reference");
  for (const Reproduction::Number& n : study.numbers)
    print("{:<72} {:>12.5g} {:>12} {:>12}\n", n.what, n.ours, or_dash(n.printed), or_dash(n.reference));
  for (const Reproduction::Table& t : study.tables)
    print("{:<72} {:>12.1e} from the reference, largest\n", t.title, t.worst);
  print("\n");
}

Exit reproduce_all(const Arguments& arguments) {
  const std::vector<fs::path> files = files_named(arguments.what);
  const OutputFolder folder(arguments.out, 20e6);
  std::string index = "# Reproduced\n\n";
  std::vector<ResultFile> results;
  Json json = Json::object();
  std::vector<Reproduction> studies;
  for (const fs::path& file : files) {
    const std::string name = file.stem();
    studies.push_back(reproduce(file));
    const Reproduction& study = studies.back();
    json[name] = to_json(study);
    if (!arguments.json && !arguments.quiet) print_study(name, study);
    std::cout.flush();
    for (ResultFile& written : files_of(name, study, arguments.figures)) results.push_back(std::move(written));
    index += fmt::format("- [{}]({}.md)\n", study.title, name);
  }
  if (files.size() > 1) results.push_back({"index.md", index});
  if (!page_template().empty())
    results.push_back({files.size() > 1 ? "index.html" : files[0].stem().string() + ".html",
                       to_html(report_of(studies, command_line()), page_template())});
  write_results(folder, arguments.what == "all" ? "all.json" : files[0].stem().string() + ".json", json, results,
                arguments.figures);
  if (arguments.json) std::cout << json.dump(2) << '\n';
  if (!arguments.json && !arguments.quiet) print("results           {}\n", folder.path().string());
  return done;
}

}  // namespace

void add_reproduce(CLI::App& app, Exit& exit) {
  CLI::App* verb = app.add_subcommand("reproduce", "what papers printed beside what comes out: tables, figures");
  const auto arguments = std::make_shared<Arguments>();
  verb->add_option("STUDY", arguments->what, "the name of a study, all, or a file of your own")->required();
  verb->add_option("--out", arguments->out, "folder for the results instead of results/reproduce");
  verb->add_flag("--json", arguments->json, "one JSON object on standard output, and nothing else");
  verb->add_flag("--quiet", arguments->quiet, "no tables on standard output");
  add_figures(*verb, arguments->figures);
  verb->footer("Example:\n  trammel reproduce all");
  verb->callback([arguments, &exit] { exit = reproduce_all(*arguments); });
}

}  // namespace trammel::cli
