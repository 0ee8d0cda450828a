#include "trammel/report/markdown.h"

#include <algorithm>

#include <fmt/core.h>

namespace trammel {
namespace {

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

}  // namespace

std::string or_dash(const std::optional<double>& x) { return x ? fmt::format("{:.6g}", *x) : "–"; }

std::string figure_stem(const std::string& name, std::size_t k) { return fmt::format("{}-{:02}", name, k + 1); }

std::string to_markdown(const std::string& name, const Reproduction& study, const FigureFormats& formats) {
  std::string out = fmt::format("# {}\n\n{}\n\n", study.title, study.about);
  for (const std::string& warning : study.warnings) out += fmt::format("**Warning**: {}\n\n", warning);
  if (!study.numbers.empty()) out += numbers_text(study);
  for (const Reproduction::Table& table : study.tables) out += table_text(table);
  for (const Reproduction::Agreement& agreement : study.agreements) out += agreement_text(agreement);
  for (std::size_t k = 0; k < study.figures.size(); ++k) {
    const Figure& figure = study.figures[k];
    out += fmt::format("### {}\n\n{}\n\n{}\n\n", figure.title, figure.note,
                       picture_text(figure.title, figure_stem(name, k), formats));
  }
  return out;
}

}  // namespace trammel
