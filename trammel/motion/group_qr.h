#pragma once

#include <array>
#include <cmath>
#include <span>

#include "trammel/math/lanes.h"
#include "trammel/math/row_matrix.h"
#include "trammel/motion/column_groups.h"
#include "trammel/motion/pivot_thresholds.h"
#include "trammel/motion/reflector.h"

namespace trammel {

/// The order in which a group's columns were taken, in its own numbering: what another factorisation can follow.
struct Elimination {
  struct Range {
    int begin, end;  // rows of a block
  };
  struct Step {
    int row;                    // that the reflector picks
    std::vector<Range> others;  // that it touches
  };
  struct Layer {
    int begin, end;           // where its columns stand in `order`: those that were kept first
    std::vector<Step> steps;  // one to each of these
  };
  std::vector<int> order;  // of the columns
  std::array<Layer, 2> layers;
};

/// Householder QR with column pivoting of one group of columns, in two layers (layered_qr.h says what for):
///
///   x ← (1 − β w wᵀ) x,     w = c ± |c| e for the column c that is taken next,     e the row that it picks (reflector.h)
///
/// Columns are zero outside the blocks that they touch. A reflector keeps to the blocks of its column, and sends it to a row
/// of the first of these, which the fewest others touch: blocks are used up, and do not spread. Rows of R are therefore not
/// the first rows of Qᵀx, but those that were picked. Columns are taken as they stand, as long as a tenth of the most that is
/// left of any is left of the next and it touches few blocks. Which rows a reflector touches is mostly known from the last time.
///
/// Vectors given and returned are numbered as the whole matrix is. Everything is sized once; nothing allocates afterwards.
class GroupQr {
 public:
  explicit GroupQr(ColumnGroup group);

  const ColumnGroup& group() const { return group_; }
  /// The columns in the group's own numbering, for the caller to fill; others stand behind them.
  RowMatX& columns() { return Y_; }
  /// Takes h along, as one more column.
  void carry(const VecX<>& h);

  /// Begins with columns as they were filled; `physical` of the whole matrix are the first layer.
  void begin(int physical);
  /// The norm of the largest column of a layer, as it was.
  double largest(int layer) const { return std::sqrt(layers_[layer].largest2); }
  /// Takes columns of a layer as long as one stands out.
  void factorize(int layer, const PivotThresholds<>& thresholds);
  /// How it went.
  Elimination elimination() const;

  /// Rᵀζ = r beside g = Qᵀh: takes r, and what it stands beside: nothing, h, or the h that was carried.
  void load(const VecX<>& r);
  void load(const VecX<>& r, const VecX<>& h);
  void load_carried(const VecX<>& r);
  /// ζ of the columns that a layer kept.
  void substitute(int layer);
  /// ζ as h alone has it: the columns of a layer add nothing.
  void leave(int layer);
  /// The largest of the terms of those.
  double size_of_kept(int layer) const;
  /// Whether the dropped columns of a layer agree within `consistency` of their terms, `size` at least. If not, ζ becomes the
  /// least squares solution, errors weighed by `importance` (empty: all alike).
  bool settle(int layer, double consistency, double size, const VecX<>& importance);
  /// Writes the group's part of y = Q(ζ − g).
  void solution(VecX<>& y);
  /// The same of the physical columns alone.
  void physical_part(VecX<>& y);
  /// Qᵀy of it.
  void rotated_solution(VecX<>& z) const;
  /// Writes the group's part of λ, Y λ = y; zero on dropped columns.
  void multipliers(VecX<>& lambda);

  /// x ← Qᵀx on the group's rows.
  void rotate(VecX<>& x);

  // Of single columns, by their number in the group:

  bool kept(int column) const;
  /// Of a dropped one: what the last settle() of its layer found.
  bool agrees(int column) const { return agrees_[position_[column]] != 0; }
  double norm(int column) const;
  /// |R| on the diagonal.
  double pivot(int column) const;
  /// R of the control rows times those of a rotated vector.
  double control_change(int column, const VecX<>& rotated) const;
  /// As it was: writes the group's part.
  void column(int column, VecX<>& out);
  /// Writes the coefficients by which it is the sum of kept ones.
  void dependence(int dropped, VecX<>& coefficients);

