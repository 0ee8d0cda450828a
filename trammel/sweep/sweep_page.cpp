#include "trammel/sweep/sweep_page.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "trammel/base/error.h"
#include "trammel/report/page_data.h"
#include "trammel/report/page_template.h"
#include "trammel/sweep/random.h"
#include "trammel/sweep/sweep_statistics.h"
#include "trammel/sweep/whole_file.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_words = 1000;  // of a column: reasons have numbers in them

// "" counts as no number
double number_of(const std::string& text) {
  return text.empty() ? std::numeric_limits<double>::quiet_NaN() : std::strtod(text.c_str(), nullptr);
}

class PageColumn {
 public:
  explicit PageColumn(const Json& column)
      : column_(column), is_number_(column.value("values", std::string("number")) == "number") {}

  void add(const std::string& entry) {
    if (is_number_) {
      numbers_.push_back(number_of(entry));
      return;
    }
    const bool is_full = words_.size() >= most_words && !code_of_.contains(entry);
    const std::string word = is_full ? "another one: see table.csv" : entry;
    const auto [known, is_new] = code_of_.emplace(word, static_cast<std::uint32_t>(words_.size()));
    if (is_new) words_.push_back(word);
    codes_.push_back(known->second);
  }

  Json to_json() const {
    Json out{{"name", column_["name"]},
             {"kind", column_["kind"]},
             {"unit", column_.value("unit", std::string())},
             {"how", column_.contains("vary") ? column_["vary"].value("how", std::string()) : std::string()},
             {"expression", column_.value("expression", std::string())}};
    if (is_number_) {
      out["numbers"] = base64(numbers_);
    } else {
      out["codes"] = base64(codes_);
      out["words"] = words_;
    }
    return out;
  }

 private:
  const Json& column_;
  bool is_number_;
  std::vector<double> numbers_{};
  std::vector<std::uint32_t> codes_{};
  std::vector<std::string> words_{};
  std::map<std::string, std::uint32_t> code_of_{};
};

// The cases that sweep.json names: extremes, failures, kept recordings.
std::set<long> named_cases(const Json& index) {
  std::set<long> out;
  for (const Json& measure : index["measures"])
    for (const char* which : {"lowest", "highest"})
      for (const Json& extreme : measure[which]) out.insert(extreme["case"].get<long>());
  for (const Json& failure : index["failures"])
    for (const Json& number : failure["cases"]) out.insert(number.get<long>());
  if (index["kept"].contains("recordings"))
    for (const Json& one : index["kept"]["recordings"]) out.insert(one["case"].get<long>());
  return out;
}

// Chooses `wanted` of `rows` rows as they come, each with the same probability (Knuth, The Art of Computer Programming 2, 3.4.2, S): a row
// is taken with the probability (those still wanted)/(those still to come).
class Selection {
 public:
  Selection(long rows, long wanted) : rows_(rows), wanted_(wanted) {}

  bool takes_next() {
    const long left = rows_ - seen_;
    const double chance = sweep::uniform(0, static_cast<std::uint64_t>(seen_++), "rows of the page");
    if (chance * static_cast<double>(left) >= static_cast<double>(wanted_)) return false;
    --wanted_;
    return true;
  }

 private:
  long rows_, wanted_, seen_ = 0;
};

void add_table(const Json& index, const fs::path& path, long most_numbers, Json& out) {
  std::vector<PageColumn> columns;
  for (std::size_t k = 1; k < index["columns"].size(); ++k) columns.emplace_back(index["columns"][k]);
  const std::set<long> named = named_cases(index);
  const long rows = index["rows"].get<long>(), width = static_cast<long>(index["columns"].size());
  Selection selection(rows, std::min(rows, std::max(1L, most_numbers / width)));
  std::vector<std::uint32_t> numbers;

  std::ifstream stream(path, std::ios::binary);
  std::string line;
  std::getline(stream, line);  // of names
  for (long row = 0; row < rows; ++row) {
    if (!std::getline(stream, line))
      throw Error({path.string()}, fmt::format("{} rows", row), fmt::format("the {} that sweep.json tells of", rows));
    const bool is_taken = selection.takes_next();
    const long number = std::atol(line.c_str());
    if (!is_taken && !named.contains(number)) continue;
    const std::vector<std::string> entries = sweep::csv_entries(line);
    if (static_cast<long>(entries.size()) != width)
      throw Error({path.string(), static_cast<int>(row + 2)}, fmt::format("{} entries", entries.size()),
                  fmt::format("the {} that sweep.json tells of", width));
    numbers.push_back(static_cast<std::uint32_t>(number));
    for (std::size_t k = 0; k < columns.size(); ++k) columns[k].add(entries[k + 1]);
  }
  out["case_numbers"] = base64(numbers);
  out["columns"] = Json::array();
  for (const PageColumn& column : columns) out["columns"].push_back(column.to_json());
}

// bands.csv: column,t,count,min,p5,p25,median,p75,p95,max,mean; a column's lines stand together.
Json bands_in(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string line;
  if (!std::getline(stream, line)) return Json::array();
  const std::vector<std::string> names = sweep::csv_entries(line);
  Json out = Json::array();
  std::string column;
  std::vector<double> times;
  std::vector<std::vector<float>> values(names.size());
  const auto close = [&] {
    if (times.empty()) return;
    Json band{{"column", column}, {"t", base64(times)}};
    for (std::size_t k = 3; k < names.size(); ++k) band[names[k]] = base64(values[k]);
    out.push_back(std::move(band));
    times.clear();
    for (std::vector<float>& of_name : values) of_name.clear();
  };
  while (std::getline(stream, line)) {
    std::vector<std::string> entries = sweep::csv_entries(line);
    entries.resize(names.size());
    if (entries[0] != column) close();
    column = entries[0];
    times.push_back(number_of(entries[1]));
    for (std::size_t k = 3; k < names.size(); ++k) values[k].push_back(static_cast<float>(number_of(entries[k])));
  }
  close();
  return out;
}

Json index_of(const fs::path& folder) {
  const fs::path path = folder / "sweep.json";
  std::ifstream stream(path, std::ios::binary);
  const Json index = Json::parse(stream, nullptr, false);
  if (!index.is_object() || !index.contains("made_from") || index.value("format", 0) != 1)
    throw Error({folder.string()}, "no sweep.json of a sweep there",
                "the folder that trammel sweep has written, such as results/NAME");
  return index;
}

}  // namespace

std::string sweep_page_data(const fs::path& folder, long most_numbers) {
  const Json index = index_of(folder);
  const Json& made_from = index["made_from"];
  Json out{{"format", 1}, {"title", index["name"]}, {"scenario_file", index["scenario"]}};
  for (const char* key : {"version", "instructions", "file", "seed", "cases", "grid_points", "draws", "rows",
                          "complete", "counts", "failures", "measures"})
    out[key] = index[key];
  for (const char* key : {"sweep", "scenario", "set"}) out[key] = made_from[key];
  out["recordings"] = index["kept"].contains("recordings") ? index["kept"]["recordings"] : Json::array();
  add_table(index, folder / index["table"].get<std::string>(), most_numbers, out);
  out["bands"] =
      index["kept"].contains("bands") ? bands_in(folder / index["kept"]["bands"].get<std::string>()) : Json::array();
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool write_sweep_page(const fs::path& folder) {
  if (sweep_page_template().empty()) return false;
  sweep::write_whole_file(folder / "report.html", page_with(sweep_page_data(folder), sweep_page_template()));
  return true;
}

}  // namespace trammel
