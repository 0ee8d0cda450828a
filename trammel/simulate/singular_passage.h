#pragma once

#include <array>
#include <limits>

#include "trammel/motion/row_strength.h"
#include "trammel/simulate/projection.h"

namespace trammel {

/// Singular postures on the way of a run, such as a parallelogram that swings through the posture in which it lies flat. There a row,
/// or a combination of rows, loses its gradient: two branches of motions cross. With the part σ that a row's pivot has of its
/// usual size (row_strength.h), the nearest states on the constraints are known to ε/σ, their velocities to ε/σ², and v̇ to ε|v|²/σ³.
/// Steps that end there lead to one branch or the other by chance.
///
/// But along the branch on which the mechanism moves, v̇ and Qc are smooth functions, and well known at both sides of the
/// posture. So close to it they are interpolated: with f(x) = v̇ at the state on the constraints next to (q ⊕ xv, v),
///
///   v̇ = Σ_k w_k ½ (f(kΔ) + f(−kΔ)),   k = 1 … 5,   w_k = Π_{j≠k} j²/(j² − k²)            exact but for Δ¹⁰ f⁽¹⁰⁾ (5!)²/10!
///
/// at constant t, unless constraints move with it. The direction of v tells the branches apart: ⊕ is off its own by Δ², and the other
/// is Δ away. Δ|v| is 0.03 (rad, or lengths over Problem::moment_length()) at first; it is halved, down to 0.004, where the
/// outermost pair contributes more than the rounding ε|v|²/σ³ of the innermost.
///
/// A state is close if its σ is below a tenth of σ at both ends, x = ±5Δ, and no larger than at x = ±Δ. Where σ is small on all sides
/// (rows that almost follow from others), nothing is interpolated. Where rank is lost and not regained at both ends, or at rest, the
/// motion is not determined; of a run that starts in a singular posture, which is told, this is not said again.
///
/// The rows of an overconstrained loop (Bennett's, Bricard's) depend on each other on the constraints only: off by δ, as the stages of a step
/// are, a row that follows from others has a pivot of the size of δ, and its multiplier is arbitrary. So the rank of the start is the largest
/// that factors have in a run, unless the start is singular, until constraints cannot be met with it.
///
/// Meanwhile projections leave the weak rows alone; they are met again beyond.
///
/// One for each run and thread. Problems that are given by their matrices are not looked at.
class SingularPassage {
 public:
  SingularPassage(const Problem& problem, const Manifold& manifold, const RowStrength& strength);

  enum class Posture {
    regular,
    passed,       // close to a singular posture that the motion passes
    undetermined  // in one where it is not determined how the motion goes on
  };
  /// Of the state whose factors and rows `data` have. Where it is passed, the factors leave the weak rows alone from now on.
  Posture examine(Data& data) { return may_be_close(data) ? look_beside(data) : Posture::regular; }
  /// v̇, Qc and torques of motors of the posture that was just examined and is passed: into data.motion. False if they cannot be had.
  [[nodiscard]] bool interpolate(Data& data);

  /// From the next factors on, the rank of `data`, which are at the start and on the constraints, is not exceeded.
  void limit_rank(Data& data);
  /// It may be again.
  void free_rank(Data& data);
  bool limits_rank() const { return limits_rank_; }
  /// Whether constraints could not be met with the rank of the start.
  bool freed_rank() const { return freed_rank_; }

  /// Whether the smallest pivot of the factors is below 0.3 of the largest one that it was in the run. Never in one that
  /// starts singular: where it is so wherever it goes, all that is known of its rows is what stages are off by.
  bool is_near(const Data& data) const {
    return rows_ > 0 && !starts_singular_ && strength_.bound_of_parts(data.factors(), rows_) < 0.3 * largest_bound_;
  }

  /// Whether the posture that was last examined is passed: the weights of rows (RowSet::weight) are then zero on weak ones.
  bool passes() const { return passes_; }
  const VecX<>& weight_of_strong() const { return weight_of_strong_; }

 private:
  static constexpr int pairs = 5;
  bool may_be_close(const Data& data);
  Posture look_beside(Data& data);
  void place_beside(const Data& data, double ahead);
  bool close_beside(const Data& data, double ahead);
  bool solve_beside(const Data& data, double ahead);
  void leave_out_weak_rows(Data& data, double floor);

  const Manifold& manifold_;
  const RowStrength& strength_;
  const int rows_;    // that are held
  const bool moves_;  // whether constraints move with t
  Data side_;
  Projection projection_;
  State beside_;
  VecX<> step_, weight_of_strong_;
  VecX<> vdot_, Qc_, u_;   // sums of the interpolation,
  VecX<> vdot_by_fewer_;   // and by a pair less
  double speed_ = 0;       // |v|, 1/s
  double spacing_ = 0.03;  // Δ|v|
  int rank_ = -1;          // the largest that was met
  bool starts_singular_ = false;
  bool begins_ = false;  // whether the first posture is being examined
  bool limits_rank_ = false, freed_rank_ = false;
  double largest_bound_ = 0;  // of the smallest pivots that were met
  // the smallest part that was looked at and is not close to a passage: those that are not much smaller are not either
  double looked_at_ = std::numeric_limits<double>::infinity();
  bool passes_ = false;
};

}  // namespace trammel
