#pragma once

#include <string>
#include <string_view>

namespace trammel {

/// What a column of a recording holds.
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
  angle,             // within a turn
  position,          // of a frame, along one axis
  energy,
  work,
  rank,
  pivot
};

std::string_view symbol_of(ColumnKind kind);  // "q"
std::string_view unit_of(
    ColumnKind kind);  // "rad, m": the units of its columns, which differ where joints turn and slide

/// A column of a recording.
struct Column {
  ColumnKind kind;
  std::string name;  // "q.shoulder"

  /// Of one of several: "q.shoulder" for the coordinate of 'shoulder'.
  static Column of(ColumnKind kind, const std::string& whose);
  /// Of the only one: "energy".
  static Column of(ColumnKind kind);
};

}  // namespace trammel
