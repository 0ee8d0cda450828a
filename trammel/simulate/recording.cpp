#include "trammel/simulate/recording.h"

#include <algorithm>

#include <fmt/core.h>

#include "trammel/base/error.h"
#include "trammel/base/names.h"

namespace trammel {

Recording::Recording(std::vector<Column> columns, int capacity)
    : columns_(std::move(columns)), values_(static_cast<int>(columns_.size()), std::max(capacity, 1)) {
  for (const Column& column : columns_) names_.push_back(column.name);
}

std::vector<std::string> Recording::names_of(ColumnKind kind) const {
  std::vector<std::string> out;
  for (const Column& column : columns_)
    if (column.kind == kind) out.push_back(column.name);
  return out;
}

int Recording::column(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) throw Error(fmt::format("column '{}'", name), allowed_names(name, names_));
  return static_cast<int>(found - names_.begin());
}

VecX<> Recording::values(int row, ColumnKind kind) const {
  const auto count = std::ranges::count(columns_, kind, &Column::kind);
  const auto first = std::ranges::find(columns_, kind, &Column::kind) - columns_.begin();
  return values_.col(row).segment(count == 0 ? 0 : first, count);
}

State Recording::state(int row) const {
  return {values(row, ColumnKind::time)[0], values(row, ColumnKind::coordinate), values(row, ColumnKind::velocity)};
}

Eigen::Ref<VecX<>> Recording::add_row() {
  if (rows_ == values_.cols()) values_.conservativeResize(Eigen::NoChange, 2 * rows_);
  return values_.col(rows_++);
}

bool Recording::operator==(const Recording& other) const {
  return names_ == other.names_ && rows_ == other.rows_ && values_.leftCols(rows_) == other.values_.leftCols(rows_);
}

}  // namespace trammel
