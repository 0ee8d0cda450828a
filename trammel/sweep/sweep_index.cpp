#include "trammel/sweep/sweep_index.h"

#include <cmath>
#include <fstream>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "trammel/base/version.h"
#include "trammel/sweep/sweep_identity.h"
#include "trammel/sweep/whole_file.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using sweep::SweepStatistics;
using sweep::Varied;

constexpr const char* index_file = "sweep.json";

Json index_in(const fs::path& folder) {
  std::ifstream stream(folder / index_file, std::ios::binary);
  return Json::parse(stream, nullptr, false);
}

bool is_finished(const Json& index) {
  return index.is_object() && index.value("complete", false) && index.contains("made_from");
}

const char* name_of(SweepColumn::Kind kind) {
  switch (kind) {
    case SweepColumn::Kind::number_of_case:
      return "case";
    case SweepColumn::Kind::varied:
      return "varied";
    case SweepColumn::Kind::status:
      return "status";
    case SweepColumn::Kind::reason:
      return "reason";
    default:
      return "measure";
  }
}

Json numbers_of(const Varied& varied) {
  Json out{{"how", name_of(varied.kind)}};
  if (!varied.choices.empty()) {
    Json values = Json::array();
    for (const sweep::Choice& choice : varied.choices)
      values.push_back(choice.is_number ? Json(choice.number) : Json(choice.text));
    out["values"] = values;
  } else {
    out["numbers"] = {varied.a, varied.b};
  }
  return out;
}

Json columns_of(const Sweep& sweep) {
  const SweepPlan& plan = sweep.plan();
  Json out = Json::array();
  std::size_t varied = 0, measure = 0;
  for (const SweepColumn& column : sweep.columns()) {
    Json one{{"name", column.name}, {"kind", name_of(column.kind)}, {"values", column.is_number ? "number" : "text"}};
    if (!column.unit.empty()) one["unit"] = column.unit;
    if (column.kind == SweepColumn::Kind::varied) one["vary"] = numbers_of(plan.varied[varied++]);
    if (column.kind == SweepColumn::Kind::measure) one["expression"] = plan.measures[measure++].result.text();
    out.push_back(one);
  }
  return out;
}

Json extremes_of(const Sweep& sweep, const std::vector<SweepStatistics::Extreme>& extremes) {
  constexpr std::size_t shown = 5;
  Json out = Json::array();
  for (std::size_t k = 0; k < std::min(shown, extremes.size()); ++k)
    out.push_back(
        {{"case", extremes[k].number}, {"value", extremes[k].value}, {"command", sweep.command(extremes[k].number)}});
  return out;
}

Json measures_of(const Sweep& sweep, const SweepStatistics& statistics) {
  Json out = Json::array();
  for (std::size_t k = 0; k < statistics.measures().size(); ++k) {
    const SweepStatistics::OfMeasure& of = statistics.measures()[k];
    Json one{{"name", sweep.plan().measures[k].name}, {"count", of.count}};
    if (of.count > 0) one["mean"] = of.sum / static_cast<double>(of.count);
    one["lowest"] = extremes_of(sweep, of.lowest);
    one["highest"] = extremes_of(sweep, of.highest);
    out.push_back(one);
  }
  return out;
}

Json failures_of(const Sweep& sweep, const SweepStatistics& statistics) {
  Json out = Json::array();
  for (const SweepStatistics::Failure& failure : statistics.failures())
    out.push_back({{"status", failure.status},
                   {"reason", failure.reason},
                   {"count", failure.count},
                   {"cases", failure.cases},
                   {"command", sweep.command(failure.cases.front())}});
  return out;
}

Json kept_of(const Sweep& sweep, const SweepStatistics& statistics) {
  const SweepPlan& plan = sweep.plan();
  Json out = Json::object();
  if (plan.keep.recordings > 0) {
    Json recordings = Json::array();
    for (const SweepStatistics::Extreme& one : statistics.kept())
      recordings.push_back({{"case", one.number},
                            {"value", one.value},
                            {"file", recording_folder(one.number) + "/recording.csv"},
                            {"command", sweep.command(one.number)}});
    out["by"] = plan.measures[plan.keep.by].name;
    out["lowest"] = plan.keep.lowest;
    out["recordings"] = recordings;
  }
  if (!plan.keep.columns.empty()) {
    out["columns"] = plan.keep.columns;
    out["times"] = {{"count", plan.kept_times}, {"every", plan.base.simulate.record_every}};
    out["values"] = "kept.npy";
    out["bands"] = "bands.csv";
  }
  return out;
}

}  // namespace

std::string recording_folder(long number) { return fmt::format("recordings/{:06}", number); }

void write_index(const Sweep& sweep, const SweepStatistics& statistics, bool is_complete, const fs::path& folder) {
  const SweepPlan& plan = sweep.plan();
  Json out{{"format", 1},
           {"name", plan.name},
           {"file", plan.file},
           {"scenario", plan.scenario_file.string()},
           {"version", version()},
           {"instructions", instruction_level()},
           {"seed", plan.seed},
           {"cases", plan.cases()},
           {"grid_points", plan.grid_points},
           {"draws", plan.draws},
           {"rows", statistics.rows()},
           {"complete", is_complete},
           {"table", "table.csv"},
           {"columns", columns_of(sweep)},
           {"counts", statistics.counts()},
           {"failures", failures_of(sweep, statistics)},
           {"measures", measures_of(sweep, statistics)},
           {"kept", is_complete ? kept_of(sweep, statistics) : Json::object()},
           {"made_from", Json::parse(identity_of(sweep))}};
  sweep::write_whole_file(folder / index_file, out.dump(1) + "\n");
}

void remove_index(const fs::path& folder) { fs::remove(folder / index_file); }

std::string finished_identity(const fs::path& folder) {
  const Json index = index_in(folder);
  return is_finished(index) ? index["made_from"].dump(1) : "";
}

SweepOutcome finished_outcome(const fs::path& folder) {
  const Json index = index_in(folder);
  SweepOutcome out;
  if (!is_finished(index)) return out;
  out.done = out.cases = index.value("cases", 0L);
  out.counts = index.value("counts", out.counts);
  return out;
}

}  // namespace trammel
