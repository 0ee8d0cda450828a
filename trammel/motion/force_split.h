#pragma once

#include "trammel/motion/reactions.h"
#include "trammel/motion/uniqueness.h"

namespace trammel {

/// The forces of redundant rows. Where rows follow from others, Aᵀλ = Qc leaves λ + N z open, N = null(Aᵀ): the motion does not tell how
/// the constraints and the joints of their loops share a force. Of all these λ the least is taken,
///
///   min over z   Σᵢ |fᵢ|² + |nᵢ|²/ℓ²  +  Σⱼ |fⱼ|² + |nⱼ|²/ℓ²        of constraints i about their points, and of the guides of joints j
///
/// with ℓ = Problem::moment_length(). It depends neither on the axes of the world nor on units, nor on which joint of a loop was cut: a
/// joint counts as much as the constraint that stands in its place. Rows that act on velocities count by the forces there.
///
/// Compliances C of constraints (m/N, rad/(N·m)) come first: min ½ λᵀCλ is how slightly elastic parts share a force, the limit of stiff
/// springs. What they leave open is least as above; where even that leaves something open, no force depends on it, and |λ| is least.
///
/// Splits stay within a layer: physical rows share among physical rows, control rows among control rows.
///
/// The force of a constraint is unique if N puts no wrench on its bodies; the reaction in a joint if N puts none on its guides.
class ForceSplit {
 public:
  explicit ForceSplit(const Problem& problem);

  /// N for the rows of a set, at the state of the factors, and what it does. Next to nothing where no row follows from others.
  void factorize(Data& data, const RowSet& set);
  /// Whether some rows follow from others.
  bool redundant() const { return N_.cols() > 0; }

  /// λ ← the least of λ + N z; the reactions, given for the old λ, become those of the new one.
  void apply(const Data& data, const RowSet& set, std::span<Vec6<>> reactions, Eigen::Ref<VecX<>> lambda);

  /// Of constraint i of the set, and of the joint of a body.
  Uniqueness of_constraint(int i) const { return redundant() ? constraints_[i] : Uniqueness::unique; }
  Uniqueness of_joint(int body) const { return redundant() ? joints_[body] : Uniqueness::unique; }

  /// Where a dependence runs through rows that are elastic (at position level) and rows that slip (at velocity level): their names. Their
  /// compliances have no common limit.
  std::vector<std::string> elastic_and_slipping(const Problem& problem) const;

 private:
  void find_null_vectors(Data& data, const RowSet& set);
  void find_effects(const Data& data, const RowSet& set);
  void judge(const Data& data, const RowSet& set);
  void note_effect(const Data& data, const RowSet& set, const Eigen::Ref<const VecX<>>& lambda,
                   std::span<const Vec6<>> reactions, Eigen::Ref<VecX<>> out) const;
  VecX<> best_combination(const VecX<>& lambda) const;

  double per_length_;       // 1/ℓ
  VecX<> root_compliance_;  // √C of each row; empty where all are rigid
  MatX<> N_;                // a null vector to each column
  MatX<> effects_;          // of each null vector: forces, and moments over ℓ, in the order of note_effect()
  VecX<> unbalanced_;       // of each null vector: the largest generalised force that it leaves, zero but for rounding
  VecX<> effect_, gradient_, z_;
  MatX<> L_;                  // L Lᵀ = effects_ᵀ effects_
  bool is_definite_ = false;  // whether every null vector has an effect of its own, and nothing is elastic
  std::vector<Uniqueness> constraints_, joints_;
  std::vector<Vec6<>> passed_;
  MatX<> in_joints_;  // of each null vector, the reactions: [n; f] of one joint under those of the other
};

}  // namespace trammel
