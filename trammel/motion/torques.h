#pragma once

#include "trammel/motion/bounded_effort.h"
#include "trammel/motion/tree_motion.h"

namespace trammel {

enum class TorqueStatus {
  realised,     // the motors give the motion that the control rows ask for
  limited,      // they would, but for their limits
  unreachable,  // they cannot: the control acts along directions that no motor moves
  no_motion     // the equation of motion itself has no answer here
};
std::string_view name_of(TorqueStatus status);

/// What the motors must give.
struct Torques {
  explicit Torques(const System& system);

  VecX<> u;                    // N·m or N, in the order of the system's actuators
  std::vector<bool> at_limit;  // of each actuator
  VecX<> shortfall;  // b − A v̇ of every control row, in their order: what the motors leave undone, m/s² or rad/s²
  TorqueStatus status = TorqueStatus::realised;
};

/// The room that torques need. Sized once; nothing allocates afterwards.
struct TorqueWorkspace {
  /// Throws Error unless the system has actuators and control rows.
  explicit TorqueWorkspace(const System& system);

  MotionWorkspace motion;
  Motion ideal;                      // with the control rows as constraints: the motion to be had
  MatX<> H, G;                       // H u = r; G = H W^{−1/2}
  VecX<> r, x, lower, upper, moved;  // x = W^{1/2}(u − preload)
  BoundedEffort effort;
};

/// The torques at the actuators under which the system moves as its control rows ask, its physical constraints holding
/// by themselves: inverse dynamics through constraints. S selects the driven velocities; with
/// Minv = L⁻ᵀ(1 − Q₁Q₁ᵀ)L⁻¹ of the physical rows,
///
///   H u = r,     H = A_s Minv S,     r = b_s − A_s a      (a: the motion without control and torques)
///
/// Of all u that do it, the one of least weighted effort Σ w (u − u⁰)² is taken, u⁰ the preload: more motors than freedoms
/// is no ambiguity. Limits bound each u. Where H u = r cannot be had, u comes as near to it as it can, and the status and
/// the shortfall say so. The force of a control row itself (the ledger's) acts on joints without motors, too: it is not
/// what a motor must give.
///
/// A prescribed motion of joints is control rows as well: one JointCoupling(q_i = d(t)) for each.
void solve_torques(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options,
                   const VecX<>& preload, TorqueWorkspace& work, Torques& out);

/// The same once, without preload.
[[nodiscard]] Torques solve_torques(const System& system, const VecX<>& q, const VecX<>& v, double t = 0,
                                    const MotionOptions& options = {});

/// One line: what the motors do not do and why, by name; empty where all is realised.
std::string shortfall_text(const System& system, const Torques& torques);

}  // namespace trammel
