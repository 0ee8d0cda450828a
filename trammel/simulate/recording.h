#pragma once

#include <string>
#include <vector>

#include "trammel/motion/state.h"
#include "trammel/simulate/column.h"

namespace trammel {

/// What a run leaves behind: named columns (docs/scenario.md has them all), a row for each moment recorded. energy − work is constant
/// but for the error of the integration.
class Recording {
 public:
  Recording() = default;
  /// Rows up to `capacity` take no new memory.
  Recording(std::vector<Column> columns, int capacity);

  const std::vector<std::string>& names() const { return names_; }
  /// Those of one kind, in their order.
  std::vector<std::string> names_of(ColumnKind kind) const;
  /// What a column is.
  const Column& about(int column) const { return columns_[column]; }
  int rows() const { return rows_; }
  int columns() const { return static_cast<int>(names_.size()); }

  /// The entry of a row; the index of a column. An Error names the nearest column.
  double operator()(int row, int column) const { return values_(column, row); }
  double operator()(int row, std::string_view name) const { return values_(column(name), row); }
  int column(std::string_view name) const;
  /// A whole column.
  VecX<> operator[](std::string_view name) const { return values_.row(column(name)).head(rows_).transpose(); }

  /// All entries, a column of the matrix for each row of the recording.
  Eigen::Ref<const MatX<>> values() const { return values_.leftCols(rows_); }

  /// The time, coordinates and velocities of a row.
  State state(int row) const;
  /// The inputs of a row.
  VecX<> inputs(int row) const { return values(row, ColumnKind::input); }
  /// λ of a row, of the rows of problem.held().
  VecX<> multipliers(int row) const { return values(row, ColumnKind::multiplier); }

  /// Room for one more row, to be written by the caller.
  Eigen::Ref<VecX<>> add_row();

  bool operator==(const Recording& other) const;

 private:
  VecX<> values(int row, ColumnKind kind) const;

  std::vector<Column> columns_;
  std::vector<std::string> names_;
  MatX<> values_;  // a column for each row of the recording
  int rows_ = 0;
};

}  // namespace trammel
