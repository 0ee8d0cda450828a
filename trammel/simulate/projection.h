#pragma once

#include <cstdint>

#include "trammel/motion/stages.h"
#include "trammel/simulate/manifold.h"

namespace trammel {

/// Brings states back onto the constraints by least steps in the metric of M, with the factors at hand wherever these
/// are near enough.
class Projection {
 public:
  Projection(Data& data, const Manifold& manifold);

  /// How far a state is from the constraints.
  enum class Way : std::uint8_t {
    none,   // they hold to rounding
    least,  // least steps with the factors of a state nearby lead there
    far     // these factors do not
  };
  /// Takes least steps from `at`, where the rows were just evaluated: of places and speeds at once, until places hold and one of
  /// the speeds should do. Nothing moves if they do not lead there.
  Way take_least_steps(State& at);
  /// Whether they have led there, when the rows have been evaluated once more.
  bool holds(const State& at) const;

  /// Places first, then speeds, until the constraints hold; the factors and rows are those of the new place and speeds
  /// afterwards. False if they do not come to hold, or if M is singular there.
  [[nodiscard]] bool onto_constraints(State& at);

 private:
  // The largest error of a row, m and m/s.
  struct Errors {
    double places = 0, speeds = 0;
  };
  Errors errors() const;                // as the rows were last evaluated
  Errors rounding(const State&) const;  // which does not go away

  // q ← q ⊕ s until |φ| is rounding; refactors where the factors at hand do not bring φ down tenfold.
  bool onto_positions(State& at);
  // v ← v + s with the factors of `at`. Once is enough where rows are linear in v; else Newton's method.
  bool onto_velocities(State& at);
  void correct_places(State& at);  // q ← q ⊕ s, s = −(the least step for φ)
  void correct_speeds(State& at);  // v ← v + s, s = −(the least step for φ̇ or ψ)

  Data& data_;
  const Manifold& manifold_;
  const RowSet& held_;
  VecX<> change_, step_, moved_;
  State start_;
  Errors before_;  // the last step
};

/// The largest of the weighted entries.
double largest_error(const Eigen::Ref<const VecX<>>& errors, const VecX<>& weight);

}  // namespace trammel
