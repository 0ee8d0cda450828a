#pragma once

#include "trammel/simulate/mechanics.h"

namespace trammel {

/// Brings states back onto the constraints by least steps in the metric of M, with the factors at hand wherever these
/// are near enough.
class Projection {
 public:
  explicit Projection(Mechanics& mechanics);

  /// q ← q ⊕ s until |φ| is rounding: s = −(the least step for φ), with the factors of the last factorize(), which may
  /// be those of a state nearby; refactors where they do not bring φ down tenfold. False if φ does not come down to
  /// `enough` (m).
  [[nodiscard]] bool onto_positions(State& at, double enough = 1e-9);

  /// The same at the end of a step, with the factors of the place itself afterwards. These look at φ anyway: where the way
  /// is so short that one least step should do, nobody looks before. False if it fails, or if M is singular there.
  [[nodiscard]] bool onto_positions_and_factorize(State& at);

  /// v ← v − (the least step for φ̇ or ψ). The factors must be those of `at`; the rows are those of the new v afterwards.
  /// Once is enough where rows are linear in v; else Newton's method, each time with new factors. False if it fails.
  [[nodiscard]] bool onto_velocities(State& at);

 private:
  void step_back(State& at);  // by errors_

  Mechanics& mechanics_;
  VecX<> errors_, step_, moved_;
};

/// The largest of the weighted entries.
double largest_error(const VecX<>& errors, const VecX<>& weight);

}  // namespace trammel
