#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/constraints/bound_expression.h"
#include "trammel/motion/problem.h"
#include "trammel/motion/state.h"

namespace trammel {

struct Data;
class SingularForces;

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
  frame_velocity,    // of a frame, or its angular velocity, along one axis
  orientation,       // of a frame: roll, pitch or yaw
  reaction,          // in a joint: force or moment on its outer body, along one axis
  energy,
  work,
  channel_work,  // of one channel of the power balance
  rank,
  pivot,
  expression,  // of the user's own
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

/// A moment of a run: a state that was solved, and what was done since the start (J): the work of all that has no part in the energy, and
/// that of each channel of the power balance. Where a drift control corrects velocities, forces may have been asked at others than
/// the state's own. Forces that are singular there are recorded as not a number.
struct Moment {
  Data& data;
  const SingularForces& singular;
  const State& at;
  double work;
  const VecX<>& works;
};

/// The axes along which the reactions in joints are recorded: the world's, or those of each joint's outer link.
enum class ReactionAxes { of_world, of_joint };

/// An expression that is recorded under a name of its own. `start`: the values of its start(…), as BoundExpression takes them.
struct RecordedExpression {
  std::string name;
  Expression expression;
  std::vector<double> start{};
};

/// What a recording has besides what every one has.
struct ExtraColumns {
  std::vector<std::string> frames{};     // whose places are recorded
  bool angles = false;                   // whether joints that turn without end are recorded within a turn, too
  std::vector<std::string> reactions{};  // joints whose reactions are recorded
  ReactionAxes axes = ReactionAxes::of_world;
  std::vector<std::string> velocities{}, orientations{};  // frames whose velocities, or angles, are recorded
  std::vector<RecordedExpression> expressions{};
};

/// The columns that a run of a problem records, and how each is computed. All families of columns stand in one table (column.cpp): a new
/// one is a line there, and a line in docs/scenario.md, which a test compares with it.
class ColumnTable {
 public:
  /// Throws Error where there is no such frame or joint, or where an expression needs a start value that it was not given.
  ColumnTable(const Problem& problem, const ExtraColumns& extra);

  const std::vector<Column>& columns() const { return columns_; }

  /// One row, an entry for each column.
  void write(const Moment& moment, Eigen::Ref<VecX<>> row) const;

  /// "q.NAME", "energy" …: every family as the documentation writes it.
  static std::vector<std::string_view> families();

  // for the table itself
  const Problem& problem() const { return problem_; }
  std::span<const Frame> frames() const { return frames_; }
  std::span<const Frame> velocities() const { return velocities_; }
  std::span<const Frame> orientations() const { return orientations_; }
  struct NamedExpression {
    std::string name;
    BoundExpression value;
  };
  std::span<const NamedExpression> expressions() const { return expressions_; }
  bool angles() const { return angles_; }
  /// A joint whose reaction is recorded: its body, and the axes of its outer link there.
  struct RecordedReaction {
    int body;
    Mat3<> R_BL;
  };
  std::span<const RecordedReaction> reactions() const { return reactions_; }
  ReactionAxes reaction_axes() const { return axes_; }

 private:
  Problem problem_;
  std::vector<Frame> frames_, velocities_, orientations_;
  std::vector<NamedExpression> expressions_;
  bool angles_;
  std::vector<RecordedReaction> reactions_;
  ReactionAxes axes_;
  std::vector<Column> columns_;
};

}  // namespace trammel
