#pragma once

#include "trammel/dynamics/articulated_factor.h"
#include "trammel/math/row_matrix.h"

namespace trammel {

/// The bodies that feel a force on some given ones: these and all on their ways to the world. Ways come in runs: a run
/// begins at a body that is touched or where runs meet, its head, and ends before the next head or the world.
struct Branch {
  struct Step {
    int body, v, nv;  // its velocities, in the order of v
    int row;          // where those begin in Y; as in v, unless renumbered
    bool turning;     // all of its joint's columns are turns: no linear part
  };
  struct Run {
    int begin, end;  // of its steps, the head first
    int next;        // the run that it goes into; −1 for the world
  };

  Branch(const Model& model, std::span<const int> touched);  // bodies; the world may be among them

  std::vector<Step> steps;  // run after run
  std::vector<Run> runs;    // each before the one that it goes into
  std::vector<int> slots;   // of each touched body: the run whose head it is; −1 for the world
};

/// Y ← L⁻¹(Y + Jᵀ W) for all columns of Y at once, along one branch only. Rows 6·s … 6·s + 5 of W are the forces [n; f] put on
/// the head of run s, about its origin, one right-hand side to a column; columns of zeros fill it up to whole fours. Y holds
/// before what acts on the velocities themselves. Rows of bodies outside the branch are neither read nor written. W is used up.
void apply_L_inverse_to_wrenches(const Positions<>& where, const ArticulatedFactor<>& factor, const Branch& branch,
                                 Eigen::Ref<RowMatX> W, Eigen::Ref<RowMatX> Y);

}  // namespace trammel
