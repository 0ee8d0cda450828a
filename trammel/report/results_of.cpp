#include "trammel/report/results_of.h"

#include <fmt/core.h>

#include "trammel/report/csv.h"
#include "trammel/report/figures.h"
#include "trammel/report/markdown.h"
#include "trammel/report/page_template.h"
#include "trammel/report/pages.h"

namespace trammel {
namespace {

bool has_page(const ResultsStyle& style) { return style.page && !page_template().empty(); }

}  // namespace

Results results_of(const ScenarioRun& run, const ResultsStyle& style) {
  const std::vector<Figure> figures = figures_of(run.problem, run.scenario.plots, run.simulation.recording);
  Results out{
      .data = {{"recording.csv", [&run] { return to_csv(run.simulation.recording); }}},
      .figures = pictures_of(figures),
      .formats = style.formats,
      .json_name = "summary.json",
      .json = [&run](const auto& files) { return to_json(run.scenario, run.simulation, run.summary, &files) + "\n"; }};
  if (has_page(style))
    out.pages.push_back({"report.html", [&run, figures, command = style.command] {
                           return to_html(page_of(run.scenario, run.simulation, run.summary, figures, command),
                                          page_template());
                         }});
  return out;
}

Results results_of(const Scenario& scenario, const TorqueStudy& study, const ResultsStyle& style) {
  return {.data = {{"torques.csv", [&study] { return to_csv(study.torques); }}},
          .figures = {{"torques", figure_of(study)}},
          .formats = style.formats,
          .json_name = "torques.json",
          .json = [&](const auto& files) { return to_json(scenario, study, &files) + "\n"; }};
}

Results results_of(const Scenario& scenario, const Comparison& comparison, const ResultsStyle& style) {
  const Figure figure = figure_of(comparison.drifts);
  Results out{.figures = {{"compare", figure}},
              .formats = style.formats,
              .json_name = "compare.json",
              .json = [&](const auto& files) {
                return to_json(scenario, comparison.formulations, comparison.drifts, &files) + "\n";
              }};
  if (has_page(style))
    out.pages.push_back({"compare.html", [&, figure, command = style.command] {
                           return to_html(
                               page_of(scenario.name, comparison.formulations, comparison.drifts, figure, command),
                               page_template());
                         }});
  return out;
}

Results results_of(const std::vector<NamedReproduction>& studies, const std::string& name, const ResultsStyle& style) {
  const bool several = studies.size() > 1;
  const std::string first = studies.front().name;
  Results out{.formats = style.formats,
              .json_name = (name.empty() ? first : name) + ".json",
              .json = [&studies](const auto& files) { return to_json(studies, &files) + "\n"; }};
  std::string index = "# Reproduced\n\n";
  for (const NamedReproduction& named : studies) {
    const Reproduction& study = named.study;
    out.data.push_back({named.name + ".md",
                        [&named, formats = style.formats] { return to_markdown(named.name, named.study, formats); }});
    for (std::size_t k = 0; k < study.figures.size(); ++k)
      out.figures.push_back({figure_stem(named.name, k), study.figures[k]});
    index += fmt::format("- [{}]({}.md)\n", study.title, named.name);
  }
  if (several) out.data.push_back({"index.md", [index] { return index; }});
  if (has_page(style))
    out.pages.push_back({several ? "index.html" : first + ".html", [&studies, command = style.command] {
                           std::vector<Reproduction> all;
                           for (const NamedReproduction& named : studies) all.push_back(named.study);
                           return to_html(page_of(all, command), page_template());
                         }});
  return out;
}

}  // namespace trammel
