#pragma once

#include <optional>

#include "trammel/motion/data.h"

namespace trammel {

class SlidingFriction;

/// Tells what smoothed friction does otherwise than dry friction, in a run:
///
/// - What dry friction would hold creeps (working_force.h, passive_forces.h). A contact or a joint with the slip u does so where u is of the
///   order of the friction speed u₀ and friction alone keeps it from gathering speed: u̇ is little beside what it would be without friction,
///
///     |Δu| ≤ 0.05 h Δa,    Δa = û·J Δv̇,    Δv̇ = L⁻ᵀ(1 − Q₁Q₁ᵀ)L⁻¹ (−C_friction),
///
///   Δu its change over a step of h. The force that it takes to hold it is then that of the friction, less than the largest.
/// - Friction that leaves several motions (working_balance.h), of which the one is taken that continues the motion without friction.
class FrictionWatch {
 public:
  explicit FrictionWatch(const Problem& problem);

  /// Looks at a state that was solved: where a step ends.
  void watch(const Data& data);
  /// "'floor' is held by its friction from t = 0.002 s on, and creeps at 0.00146 m/s …", one for each.
  std::vector<std::string> warnings() const;

 private:
  // A constraint of problem.asked(), or a coordinate, that rubs.
  struct Rubbing {
    std::string name, unit;
    const SlidingFriction* law = nullptr;  // none of a joint
    int index;                             // of the constraint in problem.asked(), or of the velocity
    double friction_speed;
    double slip = 0, slip_before = 0;
    std::optional<double> creeps_since{};  // s
    double creeping = 0;                   // m/s or rad/s, at most
  };

  void find_creeping(double h);
  void find_other_motion(const Data& data);
  void solve_anew(const Data& data);
  VecX<> friction_of(const Rubbing& rubbing);

  std::vector<Rubbing> rubbing_;
  std::optional<Data> anew_;  // so that what the run computed stays as it is
  double time_before_ = 0;
  long steps_ = 0;
  bool looked_for_another_ = false;
  std::string several_;
};

}  // namespace trammel
