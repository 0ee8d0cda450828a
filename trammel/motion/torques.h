#pragma once

#include "trammel/motion/tree_motion.h"

namespace trammel {

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
///
/// Of a driven problem; into data.motors->torques. The preload is data.motors->preload.
void solve_torques(const VecX<>& q, const VecX<>& v, double t, Data& data);

/// The same once, without preload. Throws Error unless the system has actuators and control rows.
[[nodiscard]] Torques solve_torques(const System& system, const VecX<>& q, const VecX<>& v, double t = 0,
                                    const MotionOptions& options = {});

/// Throws Error unless the problem is driven.
void require_motors(const Problem& problem);

/// The motion of a driven problem: the torques of solve_torques act, and the rows that are held hold. Kinematics, the factor of M and
/// the rows are shared with the motors. `out` has the rows of problem.held().
void solve_driven(const VecX<>& q, const VecX<>& v, double t, Data& data, Motion& out);
/// The same at the placed state, with the factors of factorize_motion at one nearby.
void solve_driven_factorized(Data& data, Motion& out);

/// One line: what the motors do not do and why, by name; empty where all is realised.
std::string shortfall_text(const Problem& problem, const Torques& torques);

}  // namespace trammel