  int rank() const { return layers_[0].rank + layers_[1].rank; }
  int rank(int layer) const { return layers_[layer].rank; }
  bool drops(int layer) const { return layers_[layer].rank < layers_[layer].end - layers_[layer].begin; }
  /// The smallest pivot of a layer; infinite where it kept none.
  double smallest(int layer) const { return layers_[layer].smallest; }

 private:
  struct Layer {
    int begin = 0, end = 0;   // where its columns stand
    int first = 0, rank = 0;  // its rows of R
    double smallest = 0;      // pivot
    double largest2 = 0;      // squares of the largest column
  };
  using Blocks = std::uint64_t;
  using Range = Elimination::Range;
  // What a reflector does to blocks; it follows from which blocks the columns taken so far touched at first.
  struct Step {
    Blocks first;        // the column's at first,
    Blocks blocks;       // and when it is taken
    int row;             // that the reflector picks: the row of Qᵀx that this row of R speaks of
    int others;          // how many rows beside that it touches,
    std::size_t ranges;  // and in how many ranges
  };

  int position_of(int k) const { return k < layers_[0].rank ? k : layers_[1].begin + k - layers_[1].first; }
  int rows_of_R(int p) const;
  std::span<const Range> ranges(int k) const { return {&ranges_[k * group_.blocks.size()], steps_[k].ranges}; }
  bool knows(int k, int p) const { return k < known_ && steps_[k].first == group_.touched[order_[p]]; }
  void plan(int k, int p);
  void follow(int k);
  void measure_left(int begin);
  double most_left(int begin, int end, const PivotThresholds<>& thresholds);
  int best_position(const Layer& layer, int begin, const PivotThresholds<>& thresholds, int spread, double most) const;
  double lay_column(int k, int p);
  Reflector<> make_reflector(int k, double norm2);
  void bring(int k, int q, int p);
  template <int packs>
  void reflect_columns(int k, const Reflector<>& reflector, int first);
  void eliminate(int k, const Reflector<>& reflector, int begin);
  template <class Visit>
  void for_packs(int k, Visit visit) const;
  void reflect(int k, double* x) const;
  void rotate_back(int rank, VecX<>& out);
  double size_of_terms(int p, int rows) const;
  void least_squares(const Layer& layer, const VecX<>& importance);
  void back_substitute(int rows, VecX<>& out);
  void order_rows(const VecX<>& r);
  void gather(const VecX<>& from, VecX<>& to) const;
  void scatter(const VecX<>& from, VecX<>& to) const;

  // Columns change places as they are taken: those of a layer that were kept stand first, in the order of the rows of R.
  ColumnGroup group_;
  int n_, m_;
  int least_spread_;  // of a column at first, in blocks
  Layer layers_[2];
  RowMatX Y_;                          // what is left of the columns, and of h behind them
  RowMatX R_;                          // row k is that of the k-th kept column
  MatX<> W_;                           // column k is the k-th reflector's
  std::vector<int> order_, position_;  // order_[position] = column; position_[column] = position
  std::vector<Step> steps_;            // one to each row of R
  std::vector<Range> ranges_;          // of each step, beside the picked row: as many as there are blocks at most
  int known_ = 0;                      // steps that are as they were, if such columns are taken again
  int followed_ = 0;                   // steps after which the next two are as they stand
  std::vector<int> unpicked_;          // of each block: the first row that has not been picked
  std::vector<Blocks> touched_;        // by the column at each position, used up ones left out
  std::vector<char> spent_;            // whether nothing stands out of the column at each position any more
  std::vector<char> agrees_;           // whether the dropped column at each position agrees with those that were kept
  VecX<> beta_, inverse_length_;       // of each reflector
  VecX<> norm2_, own_norm2_;  // of the column at each position: of what is left when last measured, and as it was
  VecX<> r_, g_, zeta_;       // by position; Qᵀh where R has rows; ζ
  VecX<> rotated_, solved_, rest_, rhs_;  // scratch
  MatX<> G_;                              // scratch of the least squares
};

}  // namespace trammel
