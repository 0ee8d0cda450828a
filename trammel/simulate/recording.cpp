#include "trammel/simulate/recording.h"

#include <algorithm>

#include <fmt/core.h>

#include "trammel/base/error.h"
#include "trammel/base/names.h"

namespace trammel {

Recording::Recording(std::vector<std::string> names, int capacity)
    : names_(std::move(names)), values_(static_cast<int>(names_.size()), std::max(capacity, 1)) {}

int Recording::column(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) throw Error(fmt::format("column '{}'", name), allowed_names(name, names_));
  return static_cast<int>(found - names_.begin());
}

Eigen::Ref<VecX<>> Recording::add_row() {
  if (rows_ == values_.cols()) values_.conservativeResize(Eigen::NoChange, 2 * rows_);
  return values_.col(rows_++);
}

bool Recording::operator==(const Recording& other) const {
  return names_ == other.names_ && rows_ == other.rows_ && values_.leftCols(rows_) == other.values_.leftCols(rows_);
}

}  // namespace trammel
