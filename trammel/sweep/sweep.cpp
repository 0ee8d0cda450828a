#include "trammel/sweep/sweep.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "trammel/base/shell_word.h"
#include "trammel/report/csv.h"
#include "trammel/sweep/random.h"
#include "trammel/sweep/sweep_plan.h"

namespace trammel {
sweep::Choice SweepPlan::value(long i, std::size_t k) const {
  if (varied[k].is_drawn()) return varied[k].drawn(sweep::uniform(seed, static_cast<std::uint64_t>(i), varied[k].key));
  long point = i % grid_points;
  for (std::size_t j = varied.size(); --j > k;)
    if (!varied[j].is_drawn()) point /= static_cast<long>(varied[j].choices.size());
  return varied[k].choices[point % static_cast<long>(varied[k].choices.size())];
}

const std::string& Sweep::name() const { return plan_->name; }
long Sweep::case_count() const { return plan_->cases(); }
const std::vector<SweepColumn>& Sweep::columns() const { return plan_->columns; }

std::vector<std::string> Sweep::values(long i) const {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < plan_->varied.size(); ++k) out.push_back(plan_->value(i, k).text);
  return out;
}

std::vector<std::string> Sweep::overrides(long i) const {
  std::vector<std::string> out = plan_->overrides;
  for (std::size_t k = 0; k < plan_->varied.size(); ++k)
    out.push_back(plan_->varied[k].key + "=" + plan_->value(i, k).text);
  return out;
}

std::string Sweep::command(long i) const {
  std::string out = "trammel run " + shell_word(plan_->scenario_file.string());
  for (const std::string& item : overrides(i)) out += " --set " + shell_word(item);
  return out;
}

Scenario Sweep::scenario(long i) const {
  std::vector<std::string> of_case = overrides(i);
  of_case.erase(of_case.begin(), of_case.begin() + static_cast<long>(plan_->overrides.size()));
  return plan_->base.with_overrides(of_case);
}

std::string header_of(const Sweep& sweep) {
  std::string out;
  for (const SweepColumn& column : sweep.columns()) out += (out.empty() ? "" : ",") + csv_cell(column.name);
  return out;
}

std::string row_of(const Sweep& sweep, const CaseResult& result) {
  std::string out = fmt::format("{}", result.number);
  for (const std::string& value : sweep.values(result.number)) out += "," + csv_cell(value);
  out += "," + csv_cell(result.status) + "," + csv_cell(result.reason);
  for (const double x : result.measures) out += std::isfinite(x) ? fmt::format(",{}", x) : ",";
  return out;
}

}  // namespace trammel
