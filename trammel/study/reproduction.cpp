#include "trammel/study/reproduction.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/scenario/scenario.h"
#include "trammel/scenario/text.h"
#include "trammel/scenario/value.h"
#include "trammel/study/cascade.h"

namespace trammel {
namespace {

using scenario::Map;
using scenario::Value;

struct Run {
  Scenario scenario;
  Recording recording;
  std::string doubt{};  // why its energy is not good, though it finished
};
using Runs = std::map<std::string, Run>;

std::vector<std::string> texts(const Value& value, const std::string& allowed) {
  std::vector<std::string> out;
  for (const Value& item : value.list(allowed)) out.push_back(item.text(allowed));
  return out;
}

std::string optional_text(const Map& map, const char* key) {
  const auto value = map.find(key);
  return value ? value->text() : "";
}

double number_of(const Value& value) { return value.number({}); }

Run read_run(const Value& value, const std::filesystem::path& folder) {
  const Map map(value, value.what(), {"scenario", "set", "cascade"});
  std::vector<std::string> overrides;
  if (const auto set = map.find("set")) overrides = texts(*set, "a list of KEY=VALUE");
  Run run{read_scenario(folder / map.required("scenario").text("a scenario file"), overrides), {}};
  if (const auto step = map.find("cascade")) {
    const double h = step->positive({}, scenario::Unit::time);
    run.recording = cascade_run(run.scenario.system, run.scenario.start, run.scenario.simulate, h);
    return run;
  }
  Simulation simulation = simulate(run.scenario.system, run.scenario.start, run.scenario.simulate);
  if (simulation.status != RunStatus::finished)
    value.refuse(
        fmt::format("{}, which ended early, {}: {}", value.what(), name_of(simulation.status), simulation.what),
        "a run that finishes");
  if (!simulation.energy.is_good()) run.doubt = simulation.energy.what;
  run.recording = std::move(simulation.recording);
  return run;
}

const Run& run_of(const Value& value, const Runs& runs) {
  std::vector<std::string> known;
  for (const auto& [name, run] : runs) known.push_back(name);
  return runs.at(value.word(known));
}

VecX<> column_of(const Value& name, const Recording& recording) {
  return scenario::at_place(name.place(), [&] { return recording[name.text("a column")]; });
}

// Columns {of: RUN, columns: […], minus: RUN}, one after the other.
struct Columns {
  const Run* run = nullptr;
  std::vector<std::string> names;
  std::vector<VecX<>> values;
};

Columns read_columns(const Map& map, const Runs& runs) {
  Columns out;
  out.run = &run_of(map.required("of"), runs);
  const auto minus = map.find("minus");
  const Run* other = minus ? &run_of(*minus, runs) : nullptr;
  if (other != nullptr) {
    const VecX<> mine = out.run->recording["t"], its = other->recording["t"];
    if (mine.size() != its.size() || (mine - its).cwiseAbs().maxCoeff() > 1e-9)
      minus->refuse(minus->what() + ", whose rows are at other times", "a run that records at the same times");
  }
  for (const Value& name : map.required("columns").list("a list of columns")) {
    VecX<> values = column_of(name, out.run->recording);
    if (other != nullptr) values -= column_of(name, other->recording);
    out.names.push_back(name.text());
    out.values.push_back(std::move(values));
  }
  return out;
}

int row_at(const Value& time, const Recording& recording) {
  const double t = number_of(time);
  const VecX<> all = recording["t"];
  for (int row = 0; row < recording.rows(); ++row)
    if (std::abs(all[row] - t) < 1e-9) return row;
  time.refuse("a time that was recorded");
}

Reproduction::Number read_number(const Value& value, const Runs& runs) {
  const Map map(value, value.what(), {"what", "of", "columns", "minus", "at", "printed", "reference", "note"});
  Reproduction::Number out{.what = map.required("what").text(), .note = optional_text(map, "note")};
  const Columns columns = read_columns(map, runs);
  const auto at = map.find("at");
  for (const VecX<>& column : columns.values)
    out.ours = at ? column[row_at(*at, columns.run->recording)] : std::max(out.ours, column.cwiseAbs().maxCoeff());
  if (const auto printed = map.find("printed")) out.printed = number_of(*printed);
  if (const auto reference = map.find("reference")) out.reference = number_of(*reference);
  return out;
}

Reproduction::Table read_table(const Value& value, const Runs& runs) {
  const Map map(value, value.what(), {"title", "of", "columns", "minus", "at", "reference"});
  const Columns columns = read_columns(map, runs);
  Reproduction::Table out{.title = map.required("title").text(), .columns = columns.names};
  const std::vector<Value> times = map.required("at").list("a list of times");
  const std::vector<Value> expected = map.required("reference").list_of(times.size(), "a list for each time");
  for (std::size_t i = 0; i < times.size(); ++i) {
    const int row = row_at(times[i], columns.run->recording);
    const std::vector<Value> numbers = expected[i].list_of(columns.names.size(), "a number for each column");
    VecX<> ours(columns.names.size());
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      ours[static_cast<int>(k)] = columns.values[k][row];
      out.worst = std::max(out.worst, std::abs(columns.values[k][row] - number_of(numbers[k])));
    }
    out.times.push_back(number_of(times[i]));
    out.ours.push_back(std::move(ours));
  }
  return out;
}

// Curves whose name begins with "theory" are what the others should be.
Figure read_figure(const Value& value, const Runs& runs) {
  const Map map(value, value.what(), {"title", "text", "symbol", "unit", "log", "x", "curves"});
  Figure out{.title = map.required("title").text(),
             .y = {optional_text(map, "symbol"), optional_text(map, "unit")},
             .note = optional_text(map, "text")};
  if (const auto log = map.find("log")) out.log_y = log->boolean();
  const auto x = map.find("x");
  if (x) {
    out.x = {x->text("a column"), ""};
    out.over_time = false;
    out.equal = true;
  }
  for (const Value& item : map.required("curves").list("a list of {of, columns, minus, name}")) {
    const Map curve(item, item.what(), {"of", "columns", "minus", "name"});
    const Columns columns = read_columns(curve, runs);
    const std::string prefix = optional_text(curve, "name");
    const VecX<> over = x ? column_of(*x, columns.run->recording) : columns.run->recording["t"];
    for (std::size_t k = 0; k < columns.names.size(); ++k)
      out.curves.push_back({prefix.empty() ? columns.names[k] : prefix + " " + columns.names[k], over,
                            columns.values[k], prefix.starts_with("theory")});
  }
  return out;
}

}  // namespace

