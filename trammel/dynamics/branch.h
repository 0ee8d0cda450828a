#pragma once

#include "trammel/dynamics/articulated_factor.h"
#include "trammel/math/row_matrix.h"

namespace trammel {

/// The bodies that feel a force on some given ones: these and all on their ways to the world. Ways come in runs: a run
/// begins at a body that is touched or driven or where runs meet, its head, and ends before the next head or the world.
struct Branch {
  struct Step {
    int body, v, nv;        // its velocities, in the order of v
    int row;                // where those begin in Y; as in v, unless renumbered
    bool turning, sliding;  // whether its joint only does that
  };
  struct Run {
    int begin, end;  // of its steps, the head first
    int next;        // the run that it goes into; −1 for the world
    int touched;     // its head, as given; −1 if no force is put on it
    bool receives;   // whether others go into it
    bool first;      // of those that go into the next
  };

  /// Of bodies, each once, that forces are put on (the world may be among them), and of others whose joints are driven.
  Branch(const Model& model, std::span<const int> touched, std::span<const int> driven = {});

  std::vector<Step> steps;  // run after run
  std::vector<Run> runs;    // each before the one that it goes into
};

/// Room for what goes along a branch from run to run, eight wrenches at once: six rows for each run.
using PassedWrenches = Eigen::Matrix<double, Eigen::Dynamic, 8, Eigen::RowMajor>;

/// Y ← L⁻¹(Y + Jᵀ W diag(weight)) for all columns of Y at once, along one branch only. Rows 6·s … 6·s + 5 of W are the forces
/// [n; f] put on the s-th touched body, about its origin, one right-hand side to a column; more columns fill it up to whole
/// fours. Y holds before what acts on the velocities themselves. Rows of bodies outside the branch are neither read nor
/// written. `passed` is room for what goes from run to run.
void apply_L_inverse_to_wrenches(const Positions<>& where, const ArticulatedFactor<>& factor, const Branch& branch,
                                 const RowMatX& W, const double* weight, PassedWrenches& passed, Eigen::Ref<RowMatX> Y);

}  // namespace trammel
