#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "trammel/math/lanes.h"
#include "trammel/math/row_matrix.h"
#include "trammel/motion/column_groups.h"
#include "trammel/motion/pivot_thresholds.h"
#include "trammel/motion/reflector.h"

namespace trammel {

/// The column permutation and the sparsity of the reflectors of a factorisation, in the group's own numbering: with these,
/// another matrix of the same pattern is factorised without pivoting (lane_qr.h).
struct Elimination {
  struct Range {
    int begin, end;  // rows of a block
  };
  struct Step {
    int row;                    // pivot row of the reflector
    std::vector<Range> others;  // its other rows that may differ from zero
  };
  struct Layer {
    int begin, end;           // positions of its columns in `order`: the kept ones first
    std::vector<Step> steps;  // one to each kept column
  };
  std::vector<int> order;  // order[position] = column
  std::array<Layer, 2> layers;
};

/// Sparse Householder QR with column pivoting of one group of columns (column_groups.h), in two layers (layered_qr.h):
///
///   x ← (1 − β w wᵀ) x,     w = c ± |c| e for the column c that is taken next,     e the unit vector of its pivot row
///
/// It finds which columns are independent, and then solves Rᵀζ = r, y = Q(ζ − Qᵀh) and R λ = Qᵀy. A reflector is zero outside
/// the blocks of rows where its column may differ from zero: it reads and writes these rows alone, and changes no column that is
/// zero there. Pivot rows come from the block that the fewest constraints share, and leave the matrix: such a block is soon
/// exhausted, and its fill-in goes with it.
///
/// Example: constraint a has two columns in rows 0 … 3 of Y, b one column in rows 2 … 8, c one in rows 9 and 10. c shares no row:
/// it is a group by itself. a and b share rows 2 and 3: one group, of three blocks, those of one footprint first.
///
///                                Y        after a₁     after a₂     after b
///                             a₁ a₂ b     a₁ a₂ b      a₁ a₂ b      a₁ a₂ b
///   block 0, of a:    row 0   x  x  ·     R  R  R      R  R  R      R  R  R      x  may differ from zero
///                     row 1   x  x  ·     ·  x  +      ·  R  R      ·  R  R      +  fill-in
///   block 1, of b:    row 4   ·  ·  x     ·  ·  x      ·  ·  x      ·  ·  R      R  row of R, in its pivot row
///                rows 5 – 8   ·  ·  x     ·  ·  x      ·  ·  x      ·  ·  ·
///   block 2, of both: 2, 3    x  x  x     ·  x  x      ·  ·  x      ·  ·  ·
///
/// The reflectors of a₁ and a₂ have 4 and 3 rows instead of 9 and 8: they neither read nor write rows 4 – 8, where a is zero. b is
/// filled in at row 1, which becomes the pivot row of a₂; block 0 is exhausted then, and the reflector of b has b's own rows only.
///
/// Rows of R are therefore not the first rows of Qᵀx, but its pivot rows. Columns are taken in the given order while the
/// remaining norm of the next is at least 0.1 of the largest and clear (pivot_thresholds.h), and it has no more blocks than the
/// one before; else the best is searched for. The symbolic analysis (the rows of each reflector) is kept from one factorisation
/// to the next, as long as columns of the same patterns are taken.
///
/// Vectors given and returned have the numbering of the whole matrix. Everything is sized once; nothing allocates afterwards.
class GroupQr {
 public:
  explicit GroupQr(ColumnGroup group);

  const ColumnGroup& group() const { return group_; }
  /// The columns in the group's own numbering, for the caller to fill; padding follows.
  RowMatX& columns() { return Y_; }
  /// Augments the matrix by the column h: the factorisation leaves Qᵀh there.
  void carry(const VecX<>& h);

  /// Starts a factorisation of the columns as filled; the first `physical` of the whole matrix are the first layer.
  void begin(int physical);
  /// The largest norm of a layer's columns before the factorisation.
  double largest(int layer) const { return std::sqrt(layers_[layer].largest2); }
  /// Takes columns of a layer as long as one is independent of those before.
  void factorize(int layer, const PivotThresholds<>& thresholds);
  /// From the next factorisation on, the physical layer takes no more columns than this.
  void limit_rank(int most) { most_ = most; }
  /// From now on ζ = 0 of a kept column, where h = 0; a dropped one agrees.
  void disregard(int column);
  /// The permutation and the sparsity of the reflectors.
  Elimination elimination() const;

  /// Sets r, and g = Qᵀh for h = 0, for this h, or for the h that was carried.
  void load(const VecX<>& r);
  void load(const VecX<>& r, const VecX<>& h);
  void load_carried(const VecX<>& r);
  /// Forward substitution: Rᵀζ = r over the kept columns of a layer.
  void substitute(int layer);
  /// ζ = g on the rows of a layer: its columns add nothing to y.
  void omit(int layer);
  /// The largest size of terms of a kept column; before check_dropped().
  double size_of_kept(int layer);
  /// Whether the dropped columns of a layer agree to `consistency` times the size of their terms, `size` at least. If not, ζ
  /// becomes the least-squares solution, with errors weighted by `importance` (empty: all alike).
  bool check_dropped(int layer, double consistency, double size, const VecX<>& importance);
  /// Writes the group's part of y = Q(ζ − g).
  void solution(VecX<>& y);
  /// The same of the physical layer alone.
  void physical_part(VecX<>& y);
  /// Its squared norm.
  double square_of_solution() const;
  /// Writes the group's part of λ, Y λ = y; zero on dropped columns.
  void multipliers(VecX<>& lambda);

