#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "trammel/system/system.h"

namespace trammel {

/// A system by its matrices, the papers' general form without a tree:
///
///   M(q, t) q̈ = Q(q, q̇, t) + Qc        φ(q, t) = 0,   ψ(q, q̇, t) = 0
///
/// The constraints are C++ functions on jets, so that A and b come out exactly. M may be singular where the constraints
/// make up for it.
struct MatrixSystem {
  using Mass = std::function<void(const VecX<>& q, double t, MatX<>& M)>;
  using Forces = std::function<void(const VecX<>& q, const VecX<>& v, double t, VecX<>& Q)>;
  /// Writes the errors of the rows; a law at position level does not look at v.
  using Law = std::function<void(const VecX<Jet>& q, const VecX<Jet>& v, const Jet& t, Eigen::Ref<VecX<Jet>> errors)>;

  struct Constraint {
    std::string name;
    int rows = 1;
    Level level = Level::position;
    Law law;
    Layer layer = Layer::physical;
  };

  std::vector<std::string> coordinates;  // names; as many as there are coordinates
  Mass mass;
  Forces forces;
  std::vector<Constraint> constraints;

  int size() const { return static_cast<int>(coordinates.size()); }
  int rows() const;
};

/// All rows of a MatrixSystem at one state, physical ones first.
struct MatrixRows {
  explicit MatrixRows(const MatrixSystem& system);

  VecX<> phi;   // φ; zero for rows at velocity level
  VecX<> rate;  // φ̇ or ψ
  VecX<> b;
  MatX<> A;
  int physical = 0;  // rows of the first layer
};

/// With q moving at v and v̇ = 0 the jets of a law are (φ, φ̇, −b), or (ψ, −b); with coordinate k alone moving (or velocity k,
/// at velocity level) its rate is column k of A.
void evaluate_rows(const MatrixSystem& system, const VecX<>& q, const VecX<>& v, double t, MatrixRows& out);

}  // namespace trammel
