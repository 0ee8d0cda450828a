#include "trammel/report/pages.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/base/fold.h"
#include "trammel/base/version.h"
#include "trammel/study/summary_tables.h"

namespace trammel {
namespace {

std::string scientific(double x) { return std::isfinite(x) ? fmt::format("{:.2e}", x) : "–"; }
std::string plain(double x) { return std::isfinite(x) ? fmt::format("{:.4g}", x) : "–"; }
std::string plain(const std::optional<double>& x) { return x ? fmt::format("{:.6g}", *x) : "–"; }

// "12.3 N and 0.4 N·m": the largest of any constraint.
std::string largest_of(const Summary& summary) {
  const auto has_no_unit = [](const Summary::OfConstraint& c) { return c.tracked || (!c.in_metres && !c.in_radians); };
  const double force = summary.largest_force(), moment = summary.largest_moment();
  if (force == 0 && moment == 0 && std::ranges::all_of(summary.constraints, has_no_unit)) {
    double multiplier = 0;
    for (const Summary::OfConstraint& c : summary.constraints)
      if (c.peak.other.is_bounded()) multiplier = std::max(multiplier, c.peak.other.value);
    return "a multiplier of " + plain(multiplier);
  }
  const bool has_moment = moment > summary.rounding_of_moment();
  if (has_moment && force <= summary.rounding_of_force()) return plain(moment) + " N·m";
  return plain(force) + " N" + (has_moment ? " and " + plain(moment) + " N·m" : "");
}

std::string verdict_of(const Simulation& simulation, const Summary& summary) {
  if (simulation.status != RunStatus::finished)
    return fmt::format("The run ended early, {}: {}. What was computed is here.", name_of(simulation.status),
                       simulation.what);
  if (!simulation.energy.is_good()) return "The run finished, but its " + simulation.energy.what + ".";
  if (!simulation.left_open.empty()) return "The run finished, but " + simulation.left_open.front() + ".";
  if (std::ranges::all_of(summary.constraints, &Summary::OfConstraint::tracked)) return "The run finished.";
  const std::string holds = "The run finished. The constraints hold to " + summary.worst_opening().text(2);
  const auto is_singular = [](const Summary::OfConstraint& c) { return c.peak.singular_since.has_value(); };
  if (std::ranges::any_of(summary.constraints, is_singular))
    return holds + "; some of their forces are not determined.";
  return holds + ", with at most " + largest_of(summary) + ".";
}

std::vector<ReportPage::Fact> facts_of(const Scenario& scenario, const Summary& summary) {
  std::vector<ReportPage::Fact> facts{
      {"freedoms", fmt::format("{} of the robot, {} independent rows, {} left ({})", summary.freedoms_before,
                               summary.rank, summary.freedoms_after, name_of(summary.status))},
      {"worst violation", summary.worst_opening().text(3)}};
  if (scenario.assembly) facts.push_back({"start", scenario.assembly->text()});
  if (!summary.motors.empty()) facts.push_back({"path missed by", summary.worst_path.text(3)});
  facts.push_back({"energy balance", text_of(summary.energy)});
  facts.push_back({"cost", fmt::format("{} steps, {} evaluations, {:.3g} s for {:g} s", summary.steps,
                                       summary.evaluations, summary.seconds, summary.simulated)});
  return facts;
}

// Its titles with their units; a title that columns share is written out for each.
ReportPage::Table page_table(const ResultTable& table) {
  ReportPage::Table out{{table.title()}, {}};
  for (const ResultTable::Column& column : table.columns())
    out.columns.push_back(column.unit.empty() ? column.title : column.title + ", " + column.unit);
  for (std::size_t row = 0; row < table.names().size(); ++row) {
    out.rows.push_back({table.names()[row]});
    for (const ResultTable::Column& column : table.columns()) out.rows.back().push_back(column.cells[row]);
  }
  return out;
}

ReportPage::Section energy_section(const Summary& summary) {
  ReportPage::Table out{{"work of", "put in, J", "taken out, J", "net, J", "peak power, W"}, {}};
  for (const WorkDone& of : summary.works)
    out.rows.push_back({of.name, fmt::format("{:.2g}", of.put_in), fmt::format("{:.2g}", of.taken_out), plain(of.work),
                        plain(of.peak_power)});
  return {"Energy",
          fmt::format("Together they did {} J. Kinetic energy and the potential of weight gained {} J.",
                      plain(summary.together), plain(summary.kinetic_and_weight)),
          out};
}

ReportPage::Section section_of(const Reproduction::Table& table) {
  ReportPage::Table out{{"t"}, {}};
  out.columns.insert(out.columns.end(), table.columns.begin(), table.columns.end());
  for (std::size_t i = 0; i < table.times.size(); ++i) {
    std::vector<std::string> row{fmt::format("{:g}", table.times[i])};
    for (const double x : table.ours[i]) row.push_back(fmt::format("{:.10f}", x));
    out.rows.push_back(std::move(row));
  }
  return {table.title, fmt::format("Largest difference from the reference: {}.", scientific(table.worst)), out};
}

ReportPage::Table formulation_table(const std::vector<FormulationResult>& formulations) {
  ReportPage::Table out{{"formulation", "unknowns", "disagreement", "an evaluation, µs", "answered"}, {}};
  for (const FormulationResult& f : formulations)
    out.rows.push_back({f.name, fmt::format("{}", f.unknowns), f.answered > 0 ? scientific(f.disagreement) : "–",
                        fmt::format("{:.1f}", f.microseconds), fmt::format("{} of {}", f.answered, f.asked)});
  return out;
}

void add_sections(const Reproduction& study, std::vector<ReportPage::Section>& out) {
  ReportPage::Table numbers{{"", "ours", "printed", "reference", "note"}, {}};
  for (const Reproduction::Number& n : study.numbers)
    numbers.rows.push_back({n.what, fmt::format("{:.6g}", n.ours), plain(n.printed), plain(n.reference), n.note});
  out.push_back({study.title, study.about, {}, {}});
  if (!study.numbers.empty()) out.back().table = numbers;
  out.back().plots = study.figures;
  for (const Reproduction::Table& table : study.tables) out.push_back(section_of(table));
  for (const Reproduction::Agreement& agreement : study.agreements)
    out.push_back(
        {fmt::format("Formulations along '{}'", agreement.run), "", formulation_table(agreement.formulations)});
}

}  // namespace

ReportPage page_of(const Scenario& scenario, const Simulation& simulation, const Summary& summary,
                   const std::vector<Figure>& figures, const std::string& command) {
  ReportPage page{scenario.name,        std::string(version()),         scenario.file, scenario.text, command,
                  simulation.is_good(), verdict_of(simulation, summary)};
  page.facts = facts_of(scenario, summary);
  page.warnings = simulation.warnings;
  if (simulation.recording.rows() > 0) {
    page.scene = scene_of(scenario.problem(), simulation, scenario.simulate.frames);
    page.warnings.insert(page.warnings.end(), page.scene->left_out.begin(), page.scene->left_out.end());
  }
  page.warnings = folded(page.warnings);
  page.plots = figures;
  page.sections.push_back(
      {"Constraints", fmt::format("{}", fmt::join(summary.remarks(), " ")), page_table(constraint_table(summary))});
  page.sections.push_back({"Joints", "", page_table(velocity_table(summary))});
  if (!summary.joints.empty()) page.sections.push_back({"Reactions", "", page_table(joint_table(summary))});
  if (!summary.motors.empty()) page.sections.push_back({"Motors", "", page_table(motor_table(summary.motors))});
  if (!summary.works.empty()) page.sections.push_back(energy_section(summary));
  return page;
}

ReportPage page_of(const std::vector<Reproduction>& studies, const std::string& command) {
  ReportPage page{studies.size() == 1 ? studies[0].title : "Papers, reproduced",
                  std::string(version()),
                  "",
                  "",
                  command,
                  true,
                  "Our numbers beside the printed ones, and beside those of an independent implementation."};
  for (const Reproduction& study : studies) {
    add_sections(study, page.sections);
    for (const std::string& warning : study.warnings) page.warnings.push_back(study.title + ": " + warning);
  }
  return page;
}

ReportPage page_of(const std::string& name, const std::vector<FormulationResult>& formulations,
                   const std::vector<DriftResult>& drifts, const Figure& figure, const std::string& command) {
  ReportPage page{name + ": compared",
                  std::string(version()),
                  "",
                  "",
                  command,
                  true,
                  "The formulations of the equation of motion, and the ways against drift, side by side."};
  ReportPage::Table controls{{"drift control", "open by", "rate", "energy error, J", "cost"}, {}};
  for (const DriftResult& d : drifts)
    controls.rows.push_back({d.name, scientific(d.worst_phi), scientific(d.worst_rate), scientific(d.energy_error),
                             fmt::format("{:.2f}", d.cost)});
  page.sections.push_back(
      {"Formulations", "At states of the run, against the default.", formulation_table(formulations)});
  page.sections.push_back({"Drift controls", "The same run under each; its cost beside that without any.", controls});
  page.sections.back().plots = {figure};
  return page;
}

}  // namespace trammel