  /// x ← Qᵀx on the group's rows, of the four columns x of a matrix from `first` on.
  void rotate(RowMatX& x, int first);

  // Of single columns, by their number in the group:

  bool kept(int column) const;
  /// Of a dropped one: what the last check_dropped() of its layer found.
  bool agrees(int column) const { return agrees_[position_[column]] != 0; }
  double norm(int column) const;
  /// |R_kk|.
  double pivot(int column) const;
  /// Its entries of R in the control layer times those of a vector Qᵀx of the whole matrix, whose entries are `stride` apart; or times those
  /// of Qᵀy, of the last solution y.
  double control_change(int column, const double* rotated, int stride) const;
  double control_change_of_solution(int column) const;
  /// As before the factorisation, from Q and R: writes the group's part.
  void column(int column, VecX<>& out);
  /// Writes the coefficients of the kept columns (those taken before it, if it is kept) whose linear combination is nearest to it.
  void dependence(int column, VecX<>& coefficients);

  /// The smallest |R_kk| times the entry of `per` of its column, over all kept columns or those of the physical layer.
  double smallest_part(const VecX<>& per, bool physical_alone) const;

  int rank() const { return layers_[0].rank + layers_[1].rank; }
  int rank(int layer) const { return layers_[layer].rank; }
  bool drops(int layer) const { return layers_[layer].rank < layers_[layer].end - layers_[layer].begin; }
  /// The smallest pivot of a layer; infinite where it kept none.
  double smallest(int layer) const { return layers_[layer].smallest; }

 private:
  struct Layer {
    int begin = 0, end = 0;   // positions of its columns
    int first = 0, rank = 0;  // its rows of R
    double smallest = 0;      // pivot
    double largest2 = 0;      // largest squared norm of its columns, before
  };
  using Blocks = std::uint64_t;
  using Range = Elimination::Range;
  // Symbolic analysis of a reflector: it follows from the initial patterns of the columns taken so far.
  struct Step {
    Blocks first;        // pattern of its column before the factorisation,
    Blocks blocks;       // and when it is taken, with fill-in
    int row;             // pivot row: the row of Qᵀx that this row of R belongs to
    int others;          // number of its other rows,
    std::size_t ranges;  // and of the ranges of these
    int count;           // of the blocks
  };

  int position_of(int k) const { return k < layers_[0].rank ? k : layers_[1].begin + k - layers_[1].first; }
  int rows_of_R(int p) const;
  std::span<const Range> ranges(int k) const { return {&ranges_[k * group_.blocks.size()], steps_[k].ranges}; }
  bool is_analysed(int k, int p) const { return k < analysed_ && steps_[k].first == group_.patterns[order_[p]]; }
  void analyse_step(int k, int p);
  void update_patterns(int k);
  void measure_remaining(int begin);
  double largest_left2(int begin, int end, const PivotThresholds<>& thresholds);
  int choose_column(const Layer& layer, int begin, const PivotThresholds<>& thresholds, int blocks_before,
                    double largest2) const;
  double copy_column(int k, int p);
  Reflector<> make_reflector(int k, double norm2);
  void move_column(int k, int q, int p);
  template <int packs>
  void reflect_columns(int k, const Reflector<>& reflector, int first);
  void eliminate(int k, const Reflector<>& reflector, int begin);
  template <class Visit>
  void for_packs(int k, Visit visit) const;
  void reflect(int k, double* x) const;
  void rotate_back(int rank, VecX<>& out);
  void least_squares(const Layer& layer, const VecX<>& importance);
  void back_substitute(int rows, VecX<>& out);
  void order_rows(const VecX<>& r);
  void gather(const VecX<>& from, VecX<>& to) const;
  void scatter(const VecX<>& from, VecX<>& to) const;

  // Columns are permuted as they are taken: the kept ones of a layer come first, in the order of the rows of R.
  ColumnGroup group_;
  int n_, m_;
  int fewest_blocks_;                           // of any column, before the factorisation
  int most_ = std::numeric_limits<int>::max();  // columns that the physical layer takes
  Layer layers_[2];
  RowMatX Y_;                             // the remaining columns, and h behind them
  RowMatX R_;                             // row k is that of the k-th kept column
  MatX<> W_;                              // column k is w of the k-th reflector
  std::vector<int> order_, position_;     // order_[position] = column; position_[column] = position
  std::vector<Step> steps_;               // one to each row of R
  std::vector<Range> ranges_;             // of each step, without the pivot row; room for all blocks
  int analysed_ = 0;                      // steps whose analysis holds if columns of the same pattern are taken again
  int patterns_after_ = 0;                // steps that next_row_ and pattern_ include
  std::vector<int> next_row_;             // of each block: its first row that is no pivot row
  std::vector<Blocks> pattern_;           // of the column at each position, without exhausted blocks
  std::vector<char> negligible_;          // whether the remaining column at each position is rounding
  std::vector<char> agrees_;              // whether the dropped column at each position agrees with the kept ones
  std::vector<char> disregarded_;         // whether it need not
  VecX<> beta_, inverse_length_;          // of each reflector
  VecX<> norm2_, initial_norm2_;          // of the column at each position: remaining when last measured, and before
  VecX<> r_, g_, zeta_;                   // by position; Qᵀh where R has rows; ζ
  VecX<> rotated_, solved_, rest_, rhs_;  // scratch
  VecX<> terms_;                          // sizes of the terms of the dropped column at each position
  RowMatX rotated4_;                      // scratch: four vectors
  MatX<> G_;                              // scratch of the least squares
};

}  // namespace trammel
