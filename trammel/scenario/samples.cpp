#include "trammel/scenario/samples.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include "trammel/expression/source.h"
#include "trammel/scenario/text.h"

namespace trammel::scenario {
namespace {

using expression::shown;

struct Cell {
  std::string text;
  Place place;
};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// What stands between two commas: where it begins with a quote, up to the quote that ends it, "" being one.
std::vector<Cell> cells_of(std::string_view line, const Place& place) {
  std::vector<Cell> out;
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
    Cell cell{"", {place.file, place.line, character_count(line.substr(0, at)) + 1}};
    if (at < line.size() && line[at] == '"') {
      bool ends = false;
      for (++at; at < line.size() && !ends; ++at) {
        ends = line[at] == '"' && !line.substr(at + 1).starts_with('"');
        if (!ends) cell.text += line[at];
        if (!ends && line[at] == '"') ++at;
      }
      if (!ends) throw Error(cell.place, "a quote that does not end on its line", "\"text\"");
      while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
      if (at < line.size() && line[at] != ',') throw Error(cell.place, "text behind a quote", "a comma");
    } else {
      const std::size_t comma = std::min(line.find(',', at), line.size());
      cell.text = trimmed(line.substr(at, comma - at));
      at = comma;
    }
    out.push_back(std::move(cell));
    if (at == line.size()) return out;
    ++at;
  }
}

std::optional<double> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = problem == std::errc() && end == text.data() + text.size() && std::isfinite(value);
  return is_number ? std::optional(value) : std::nullopt;
}

void read_names(const std::vector<Cell>& cells, Samples& out) {
  for (const Cell& cell : cells) {
    if (cell.text.empty())
      throw Error(cell.place, "a column without a name", "a name for each column in the first line");
    if (number_in(cell.text))
      throw Error(cell.place, fmt::format("the number {} in the first line", cell.text), "the names of the columns");
    if (std::ranges::find(out.columns, cell.text, &Samples::Column::name) != out.columns.end())
      throw Error(cell.place, fmt::format("a second column {}", shown(cell.text)), "each name once");
    out.columns.push_back({cell.text});
  }
}

void read_sample(const std::vector<Cell>& cells, Samples& out) {
  if (cells.size() != out.columns.size())
    throw Error({cells[0].place.file, cells[0].place.line}, fmt::format("{} values", cells.size()),
                fmt::format("{}, one for each column", out.columns.size()));
  out.lines.push_back(cells[0].place.line);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    Samples::Column& column = out.columns[k];
    const std::optional<double> value = number_in(cells[k].text);
    column.values.push_back(value.value_or(0));
    if (!value && !column.fault)
      column.fault = Error(cells[k].place, fmt::format("{} in column '{}'", shown(cells[k].text), column.name),
                           "a finite number, such as 1.5 or -2e-3, in SI units");
  }
}

}  // namespace

Samples parse_samples(std::string_view text, const std::string& file) {
  check_text(text, file);
  Samples out{file, {}, {}};
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (trimmed(line).empty() || line.starts_with('#')) continue;
    const std::vector<Cell> cells = cells_of(line, {file, number});
    if (out.columns.empty())
      read_names(cells, out);
    else
      read_sample(cells, out);
  }
  if (out.columns.empty()) throw Error(Place{file}, "no line of names", "the names of the columns in the first line");
  return out;
}

std::shared_ptr<const Samples> SampleFiles::read(const std::string& file) {
  const std::lock_guard lock(mutex_);
  const std::string path = (folder_ / file).lexically_normal().string();
  std::shared_ptr<const Samples>& known = known_[path];
  if (!known) known = std::make_shared<const Samples>(parse_samples(read_file(path, "file of samples"), path));
  return known;
}

}  // namespace trammel::scenario
