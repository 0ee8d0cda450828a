#include "trammel/sweep/sweep_statistics.h"

#include <algorithm>
#include <cstdlib>

#include "trammel/base/fold.h"

namespace trammel::sweep {
namespace {

constexpr std::size_t extremes = 5, failed_cases = 10, most_failures = 200;

// Rows come in their order: of equal values the first stays in front.
void insert(std::vector<SweepStatistics::Extreme>& best, const SweepStatistics::Extreme& one, double sign,
            std::size_t most) {
  const auto after =
      std::ranges::find_if(best, [&](const auto& other) { return sign * one.value > sign * other.value; });
  if (after == best.end() && best.size() >= most) return;
  best.insert(after, one);
  if (best.size() > most) best.pop_back();
}

}  // namespace

std::vector<std::string> csv_entries(std::string_view line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      out.back() += c;
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

std::size_t SweepStatistics::listed(std::size_t measure) const {
  const bool is_kept = static_cast<int>(measure) == plan_->keep.by;
  return std::max(extremes, is_kept ? static_cast<std::size_t>(plan_->keep.recordings) : 0);
}

void SweepStatistics::add(std::string_view row) {
  const std::vector<std::string> entries = csv_entries(row);
  const long number = std::atol(entries[0].c_str());
  const std::size_t status = 1 + plan_->varied.size();
  ++rows_;
  ++counts_[entries[status]];
  if (entries[status] != "finished") add_failure(number, entries[status], entries[status + 1]);
  for (std::size_t k = 0; k < measures_.size(); ++k) {
    const std::string& text = entries[status + 2 + k];
    if (text.empty()) continue;
    const double value = std::strtod(text.c_str(), nullptr);
    OfMeasure& of = measures_[k];
    ++of.count;
    of.sum += value;
    insert(of.lowest, {value, number}, -1, listed(k));
    insert(of.highest, {value, number}, 1, listed(k));
  }
}

void SweepStatistics::add_failure(long number, const std::string& status, const std::string& reason) {
  const std::string kind = status + ": " + kind_of(reason);
  const auto [known, is_new] = failure_of_.emplace(kind, failures_.size());
  if (is_new && failures_.size() == most_failures) {
    failure_of_.erase(known);
    return;
  }
  if (is_new) failures_.push_back({status, reason});
  Failure& failure = failures_[known->second];
  ++failure.count;
  if (failure.cases.size() < failed_cases) failure.cases.push_back(number);
}

std::vector<SweepStatistics::Extreme> SweepStatistics::kept() const {
  if (plan_->keep.recordings == 0) return {};
  const OfMeasure& by = measures_[plan_->keep.by];
  std::vector<Extreme> out = plan_->keep.lowest ? by.lowest : by.highest;
  out.resize(std::min(out.size(), static_cast<std::size_t>(plan_->keep.recordings)), {});
  return out;
}

}  // namespace trammel::sweep
