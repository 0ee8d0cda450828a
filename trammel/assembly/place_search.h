#pragma once

#include "trammel/assembly/least_move.h"
#include "trammel/system/misaligned.h"

namespace trammel {

/// φ of all rows at position level, each times its scales (Constraint::row_scale, NamedConstraint::scale), in the order of the system's
/// constraints; zero for the others. `where` is scratch.
VecX<> scaled_errors(const System& system, const VecX<>& q, double t, std::span<const double> inputs,
                     Positions<>& where);

/// From a place to one on the constraints, by damped least squares: steps of LeastMove with μ large while they do not reduce |φ| (they
/// then follow the gradient) and zero near the end, where they are Newton's. The metric is that of M, or that of far steps where Newton's
/// would turn something by more than half a radian. No step turns anything by more than a radian, unless it leaves next to nothing of |φ|: a
/// joint that an equation leads is as many turns away as it says.
///
/// Within limits: a joint that stands at one of its limits and would pass it is held for that step (an active set), and a step that
/// passes one ends there. A guess that is beyond a limit may stay there, and goes no further.
class PlaceSearch {
 public:
  PlaceSearch(const System& system, double t, double rank_tolerance);

  /// Which velocities move, and whether their joints keep within their limits, which are those of `guess` where it is beyond.
  void allow(std::vector<char> held, bool within_limits, const VecX<>& guess);

  /// Compares lengths with the size of the mechanism at a guess, where that is less than a decimetre: rows in metres then count as if it
  /// were that large, beside those in radians.
  void measure(const VecX<>& guess);

  struct End {
    double error;  // |φ|, each row times its scales, m
    bool resting;  // no step reduces the error; otherwise the iterations ran out
    double size;   // what lengths are compared with there, m; both as if the mechanism had a decimetre at least
  };
  /// Moves q until the rows hold or no step reduces the error.
  End run(VecX<>& q);

  /// The end of a search that makes no step.
  End look(const VecX<>& q);
  std::optional<Misaligned> misaligned(const VecX<>& q);
  /// How many rows that move with the velocities that are not held are independent there.
  int rank(const VecX<>& q, const std::vector<char>& held);

  int iterations() const { return iterations_; }

 private:
  bool improve(VecX<>& q, double& mu);
  bool factorize(const VecX<>& q);
  bool factorize(const VecX<>& q, LeastMove::Metric metric);
  double largest_turn() const;
  bool hold_outward(const VecX<>& q);
  double error_at(const VecX<>& q);
  VecX<> kept_within(VecX<> q) const;

  // A coordinate that is a velocity's and has limits.
  struct Limited {
    int q, v;
    double lower, upper;
  };

  const System& system_;
  double t_;
  std::vector<double> inputs_;
  Positions<> where_;
  LeastMove least_;
  std::vector<int> turning_;  // velocities
  std::vector<char> held_, held_now_;
  std::vector<Limited> limits_;
  double largest_scale_ = 0;
  double enlarged_ = 1;  // how many times larger lengths count
  // Of each row: whether it is a length, as those of unknown unit are over their usual gradients; and what makes it one, besides its scales.
  std::vector<char> row_is_length_;
  VecX<> row_factor_;
  double error_ = 0, size_ = 0;  // of the search: |φ|, and what it is compared with, scaled alike
  VecX<> step_;
  int iterations_ = 0;
};

}  // namespace trammel
