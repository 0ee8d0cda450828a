#pragma once

#include "trammel/dynamics/articulated_factor.h"
#include "trammel/math/lanes.h"
#include "trammel/math/row_matrix.h"

namespace trammel {

/// The part of the tree that wrenches on some bodies act on: these bodies and all of their ancestors. A column of L⁻¹Aᵀ is
/// zero outside the branch of its constraint, so that it takes one inward pass along the branch instead of the whole tree. The
/// branch is split into runs, chains without a fork: a run begins at a head, which is a body with a wrench on it or a driven
/// joint, or the first common ancestor of two of these, and goes inward up to the next head or the world.
///
///        world ── 0 ── 1 ── 2 ── 3 ── 4*         wrenches on bodies 4 and 6: heads 6, 4 and 2,
///                           └── 5 ── 6*          runs 6 5 │ 4 3 │ 2 1 0, of which the first two pass on to the third
struct Branch {
  struct Step {
    int body, v, nv;        // its velocities, in the order of v
    int row;                // of the first of these in Y; as in v, unless renumbered
    bool turning, sliding;  // whether its joint only rotates, or only translates
  };
  struct Run {
    int begin, end;  // of its steps, the head first
    int next;        // the run of the parent of its last body; −1 for the world
    int touched;     // index of its head among the bodies with a wrench; −1 if it has none
    bool receives;   // whether other runs pass on to it
    bool first;      // whether it is the first to pass on to the next
  };

  /// Of bodies, each once, with a wrench on them (the world may be among them), and of others whose joints are driven.
  Branch(const Model& model, std::span<const int> touched, std::span<const int> driven = {});

  std::vector<Step> steps;  // run after run
  std::vector<Run> runs;    // each before the one that it passes on to
};

/// How columns of a right-hand side are held in registers: those of a single state four to a Pack4, those of Lanes one by one, as
/// each is a register already. `most` columns are taken at a time.
template <class Scalar>
struct ColumnPack {
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
struct ColumnPack<double> {
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

/// Workspace for the wrenches that a run receives from others: six rows for each run.
template <class Scalar = double>
using PassedWrenches = Eigen::Matrix<Scalar, Eigen::Dynamic, ColumnPack<Scalar>::most, Eigen::RowMajor>;

/// Y ← L⁻¹(Y + Jᵀ W diag(weight)) for all columns of Y at once, along one branch only. Rows 6·s … 6·s + 5 of W are the forces
/// [n; f] on the s-th touched body, about its origin, one right-hand side to a column; W is padded to whole packs of columns. Y
/// holds before the generalised forces that act on the velocities directly. Rows of bodies outside the branch are neither read nor
/// written. Instantiated for double and Lanes.
template <class Scalar>
void apply_L_inverse_to_wrenches(const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
                                 const Branch& branch, const RowMatrixOf<Scalar>& W, const double* weight,
                                 PassedWrenches<Scalar>& passed, Eigen::Ref<RowMatrixOf<Scalar>> Y);

}  // namespace trammel
