#include "trammel/simulate/recording.h"

#include <algorithm>

#include <fmt/core.h>

#include "trammel/base/error.h"
#include "trammel/base/names.h"

namespace trammel {

Recording::Recording(const std::vector<Column>& columns, int capacity)
    : values_(static_cast<int>(columns.size()), std::max(capacity, 1)) {
  for (const Column& column : columns) {
    names_.push_back(column.name);
    kinds_.push_back(column.kind);
  }
}

std::vector<std::string> Recording::names_of(ColumnKind kind) const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (kinds_[i] == kind) out.push_back(names_[i]);
  return out;
}

int Recording::column(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) throw Error(fmt::format("column '{}'", name), allowed_names(name, names_));
  return static_cast<int>(found - names_.begin());
}

State Recording::state(int row) const {
  const auto values = [&](ColumnKind kind) {
    const auto count = std::ranges::count(kinds_, kind);
    const auto first = std::ranges::find(kinds_, kind) - kinds_.begin();
    return VecX<>(values_.col(row).segment(count == 0 ? 0 : first, count));
  };
  return {values(ColumnKind::time)[0], values(ColumnKind::coordinate), values(ColumnKind::velocity)};
}

Eigen::Ref<VecX<>> Recording::add_row() {
  if (rows_ == values_.cols()) values_.conservativeResize(Eigen::NoChange, 2 * rows_);
  return values_.col(rows_++);
}

bool Recording::operator==(const Recording& other) const {
  return names_ == other.names_ && rows_ == other.rows_ && values_.leftCols(rows_) == other.values_.leftCols(rows_);
}

}  // namespace trammel
