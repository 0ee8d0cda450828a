#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/model/model.h"
#include "trammel/motion/problem.h"
#include "trammel/motion/state.h"

namespace trammel {

struct Data;

/// What a column of a recording holds, where someone asks for columns by that.
enum class ColumnKind {
  time,
  coordinate,
  velocity,
  acceleration,
  constraint_force,  // Qc
  error,             // φ
  error_rate,        // φ̇, or ψ
  multiplier,        // λ
  torque,            // of a motor
  path_error,        // φ of a control row that motors track
  input,             // a number that is set from outside
  angle,             // within a turn
  position,          // of a frame, along one axis
  energy,
  work,
  rank,
  pivot,
  other
};

/// A column of a recording.
struct Column {
  ColumnKind kind = ColumnKind::other;
  std::string name;    // "q.shoulder"
  std::string symbol;  // "q"
  std::string unit;    // "rad"

  /// Of one of several: "q.shoulder" for the coordinate of 'shoulder'. Its unit is that of all such columns, "rad, m", unless it is
  /// given.
  static Column of(ColumnKind kind, const std::string& whose);
  static Column of(ColumnKind kind, const std::string& whose, std::string_view unit);
  /// Of the only one: "energy".
  static Column of(ColumnKind kind);
};

/// A moment of a run: a state that was solved, and the work done since the start (J). Where a drift control corrects velocities, forces
/// may have been asked at others than the state's own.
struct Moment {
  Data& data;
  const State& at;
  double work;
};

/// The columns that a run of a problem records, and how each is computed. All families of columns stand in one table (column.cpp): a new
/// one is a line there, and a line in docs/scenario.md, which a test compares with it.
class ColumnTable {
 public:
  /// `frames`: those whose places are recorded; `angles`: whether joints that turn without end are recorded within a turn, too.
  /// Throws Error where there is no such frame.
  ColumnTable(const Problem& problem, const std::vector<std::string>& frames, bool angles);

  const std::vector<Column>& columns() const { return columns_; }

  /// One row, an entry for each column.
  void write(const Moment& moment, Eigen::Ref<VecX<>> row) const;

  /// "q.NAME", "energy" …: every family as the documentation writes it.
  static std::vector<std::string_view> families();

  // for the table itself
  const Problem& problem() const { return problem_; }
  std::span<const Frame> frames() const { return frames_; }
  bool angles() const { return angles_; }

 private:
  Problem problem_;
  std::vector<Frame> frames_;
  bool angles_;
  std::vector<Column> columns_;
};

}  // namespace trammel
