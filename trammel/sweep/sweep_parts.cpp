#include "trammel/sweep/sweep_parts.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/core.h>

#include "trammel/sweep/sweep_plan.h"
#include "trammel/sweep/whole_file.h"

namespace trammel::sweep {
namespace {

namespace fs = std::filesystem;

constexpr const char* identity_file = "belongs-to.json";

// "000000017-000000020.csv".
std::optional<CaseRange> range_in(const std::string& name) {
  if (!name.ends_with(".csv")) return {};
  CaseRange out;
  const char* const end = name.data() + name.size() - 4;
  const auto [dash, first] = std::from_chars(name.data(), end, out.begin);
  if (first != std::errc() || dash == end || *dash != '-') return {};
  const auto [stop, second] = std::from_chars(dash + 1, end, out.end);
  if (second != std::errc() || stop != end || out.begin < 0 || out.end <= out.begin) return {};
  return out;
}

// A machine that lost its power may have kept the name of a file and not its content.
bool is_whole(const fs::path& path, const CaseRange& range) {
  std::ifstream stream(path, std::ios::binary);
  long lines = 0;
  char last = 0;
  std::vector<char> buffer(1 << 16);
  while (stream.read(buffer.data(), static_cast<long>(buffer.size())), stream.gcount() > 0) {
    lines += std::count(buffer.begin(), buffer.begin() + stream.gcount(), '\n');
    last = buffer[stream.gcount() - 1];
  }
  return lines == range.end - range.begin + 1 && last == '\n';
}

}  // namespace

std::string SweepParts::identity() const {
  std::ifstream stream(folder_ / identity_file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void SweepParts::begin(const std::string& identity) const {
  fs::create_directories(folder_);
  write_whole_file(folder_ / identity_file, identity);
}

void SweepParts::remove() const { fs::remove_all(folder_); }

void SweepParts::write(const Sweep& sweep, const std::vector<CaseResult>& results) const {
  const CaseRange range{results.front().number, results.back().number + 1};
  if (!sweep.plan().keep.columns.empty()) {
    WholeFile kept(kept_of(range));
    for (const CaseResult& result : results)
      kept.write({reinterpret_cast<const char*>(result.kept.data()), result.kept.size() * sizeof(double)});
    kept.commit();
  }
  std::string table = header_of(sweep) + "\n";
  for (const CaseResult& result : results) table += row_of(sweep, result) + "\n";
  write_whole_file(table_of(range), table);
}

std::vector<CaseRange> SweepParts::ranges() const {
  std::vector<CaseRange> out;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error))
    if (const auto range = range_in(entry.path().filename()); range && is_whole(entry.path(), *range))
      out.push_back(*range);
  std::ranges::sort(out, [](const CaseRange& a, const CaseRange& b) {
    return a.begin < b.begin || (a.begin == b.begin && a.end < b.end);
  });
  return out;
}

std::vector<CaseRange> SweepParts::missing(CaseRange wanted) const {
  std::vector<CaseRange> out;
  long next = wanted.begin;
  for (const CaseRange& range : ranges()) {
    if (range.begin > next) out.push_back({next, std::min(range.begin, wanted.end)});
    next = std::max(next, range.end);
    if (next >= wanted.end) break;
  }
  if (next < wanted.end) out.push_back({next, wanted.end});
  std::erase_if(out, [](const CaseRange& range) { return range.begin >= range.end; });
  return out;
}

fs::path SweepParts::table_of(const CaseRange& range) const {
  return folder_ / fmt::format("{:09}-{:09}.csv", range.begin, range.end);
}
fs::path SweepParts::kept_of(const CaseRange& range) const {
  return folder_ / fmt::format("{:09}-{:09}.kept", range.begin, range.end);
}

}  // namespace trammel::sweep
