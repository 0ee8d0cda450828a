#pragma once

#include "trammel/motion/data.h"

/// Forces body by body, as a second opinion on reactions and on the split of forces that are not unique: nothing here passes a force along
/// the tree.
namespace trammel::test {

/// What each body needs to move with v̇, its weight taken off, [n; f] about its origin along the world's axes: the rates of its momenta,
/// from the second rates (by jets) of its place.
std::vector<Vec6<>> needed_forces(const Model& model, const VecX<>& q, const VecX<>& v, const VecX<>& vdot);

/// How far Newton's law is from closing for some body, over the largest of all forces and moments (by ℓ) in play: at the motion that was
/// just solved, with the reactions in the joints, what acts along their freedoms, forces, constraints and their friction.
double newton_residual(Data& data);

/// Every joint and every constraint as unit wrenches on bodies that are otherwise free. A vector x of these is a set of reactions and
/// multipliers; those with balance · x = 0 load nothing but each other. Moments are over ℓ throughout.
struct ForcesOnFreeBodies {
  explicit ForcesOnFreeBodies(const Data& data);

  MatX<> balance;    // six rows to a body: the sum of the wrenches on it
  MatX<> in_joints;  // six rows to a joint: [n; f] of its guides about the origin of its body
  MatX<>
      in_constraints;  // all wrenches and forces on velocities of each constraint of data.problem.asked(), from row first[i] on
  std::vector<int> first;
  MatX<>
      at_points;  // those of which the least sum of squares is taken: of guides, and of constraints about their points
  MatX<> lambda;  // multipliers

  VecX<> singular_values;  // of balance, over the largest, descending; as many as it has columns
  MatX<> right_vectors;    // one to each

  /// Null vectors of balance, one to a column, orthonormal: those whose singular values are up to `zero`.
  MatX<> null_vectors(double zero = 1e-11) const;
};

/// at_points of the forces that the data give: λ and reactions after held_multipliers() and joint_reactions().
VecX<> forces_at_points(Data& data);

}  // namespace trammel::test
