#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/scenario/text.h"
#include "trammel/sweep/sweep_plan.h"

// The reader of sweep files.

namespace trammel {
namespace {

namespace fs = std::filesystem;
using scenario::Map;
using scenario::NamedValue;
using scenario::Unit;
using scenario::Value;
using sweep::Choice;
using sweep::Varied;

constexpr double most_cases = 1e9;

// A whole number from `least` on.
double whole(const Value& value, double least, double most) {
  const double number = value.number({}, Unit::none);
  if (!(number >= least && number <= most) || number != std::floor(number))
    value.refuse(fmt::format("a whole number from {:.0f} to {:.0f}", least, most));
  return number;
}

Scenario read_base(const Map& top, const fs::path& folder, const std::vector<std::string>& overrides, fs::path& file) {
  const Value value = top.required("scenario");
  file = (folder / value.text("the name of a scenario file")).lexically_normal();
  try {
    return read_scenario(file, overrides);
  } catch (const Error& error) {
    if (error.place().file != file.string() || error.place().line > 0) throw;
    value.refuse(fmt::format("{}, {}", expression::shown(value.node().text), error.found()),
                 "the name of a scenario file, by its path from the sweep's folder");
  }
}

void count_cases(const Map& top, SweepPlan& plan) {
  double points = 1;
  const Varied* draws = nullptr;
  for (const Varied& varied : plan.varied) {
    if (varied.is_drawn())
      draws = draws != nullptr ? draws : &varied;
    else
      points *= static_cast<double>(varied.choices.size());
  }
  const auto cases = top.find("cases");
  if (cases && draws == nullptr)
    top.refuse_key("cases", "'cases' where nothing is drawn",
                   fmt::format("no such key: grids and lists make {:.0f} cases", points));
  if (draws != nullptr && !cases)
    throw Error(draws->place, fmt::format("{}, which is drawn, without a key 'cases'", expression::shown(draws->key)),
                "cases: how often");
  const double drawn = cases ? whole(*cases, 1, most_cases) : 1;
  if (points * drawn > most_cases)
    throw Error(cases ? cases->place() : top.required("vary").place(), fmt::format("{:.0f} cases", points * drawn),
                fmt::format("up to {:.0f}", most_cases));
  plan.grid_points = static_cast<long>(points);
  plan.draws = static_cast<long>(drawn);
}

// With which every key is tried: its first value, or the middle of its distribution.
Choice usual(const Varied& varied) {
  if (!varied.choices.empty()) return varied.choices.front();
  return sweep::choice_of(varied.kind == Varied::Kind::uniform ? 0.5 * (varied.a + varied.b) : varied.a);
}

std::string override_of(const Varied& varied, const Choice& choice) { return varied.key + "=" + choice.text; }

// An override of what varies, or of a part of it, would have no effect.
void check_no_override(const Varied& varied, const std::vector<std::string>& overrides) {
  const auto is_within = [](std::string_view key, std::string_view other) {
    return key.starts_with(other) && (key.size() == other.size() || key[other.size()] == '.');
  };
  for (const std::string& item : overrides)
    if (is_within(std::string_view(item).substr(0, item.find('=')), varied.key))
      throw Error({fmt::format("--set {}", expression::shown(item))},
                  fmt::format("{}, which the sweep varies", expression::shown(varied.key)), "keys that do not vary");
}

// Constants and inputs that nobody uses would vary nothing.
void check_is_there(const Varied& varied, const std::vector<Parameter>& parameters) {
  for (const char* section : {"constants.", "inputs."}) {
    if (!varied.key.starts_with(section)) continue;
    std::vector<std::string> known;
    for (const Parameter& parameter : parameters)
      if (parameter.name.starts_with(section)) known.push_back(parameter.name);
    if (std::ranges::find(known, varied.key) == known.end())
      throw Error(varied.place, fmt::format("{}, which the scenario does not have", expression::shown(varied.key)),
                  allowed_names(varied.key, known));
  }
}

// The scenario with some varied keys at a value; what it refuses in one of them is told by `refused`, its number.
std::optional<Scenario> scenario_with(const SweepPlan& plan, const std::vector<std::string>& items,
                                      std::size_t& refused, std::optional<Error>& why) {
  try {
    return plan.base.with_overrides(items);
  } catch (const Error& error) {
    const auto is_of = [&](const std::string& item) {
      return error.place().file == fmt::format("--set {}", expression::shown(item));
    };
    refused = std::ranges::find_if(items, is_of) - items.begin();
    why = error;
    return {};
  }
}

// Refuses a key at its place, or its first value where another one would do.
[[noreturn]] void refuse_varied(const SweepPlan& plan, std::size_t k, std::vector<std::string> items,
                                const Error& error) {
  const Varied& varied = plan.varied[k];
  if (varied.places.size() < 2) throw error.at(varied.place);
  items[k] = override_of(varied, varied.choices[1]);
  std::size_t refused = items.size();
  std::optional<Error> why;
  (void)scenario_with(plan, items, refused, why);
  throw error.at(refused == k ? varied.place : varied.places[0]);
}

// Words of lists are tried, each beside the usual values of the others.
void check_words(const SweepPlan& plan, const std::vector<std::string>& usual_items) {
  constexpr std::size_t most_tried = 100;
  for (std::size_t k = 0; k < plan.varied.size(); ++k)
    for (std::size_t c = 1; c < std::min(plan.varied[k].choices.size(), most_tried); ++c) {
      if (plan.varied[k].choices[c].is_number) continue;
      std::vector<std::string> items = usual_items;
      items[k] = override_of(plan.varied[k], plan.varied[k].choices[c]);
      std::size_t refused = items.size();
      std::optional<Error> why;
      (void)scenario_with(plan, items, refused, why);
      if (refused == k) throw why->at(plan.varied[k].places[c]);
    }
}

// The scenario with every key at its usual value. What it cannot take is refused where it stands in the sweep file.
Scenario tried(const SweepPlan& plan) {
  const std::vector<Parameter> parameters = plan.base.system.source->parameters();
  std::vector<std::string> items;
  for (const Varied& varied : plan.varied) {
    check_no_override(varied, plan.overrides);
    check_is_there(varied, parameters);
    items.push_back(override_of(varied, usual(varied)));
  }
  std::size_t refused = items.size();
  std::optional<Error> why;
  std::optional<Scenario> out = scenario_with(plan, items, refused, why);
  if (!out && refused < items.size()) refuse_varied(plan, refused, items, *why);
  for (std::size_t k = 0; !out && k < items.size(); ++k)
    if (!scenario_with(plan, {items[k]}, refused, why)) throw why->at(plan.varied[k].place);
  if (!out) return plan.base;  // each for itself is possible: cases tell
  check_words(plan, items);
  return *std::move(out);
}

void read_measures(const Value& value, const std::vector<Column>& recorded, SweepPlan& plan) {
  for (const NamedValue& named : named_values(value, "measure")) {
    const Place& place = named.key.place;
    if (named.key.text.empty() || named.key.text.size() > 200 ||
        named.key.text.find_first_of("\n\t`") != std::string::npos)
      throw Error(place, fmt::format("the name {}", expression::shown(named.key.text)),
                  "a name of up to 200 characters on one line, without backquotes");
    for (const SweepColumn& column : plan.columns)
      if (column.name == named.key.text)
        throw Error(place, fmt::format("a measure named like the column {}", expression::shown(column.name)),
                    "another name");
    const std::string& text = named.value.text("an expression, as in max(abs(q.a))");
    if (text.empty()) named.value.refuse("an expression, as in max(abs(q.a))");
    plan.measures.push_back(
        sweep::parse_measure(named.key.text, text, named.value.node().text_place, recorded, plan.measures));
    plan.columns.push_back({SweepColumn::Kind::measure, named.key.text, plan.measures.back().unit, true});
  }
}

// Kept columns stand at the same times in all cases.
void read_kept_columns(const Map& map, const Value& columns, const std::vector<Column>& recorded,
                       const SimulateOptions& options, SweepPlan& plan) {
  for (const char* key : {"simulate.duration", "record.every", "simulate", "record"})
    for (const Varied& varied : plan.varied)
      if (varied.key == key)
        map.refuse_key("columns", fmt::format("columns to keep, where {} varies", key), "times that all cases share");
  if (!(options.record_every > 0))
    map.refuse_key("columns", "columns to keep of a scenario that records every step", "record: {every: 10 ms}");
  std::vector<std::string> names;
  for (const Column& column : recorded) names.push_back(column.name);
  for (const Value& item : columns.list("a list of columns, as in [q.a, pen.x]")) {
    const std::string name = item.name();
    if (std::ranges::find(names, name) == names.end())
      item.refuse(fmt::format("the column {}", expression::shown(name)), allowed_names(name, names));
    if (std::ranges::find(plan.keep.columns, name) != plan.keep.columns.end())
      item.refuse(fmt::format("the column {} for the second time", expression::shown(name)), "each column once");
    plan.keep.columns.push_back(name);
  }
  plan.kept_times = static_cast<int>(std::floor(options.duration / options.record_every * (1 + 1e-12) + 1e-9)) + 1;
}

void read_keep(const Value& value, const std::vector<Column>& recorded, const SimulateOptions& options,
               SweepPlan& plan) {
  const Map map(value, "keep", {"recordings", "by", "lowest", "columns"});
  if (const auto count = map.find("recordings")) {
    plan.keep.recordings = static_cast<int>(whole(*count, 1, 1000));
    std::vector<std::string> names;
    for (const sweep::Measure& measure : plan.measures) names.push_back(measure.name);
    const Value by = map.required("by");
    const std::string name = by.name();
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
      by.refuse(fmt::format("the measure {}", expression::shown(name)), allowed_names(name, names));
    plan.keep.by = static_cast<int>(found - names.begin());
  }
  for (const char* key : {"by", "lowest"})
    if (map.has(key) && plan.keep.recordings == 0)
      map.refuse_key(key, fmt::format("'{}' without recordings", key), "recordings: how many");
  if (const auto lowest = map.find("lowest")) plan.keep.lowest = lowest->boolean();
  if (const auto columns = map.find("columns")) read_kept_columns(map, *columns, recorded, options, plan);
}

void refuse_scenario(const scenario::Node& root) {
  if (root.find("scenario") != nullptr || root.find("vary") != nullptr) return;
  for (const char* key : {"robot", "robots", "bodies", "joints", "constraints", "simulate"})
    if (root.find(key) != nullptr)
      throw Error(root.place, "a scenario",
                  "a sweep, which names a scenario and what varies in it; for one run: trammel run");
}

// What needs no run of the scenario.
SweepPlan read_plan(const Map& top, const std::string& text, const std::string& file, const fs::path& folder,
                    const std::vector<std::string>& overrides) {
  if (const auto version = top.find("trammel"); version && version->text("1") != "1")
    version->refuse(fmt::format("version {} of the format", expression::shown(version->node().text)), "1");
  std::vector<Varied> varied = sweep::read_vary(top.required("vary"));
  fs::path scenario_file;
  Scenario base = read_base(top, folder, overrides, scenario_file);
  SweepPlan plan{.name = fs::path(file).stem().string(),
                 .file = file,
                 .text = text,
                 .scenario_file = scenario_file,
                 .overrides = overrides,
                 .base = std::move(base),
                 .varied = std::move(varied)};
  if (const auto name = top.find("name")) plan.name = name->name();
  count_cases(top, plan);
  if (const auto seed = top.find("seed")) plan.seed = static_cast<std::uint64_t>(whole(*seed, 0, 0x1p53));
  if (const auto limit = top.find("time_limit")) plan.time_limit = limit->positive({}, Unit::time);
  return plan;
}

// Those of the table but its measures.
void put_columns(SweepPlan& plan) {
  using Kind = SweepColumn::Kind;
  plan.columns.push_back({Kind::number_of_case, "case", "", true});
  for (const Varied& one : plan.varied) plan.columns.push_back({Kind::varied, one.key, "", one.has_numbers()});
  plan.columns.push_back({Kind::status, "status", "", false});
  plan.columns.push_back({Kind::reason, "reason", "", false});
}

}  // namespace

Sweep read_sweep_text(const std::string& text, const std::string& file, const fs::path& folder,
                      const std::vector<std::string>& overrides) {
  scenario::Node root = scenario::parse_yaml(text, file);
  if (root.place.file.empty()) root.place.file = file;
  refuse_scenario(root);
  const Map top(Value(root, "the sweep"), "the sweep",
                {"trammel", "name", "scenario", "vary", "cases", "seed", "measure", "keep", "time_limit"});
  SweepPlan plan = read_plan(top, text, file, folder, overrides);
  const Scenario usual_case = tried(plan);
  if (!(usual_case.simulate.duration > 0))
    top.required("scenario")
        .refuse("a scenario that does not say how long to simulate", "simulate: {duration: 10 s} in it");
  const std::vector<Column> recorded = columns_of(usual_case.problem(), usual_case.simulate).columns();
  put_columns(plan);
  if (const auto measures = top.find("measure")) read_measures(*measures, recorded, plan);
  if (const auto keep = top.find("keep")) read_keep(*keep, recorded, usual_case.simulate, plan);
  return Sweep(std::make_shared<const SweepPlan>(std::move(plan)));
}

Sweep read_sweep(const fs::path& file, const std::vector<std::string>& overrides) {
  return read_sweep_text(scenario::read_file(file, "sweep file"), file.string(), file.parent_path(), overrides);
}

}  // namespace trammel
