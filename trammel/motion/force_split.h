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
/// joint counts as much as the constraint that stands in its place. (A joint that slides counts about the origin of its outer body, so that it
/// matters which of its sides that is.) Rows that act on velocities count by the forces there.
///
/// Compliances C of constraints (m/N, rad/(N·m)) come first: min ½ λᵀCλ is how slightly elastic parts share a force, the limit of stiff
/// springs. What they leave open is least as above; where even that leaves something open, no force depends on it, and |λ| is least.
/// Friction is a load like others: of the forces that it has itself, the least is taken.
///
/// Splits stay within a layer: physical rows share among physical rows, control rows among control rows.
///
/// The columns of N come from the factors of the rows. Gram and Schmidt make them orthonormal, with pivoting, in each of these measures in
/// turn: first those that strain something elastic, by √C λ; then those that load something, by forces and moments/ℓ; then the rest. The least
/// is then one scalar product for each.
///
/// The force of a constraint is unique if N puts no wrench on its bodies; the reaction in a joint if N puts none on its guides.
class ForceSplit {
 public:
  explicit ForceSplit(const Problem& problem);

  /// N for the rows of a set, at the state of the factors, and what it does. Next to nothing where no row follows from others; allocates
  /// where more rows follow from others than ever before.
  void factorize(Data& data, const RowSet& set);
  /// Whether some rows follow from others.
  bool redundant() const { return count_ > 0; }

  /// λ ← the least of λ + N z; the reactions, given for the old λ, become those of the new one.
  void apply(const Data& data, const RowSet& set, std::span<Vec6<>> reactions, Eigen::Ref<VecX<>> lambda);

  /// Of constraint i of the set, and of the joint of a body.
  Uniqueness of_constraint(int i) const { return verdict(i); }
  Uniqueness of_joint(int body) const { return verdict(constraints_ + body); }

  /// Where a dependence runs through rows that are elastic (at position level) and rows that slip (at velocity level): their names. Their
  /// compliances have no common limit.
  std::vector<std::string> elastic_and_slipping(const Problem& problem) const;

 private:
  void find_null_vectors(Data& data, const RowSet& set);
  void find_effects(const Data& data, const RowSet& set);
  void find_squares_of_rows(const Data& data, const RowSet& set);
  void load_bodies(const Data& data, const RowSet& set, int k);
  void load_joints(const Data& data, int k);
  void note_effect(const Data& data, const RowSet& set, const Eigen::Ref<const VecX<>>& lambda,
                   std::span<const Vec6<>> reactions, Eigen::Ref<VecX<>> out) const;
  template <class Part>
  int make_orthonormal(int first, double floor, const Part& part);
  Uniqueness verdict(int of) const;
  // |f|² + |n|²/ℓ²
  double square_of(const Vec6<>& wrench) const {
    return wrench.head<3>().squaredNorm() * per_length_ * per_length_ + wrench.tail<3>().squaredNorm();
  }
  auto null_vector(int k) { return columns_.col(k).head(rows_); }
  auto null_vector(int k) const { return columns_.col(k).head(rows_); }
  auto effect(int k) { return columns_.col(k).tail(effect_.size()); }
  auto effect(int k) const { return columns_.col(k).tail(effect_.size()); }

  double length_, per_length_;  // ℓ, 1/ℓ
  int rows_, constraints_;      // of all that are asked for
  VecX<> weight_;  // by which the force on each velocity is multiplied, to be compared with others: 1, or 1/ℓ
  VecX<> root_compliance_;         // √C of each row; empty where all are rigid
  VecX<> square_of_row_;           // of the wrenches and forces of each row at unit multiplier
  int count_ = 0;                  // of null vectors,
  int elastic_ = 0, loading_ = 0;  // of which the first strain something elastic, and the next ones load something
  double blur_ = 0;                // what the smallest pivot makes of rounding in them
  MatX<> columns_;  // a null vector to each, with its effect below: forces and moments/ℓ in the order of note_effect()
  MatX<>
      loads_;  // squares of what each, before they were made orthonormal, puts on constraints and on the guides of joints
  VecX<> unbalanced_;  // the largest generalised force that it leaves, over the forces in play: zero but for rounding
  VecX<> effect_, coefficients_, squares_, Q_;
  std::vector<Vec6<>> passed_;
};

}  // namespace trammel
