#pragma once

#include <array>

#include "trammel/motion/problem.h"
#include "trammel/motion/state.h"
#include "trammel/simulate/step_control.h"

namespace trammel {

/// The sizes of a mechanism's places and speeds, beside which errors are small or not, so that a nanometre and a gigametre are solved to the
/// same digits as a metre. With L a length of the mechanism, T the duration of the run and 1 rad in place of L for angles,
///
///   places   L = max(longest way on a body: to a joint, a frame, the mass centre; its radius of gyration; |q| of sliding joints so far)
///   speeds   u = ¼ max(L/T, |v|, √(L |v̇|))                over all velocities of a kind, now
///
/// Where nothing has a length, at the start, L is at least a tenth of |v| T + ½ |v̇| T², as far as it would come from there. The quarter makes
/// u about 1 m/s and 1 rad/s for a robot of half a metre that its weight moves. u is the speed itself where it is large and what the
/// accelerations make of a length where things turn round. A velocity that is off by part of L/T for the whole run moves a place by that
/// part of L. Kinds are angles, sliding joints, and the translations of floating bodies,
/// which may be fast beside what happens in the mechanism. Of a problem that is given by its matrices nothing is known: all sizes are 1.
class StateSizes {
 public:
  StateSizes(const Problem& problem, double duration);

  /// At a state that was solved.
  void see(const State& at, const VecX<>& vdot);
  /// What it says of length() alone.
  void see_places(const State& at);
  const ComponentSizes& sizes() const { return sizes_; }

  /// The largest entry of a velocity, turns and lengths over ℓ (m) alike, 1/s: of a tree. For every step.
  double largest_rate(const VecX<>& v, double length) const;

  /// Of the mechanism, m; zero where nothing in it has a length yet.
  double length() const;

  /// What lengths are compared with at the start of a run, at least (Data::least_extent): the length of the mechanism, unless it has none
  /// but what roundings of an assembly may be.
  static double least_extent(const Problem& problem, const State& start);

 private:
  enum class Kind : std::uint8_t { angle, sliding, floating };
  struct Component {
    Kind kind;
    int coordinate;  // −1 where none is meant: of the ω of a quaternion
  };

  std::vector<Component> components_;  // by velocity; none where sizes stay 1
  std::vector<int> sliding_;           // coordinates
  double duration_, of_bodies_ = 0, slid_ = 0;
  std::array<double, 3> way_{};  // by kind, m: as far as it would come, where nothing has a length
  ComponentSizes sizes_;
};

/// The same of a velocity or an acceleration, 1/s or 1/s², with Problem::moment_length() for ℓ.
double largest_rate(const Problem& problem, const VecX<>& v);

}  // namespace trammel