Reproduction reproduce(const std::filesystem::path& file) {
  const scenario::Node root = scenario::parse_yaml(scenario::read_file(file), file.string());
  const Map top(Value(root, "the file"), "the file",
                {"title", "about", "runs", "numbers", "tables", "figures", "formulations"});
  Reproduction out{.title = top.required("title").text(), .about = optional_text(top, "about")};
  Runs runs;
  for (const auto& [key, value] : scenario::named_values(top.required("runs"), "run")) {
    const Run& run = runs.emplace(key.text, read_run(value, file.parent_path())).first->second;
    if (!run.doubt.empty()) out.warnings.push_back(fmt::format("run '{}': {}", key.text, run.doubt));
  }
  if (const auto numbers = top.find("numbers"))
    for (const Value& item : numbers->list()) out.numbers.push_back(read_number(item, runs));
  if (const auto tables = top.find("tables"))
    for (const Value& item : tables->list()) out.tables.push_back(read_table(item, runs));
  if (const auto figures = top.find("figures"))
    for (const Value& item : figures->list()) out.figures.push_back(read_figure(item, runs));
  if (const auto compared = top.find("formulations"))
    for (const Value& item : compared->list()) {
      const Run& run = run_of(item, runs);
      out.agreements.push_back({item.text(), compare_formulations(run.scenario.problem(), run.recording)});
    }
  return out;
}

std::vector<std::filesystem::path> study_files(const std::string& what, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  if (what.ends_with(".yaml")) return {what};
  std::vector<fs::path> files;
  std::vector<std::string> known{"all"};
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) known.push_back(file.stem());
  if (what == "all") return files;
  if (std::ranges::find(known, what) == known.end())
    throw Error(fmt::format("study '{}'", what), allowed_names(what, known) + ", or a file NAME.yaml");
  return {folder / (what + ".yaml")};
}

}  // namespace trammel
