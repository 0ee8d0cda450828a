#pragma once

#include <optional>

#include "trammel/system/misaligned.h"
#include "trammel/system/worst_error.h"

namespace trammel {

struct AssemblyOptions {
  std::vector<int> keep{};         // velocities (by index in v) along which the robot is not moved
  std::vector<int> keep_speeds{};  // velocities that stay as they are given
  double rank_tolerance = 1e-11;   // singular values below this part of the largest do not count
  double tolerance = 1e-11;        // how far rows may be open in the end, beside the robot's size
  int restarts = 40;               // from about the guess, where the first attempt does not close
  bool within_limits = true;       // joints stay within their limits, where it closes so
};

enum class AssemblyStatus {
  closed,           // on the constraints, place and velocity
  velocities_open,  // the positions hold, but no velocities were found that hold too
  not_a_number,     // a constraint has no finite value there, nor near it
  stuck,            // came to rest in different places, none of them closed: a better guess may help
  unfinished,       // the iterations ran out while the rows were still closing
  kept,             // does not close with what is kept, and does without
  out_of_reach      // came to rest at one distance again and again: the constraints cannot hold together from here
};
std::string_view name_of(AssemblyStatus status);

/// A state on the constraints, or the nearest to it that was found.
struct Assembly {
  VecX<> q, v;
  AssemblyStatus status = AssemblyStatus::closed;
  std::string open;                      // the constraint that is furthest from holding, where one is not
  WorstError residual;                   // by how much: φ of its worst row, or φ̇ where velocities are open
  std::optional<Misaligned> misaligned;  // by which angle, where its rows hold and it does not
  double moved = 0;                      // the largest change of a coordinate from the guess, rad or m
  int iterations = 0;                    // over all attempts
  int attempts = 0;

  bool closed() const { return status == AssemblyStatus::closed; }
  /// One line: what was reached.
  std::string text() const;
};

/// From a guess to a state on all constraints of the system (both layers), its inputs at the values that it holds: first
/// the place, then the speeds.
///
/// The place: damped least squares (place_search.h) by the rows and factors of a run; near the end Newton's steps, least in the metric of
/// M, which take the branch nearest to the guess. A guess that is closed to rounding stays. Velocities that are kept do not move, in both
/// searches. Then, until it closes:
///
///   1. floating joints on the world alone, where they can meet all rows; else they go as far as they can, and what follows starts there
///   2. all joints, within their limits
///   3. all joints, beyond their limits where it must be
///
/// False solutions (misaligned.h) count as open. Where the first attempt fails, others start from about the guess, further and further
/// off; of those that close, the one that ends nearest to the guess is taken. Whether what is kept is the reason is found out without it.
///
/// The speeds: v ← v − L⁻ᵀ Y⁺ (φ̇ or ψ), in the metric of M, repeated where rows are not linear in v.
[[nodiscard]] Assembly assemble(const System& system, const VecX<>& q, const VecX<>& v, double t = 0,
                                const AssemblyOptions& options = {});

/// φ of all rows at position level, each times its scale, in the order of the system's constraints; zero for the others.
VecX<> position_errors(const System& system, const VecX<>& q, double t);

}  // namespace trammel
