#pragma once

#include "trammel/model/model.h"

namespace trammel {

/// Robot files have inertias that no body has, although a physical robot is meant. What is judged is a body: links joined by fixed joints
/// together, and only where it moves. Links that are not `lenient` (of a strict reader, of a scenario's own bodies) must be possible bodies
/// each by itself, but for what is_physical rounds.
///
///   a moment that is negative by rounding     counts as zero
///   a moment above the sum of the others,
///   an inertia without mass                   warned of: M = Σ JᵀIJ stays positive semidefinite in every posture, since I is
///   a moment that is clearly negative         warned of where M is positive definite: at 100 seeded postures here; a run looks again at
///                                             every state, and ends where it is not. Else refused by name
///   a joint that moves no mass, M_ii = 0      warned of, unless no joint of the robot moves any
///
/// Inertias are used as the file gives them.

/// Where a link is: on which body, and its frame there.
struct Seat {
  int body = world;
  Pose<> X_BL;
};

/// Throws Error at links that are not lenient and no body can be. Returns warnings, one of each kind. `seats`: of each link, in the order of
/// the description.
std::vector<Warning> judge_inertias(const RobotDescription& robot, const std::vector<Seat>& seats);

/// Throws Error where a moment is clearly negative and M is not positive definite.
void check_definite(const RobotDescription& robot, const std::vector<Seat>& seats, const Model& model);

}  // namespace trammel
