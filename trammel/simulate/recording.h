#pragma once

#include <string>
#include <vector>

#include "trammel/math/vector.h"
#include "trammel/simulate/column.h"
#include "trammel/simulate/derivative.h"

namespace trammel {

/// What a run leaves behind: named columns, a row for each moment recorded.
///
///   t                       s
///   q.NAME  v.NAME  vdot.NAME  Qc.NAME      of each coordinate or velocity; [i] behind joints with several
///   phi.NAME[i]  phidot.NAME[i]  lambda.NAME[i]     of each row; phidot of rows at velocity level is ψ
///   u.NAME  path.NAME[i]    torques of the motors; φ of the control rows that they track
///   angle.NAME              q of a joint that turns without end but for whole turns, if asked for: to the last digit, which
///                           q itself loses after a thousand turns, rad
///   FRAME.x  FRAME.y  FRAME.z       of the frames asked for, m
///   energy  work            J; energy − work is constant but for the error of the integration
///   rank  pivot             how many rows are independent; by how much the weakest of them stands out of the others, over the
///                           strongest: nearness to singular. Rows that motors track count as well
class Recording {
 public:
  Recording() = default;
  /// Rows up to `capacity` take no new memory.
  Recording(const std::vector<Column>& columns, int capacity);

  const std::vector<std::string>& names() const { return names_; }
  /// Those of one kind, in their order; and what a column is.
  std::vector<std::string> names_of(ColumnKind kind) const;
  ColumnKind kind(int column) const { return kinds_[column]; }
  int rows() const { return rows_; }
  int columns() const { return static_cast<int>(names_.size()); }

  /// The entry of a row; the index of a column. An Error names the nearest column.
  double operator()(int row, int column) const { return values_(column, row); }
  double operator()(int row, std::string_view name) const { return values_(column(name), row); }
  int column(std::string_view name) const;
  /// A whole column.
  VecX<> operator[](std::string_view name) const { return values_.row(column(name)).head(rows_).transpose(); }

  /// The time, coordinates and velocities of a row.
  State state(int row) const;

  /// Room for one more row, to be written by the caller.
  Eigen::Ref<VecX<>> add_row();

  bool operator==(const Recording& other) const;

 private:
  std::vector<std::string> names_;
  std::vector<ColumnKind> kinds_;
  MatX<> values_;  // a column for each row of the recording
  int rows_ = 0;
};

}  // namespace trammel
