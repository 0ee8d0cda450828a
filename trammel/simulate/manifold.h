#pragma once

#include <memory>
#include <vector>

#include "trammel/motion/problem.h"

namespace trammel {

/// Where the coordinates q of a system live. A Runge-Kutta step adds, and quaternions cannot be added; so a step from
/// q₀ is taken in s, a vector as long as v, with q = q₀ ⊕ s. That is an ordinary differential equation, and any
/// method keeps its order on it (Munthe-Kaas). What it needs to know of the coordinates:
class Manifold {
 public:
  virtual ~Manifold() = default;
  virtual int nq() const = 0;
  virtual int nv() const = 0;

  /// out = q ⊕ s. `out` has its size already.
  virtual void retract(const VecX<>& q, const VecX<>& s, VecX<>& out) const = 0;

  /// ṡ such that q₀ ⊕ s moves with `velocity`, for any q₀. False where s is beyond the reach of ⊕: a full turn.
  [[nodiscard]] virtual bool increment_rate(const VecX<>& s, const VecX<>& velocity, VecX<>& out) const = 0;

  /// The coordinate whose rate velocity i is, or −1 if it is none's: the ω of a quaternion.
  virtual int coordinate_of(int velocity) const = 0;

  /// What an error of s[i] is relative to: |q| of the coordinate, and 1 rad for quaternions.
  double size(const VecX<>& q, int velocity) const;
};

/// Coordinates that add: q̇ = v.
class VectorSpace final : public Manifold {
 public:
  explicit VectorSpace(int dimension) : dimension_(dimension) {}
  int nq() const override { return dimension_; }
  int nv() const override { return dimension_; }
  void retract(const VecX<>& q, const VecX<>& s, VecX<>& out) const override { out = q + s; }
  bool increment_rate(const VecX<>& s, const VecX<>& velocity, VecX<>& out) const override;
  int coordinate_of(int velocity) const override { return velocity; }

 private:
  int dimension_;
};

/// The configurations of a model, which must outlive this. Quaternions follow the rotation vector s, R = R₀ exp(s),
/// whose rate is that of rotation_vector_rate; all other joints add.
class ModelManifold final : public Manifold {
 public:
  explicit ModelManifold(const Model& model);
  int nq() const override { return model_.nq(); }
  int nv() const override { return model_.nv(); }
  void retract(const VecX<>& q, const VecX<>& s, VecX<>& out) const override;
  bool increment_rate(const VecX<>& s, const VecX<>& velocity, VecX<>& out) const override;
  int coordinate_of(int velocity) const override { return coordinate_of_[velocity]; }

 private:
  const Model& model_;
  std::vector<int> coordinate_of_;  // by velocity
  std::vector<int> quaternions_;    // where the ω of each begins among the velocities
};

/// Where the coordinates of a problem live. The problem must outlive it.
std::unique_ptr<Manifold> manifold_of(const Problem& problem);

}  // namespace trammel
