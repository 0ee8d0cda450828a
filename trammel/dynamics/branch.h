#pragma once

#include "trammel/dynamics/articulated_factor.h"
#include "trammel/math/lanes.h"
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

/// Right-hand sides that go along a branch side by side, and how some of them are read and written: of one state, four to a
/// register; of as many states as there are lanes, each is a register by itself.
template <class Scalar>
struct SideBySide {
  using Pack = Scalar;
  static constexpr int width = 1, most = 2;
  template <int some>
  static Pack load(const Scalar* p) {
    return *p;
  }
  template <int some>
  static void store(const Pack& pack, Scalar* p) {
    *p = pack;
  }
  template <int some>
  static Pack weights(const double* p) {
    return *p;
  }
};
template <>
struct SideBySide<double> {
  using Pack = Pack4;
  static constexpr int width = 4, most = 8;
  template <int some>
  static Pack load(const double* p) {
    return Pack4::first_at<some>(p);
  }
  template <int some>
  static void store(const Pack& pack, double* p) {
    pack.store_first<some>(p);
  }
  template <int some>
  static Pack weights(const double* p) {
    return load<some>(p);
  }
};

/// Room for what goes along a branch from run to run: six rows for each run.
template <class Scalar = double>
using PassedWrenches = Eigen::Matrix<Scalar, Eigen::Dynamic, SideBySide<Scalar>::most, Eigen::RowMajor>;

/// Y ← L⁻¹(Y + Jᵀ W diag(weight)) for all columns of Y at once, along one branch only. Rows 6·s … 6·s + 5 of W are the forces
/// [n; f] put on the s-th touched body, about its origin, one right-hand side to a column; more columns fill it up to whole
/// fours. Y holds before what acts on the velocities themselves. Rows of bodies outside the branch are neither read nor
/// written. `passed` is room for what goes from run to run. Instantiated for double and Lanes.
template <class Scalar>
void apply_L_inverse_to_wrenches(const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
                                 const Branch& branch, const RowMatrixOf<Scalar>& W, const double* weight,
                                 PassedWrenches<Scalar>& passed, Eigen::Ref<RowMatrixOf<Scalar>> Y);

}  // namespace trammel
