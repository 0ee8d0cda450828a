#pragma once

#include <cstdint>

#include "trammel/motion/stages.h"
#include "trammel/simulate/manifold.h"

namespace trammel {

class SingularPassage;

/// Projects states onto the constraints by Newton's method, with steps that are least in the metric of M. Factors of a nearby
/// state are reused (simplified Newton) as long as they converge. Close to singular postures, weak rows are left as they are: the least step
/// for them is rounding over their pivot, and may lead to another branch.
class Projection {
 public:
  /// `passage` tells the weak rows; null where there are none.
  Projection(Data& data, const Manifold& manifold, SingularPassage* passage = nullptr);

  /// What correct() found.
  enum class Correction : std::uint8_t {
    not_needed,  // the constraints hold to rounding
    converged,   // steps with the factors at hand meet them
    diverged     // they do not: new factors are needed
  };
  /// Corrects positions and velocities together, with the factors at hand, from `at`, where the rows were just evaluated. The
  /// last step of the velocities is not verified: holds() does that, at the next evaluation of the rows. `at` is unchanged where
  /// the steps diverge.
  Correction correct(State& at);
  /// Whether the constraints hold to rounding at `at`, where the rows were just evaluated.
  bool holds(const State& at) const;

  /// Positions first, then velocities, with new factors as needed, until the constraints hold; factors and rows are those of the
  /// new state afterwards. False if it does not converge, or if M is singular there.
  [[nodiscard]] bool onto_constraints(State& at);

 private:
  // The largest error of a row, m and m/s.
  struct Errors {
    double places = 0, speeds = 0;
  };
  bool hold(const Errors& now, const Errors& least) const;
  bool factorize_at(const State& at);   // and finds the weak rows
  Errors errors() const;                // as the rows were last evaluated, but for weak ones
  Errors rounding(const State&) const;  // which does not go away

  bool onto_places_and_speeds(State& at);
  // q ← q ⊕ s until |φ| is rounding; factorises anew where a step does not reduce |φ| tenfold.
  bool onto_positions(State& at);
  // v ← v + s with the factors of `at`: one step where rows are linear in v, else Newton's method.
  bool onto_velocities(State& at);
  void correct_places(State& at);  // q ← q ⊕ s, s = −(the least step for φ)
  void correct_speeds(State& at);  // v ← v + s, s = −(the least step for φ̇ or ψ)

  Data& data_;
  const Manifold& manifold_;
  SingularPassage* passage_;
  const RowSet& held_;
  VecX<> change_, step_, moved_;
  State start_;
  Errors before_;  // the last step
};

/// The largest of the weighted entries.
double largest_error(const Eigen::Ref<const VecX<>>& errors, const Eigen::Ref<const VecX<>>& weight);

}  // namespace trammel
