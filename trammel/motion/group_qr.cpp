#include "trammel/motion/group_qr.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace trammel {
namespace {

constexpr double candidate_part2 = 0.01;  // 0.1²: norms are compared by their squares

// The fewest blocks of any column.
int fewest_blocks(const ColumnGroup& group) {
  int out = std::numeric_limits<int>::max();
  for (const std::uint64_t blocks : group.patterns) out = std::min(out, std::popcount(blocks));
  return out;
}

}  // namespace

GroupQr::GroupQr(ColumnGroup group)
    : group_(std::move(group)),
      n_(static_cast<int>(group_.rows.size())),
      m_(static_cast<int>(group_.columns.size())),
      fewest_blocks_(fewest_blocks(group_)),
      Y_(RowMatX::Zero(n_, padded_to_packs(m_ + 1))),
      R_(RowMatX::Zero(std::min(n_, m_), Y_.cols())),
      W_(MatX<>::Zero(padded_to_packs(n_), R_.rows())),
      order_(m_),
      position_(m_),
      steps_(R_.rows()),
      ranges_(R_.rows() * group_.blocks.size()),
      next_row_(group_.blocks.size()),
      pattern_(Y_.cols()),
      negligible_(m_),
      agrees_(m_),
      disregarded_(m_),
      beta_(R_.rows()),
      inverse_length_(R_.rows()),
      norm2_(Y_.cols()),
      initial_norm2_(VecX<>::Constant(Y_.cols(), std::numeric_limits<double>::quiet_NaN())),
      r_(m_),
      g_(R_.rows()),
      zeta_(m_),
      rotated_(VecX<>::Zero(W_.rows())),
      solved_(m_),
      rest_(Y_.cols()),
      rhs_(m_),
      terms_(Y_.cols()),
      rotated4_(n_, 4),
      G_(m_, m_) {}

void GroupQr::begin(int physical) {
  const int physical_here =
      static_cast<int>(std::ranges::lower_bound(group_.columns, physical) - group_.columns.begin());
  layers_[0] = {0, physical_here};
  layers_[1] = {physical_here, m_};
  for (int c = 0; c < m_; ++c) {
    order_[c] = position_[c] = c;
    disregarded_[c] = 0;
    pattern_[c] = group_.patterns[c];
  }
  for (std::size_t b = 0; b < next_row_.size(); ++b) next_row_[b] = group_.blocks[b].begin;
  patterns_after_ = 0;
  measure_remaining(0);
  initial_norm2_ = norm2_;
  for (Layer& layer : layers_)
    for (int p = layer.begin; p < layer.end; ++p) layer.largest2 = std::max(layer.largest2, initial_norm2_[p]);
}

// The squared norms of the remaining columns from position `begin` on.
void GroupQr::measure_remaining(int begin) {
  for (int c = begin & ~3; c < m_; c += 4) {
    Pack4 norm2 = 0.0;
    for (Blocks blocks = pattern_[c] | pattern_[c + 1] | pattern_[c + 2] | pattern_[c + 3]; blocks != 0;
         blocks &= blocks - 1) {
      const int b = std::countr_zero(blocks), end = group_.blocks[b].end;
      for (int i = next_row_[b]; i < end; ++i) {
        const Pack4 y = Pack4::at(&Y_(i, c));
        norm2 += y * y;
      }
    }
    norm2.store(&norm2_[c]);
  }
}

// Marks columns from position `begin` on whose remaining norm is rounding; returns the largest squared norm of the others.
double GroupQr::largest_left2(int begin, int end, const PivotThresholds<>& thresholds) {
  double out = 0;
  for (int p = begin; p < end; ++p) {
    negligible_[p] = !(norm2_[p] > thresholds.floor2_for(initial_norm2_[p]));
    if (!negligible_[p]) out = std::max(out, norm2_[p]);
  }
  return out;
}

// The position of the column to take next, −1 if none is independent. Candidates have a remaining norm of at least 0.1 of the
// largest, and a clear pivot; where no pivot is clear, the largest is the only one. Of these, the first that has no more blocks
// than the column before, else the one with the fewest blocks.
int GroupQr::choose_column(const Layer& layer, int begin, const PivotThresholds<>& thresholds, int blocks_before,
                           double largest2) const {
  const double candidate2 = std::min(largest2, std::max(candidate_part2 * largest2, thresholds.clear2));
  int best = -1, fewest = 0;
  for (int p = begin; p < layer.end; ++p) {
    if (negligible_[p] || !(norm2_[p] >= candidate2)) continue;
    const int blocks = std::popcount(pattern_[p]);
    if (blocks <= blocks_before) return p;
    if (best < 0 || blocks < fewest) {
      best = p;
      fewest = blocks;
    }
  }
  return best;
}

// Updates patterns and free rows to include the first k steps: fill-in, and blocks that are exhausted.
void GroupQr::update_patterns(int k) {
  for (; patterns_after_ < k; ++patterns_after_) {
    const Blocks blocks = steps_[patterns_after_].blocks;
    const int pivot_block = std::countr_zero(blocks);
    const Blocks exhausted = ++next_row_[pivot_block] == group_.blocks[pivot_block].end ? Blocks{1} << pivot_block : 0;
    for (int p = position_of(patterns_after_) + 1; p < m_; ++p)
      if ((pattern_[p] & blocks) != 0) pattern_[p] = (pattern_[p] | blocks) & ~exhausted;
  }
}

// Symbolic analysis of the k-th reflector, made of the column at p. Its pivot row is the first free one of its first block.
void GroupQr::analyse_step(int k, int p) {
  update_patterns(k);
  analysed_ = k + 1;
  W_.col(k).setZero();
  Step& step = steps_[k] = {group_.patterns[order_[p]], pattern_[p], 0, 0, 0, std::popcount(pattern_[p])};
  Range* range = &ranges_[k * group_.blocks.size()];
  for (Blocks blocks = step.blocks; blocks != 0; blocks &= blocks - 1, ++range) {
    const int b = std::countr_zero(blocks);
    *range = {next_row_[b], group_.blocks[b].end};
    if (step.ranges++ == 0) step.row = range->begin++;
    step.others += range->end - range->begin;
  }
}

// Copies the remaining column at p to the place of the k-th reflector, and returns its squared norm.
inline double GroupQr::copy_column(int k, int p) {
  if (steps_[k].blocks == 0) return 0;  // all of its blocks are exhausted
  double* w = W_.col(k).data();
  const double* y = &Y_(0, p);
  const Eigen::Index stride = Y_.cols();
  const int row = steps_[k].row;
  w[row] = y[row * stride];
  double sum[4] = {w[row] * w[row]};  // partial sums, for shorter chains of dependent additions
  for (const Range& range : ranges(k)) {
    int i = range.begin;
    for (; i + 3 < range.end; i += 4)
      for (int j = 0; j < 4; ++j) {
        w[i + j] = y[(i + j) * stride];
        sum[j] += w[i + j] * w[i + j];
      }
    for (; i < range.end; ++i) {
      w[i] = y[i * stride];
      sum[0] += w[i] * w[i];
    }
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// The k-th reflector, of the column that was copied and has the squared norm norm2.
inline Reflector<> GroupQr::make_reflector(int k, double norm2) {
  double& x0 = W_(steps_[k].row, k);
  // a column in its pivot row alone is triangular already
  const bool alone = steps_[k].others == 0;
  const Reflector<> reflector = alone ? Reflector<>{0, 0, x0} : reflector_of(x0, norm2);
  x0 = reflector.w0;
  beta_[k] = reflector.beta;
  inverse_length_[k] = alone ? 1 / reflector.length : -reflector.beta * reflector.w0;
  return reflector;
}

// x ← (1 − β w wᵀ) x by the k-th reflector, for 4·packs neighbouring columns. The pivot row goes to R.
template <int packs>
inline void GroupQr::reflect_columns(int k, const Reflector<>& reflector, int first) {
  using Row = Packs<packs>;
  const double* w = W_.col(k).data();
  double* Y = &Y_(0, first);
  const Eigen::Index stride = Y_.cols();
  const int pivot_row = steps_[k].row;
  // two partial sums, for shorter chains of dependent additions
  Row s = Row::zero(), s_odd = Row::zero();
  for (const Range& range : ranges(k)) {
    int i = range.begin;
    for (; i + 1 < range.end; i += 2) {
      s = s + Row::at(Y + i * stride) * w[i];
      s_odd = s_odd + Row::at(Y + (i + 1) * stride) * w[i + 1];
    }
    if (i < range.end) s = s + Row::at(Y + i * stride) * w[i];
  }
  Row pivot = Row::at(Y + pivot_row * stride);
  s = (s + s_odd + pivot * reflector.w0) * reflector.beta;  // w0 and β last: they wait for a square root
  (pivot - s * reflector.w0).store(&R_(k, first));
  Row::zero().store(Y + pivot_row * stride);

  for (const Range& range : ranges(k))
    for (int i = range.begin; i < range.end; ++i) (Row::at(Y + i * stride) - s * w[i]).store(Y + i * stride);
}

// Reflects the columns from position `begin` on by the k-th reflector.
inline void GroupQr::eliminate(int k, const Reflector<>& reflector, int begin) {
  int first = begin & ~3;
  for (; m_ - first >= 12; first += 16) reflect_columns<4>(k, reflector, first);
  if (m_ - first >= 8)
    reflect_columns<3>(k, reflector, first);
  else if (m_ - first >= 4)
    reflect_columns<2>(k, reflector, first);
  else if (m_ >= first)
    reflect_columns<1>(k, reflector, first);
}

// Swaps the columns at p and q. The one at q has been copied to the k-th reflector: Y need not keep it.
inline void GroupQr::move_column(int k, int q, int p) {
  for (int i = 0; i < n_; ++i) Y_(i, q) = Y_(i, p);
  for (int j = 0; j < k; ++j) std::swap(R_(j, p), R_(j, q));
  std::swap(initial_norm2_[p], initial_norm2_[q]);
  std::swap(pattern_[p], pattern_[q]);
  std::swap(negligible_[p], negligible_[q]);
  std::swap(order_[p], order_[q]);
  position_[order_[p]] = p;
  position_[order_[q]] = q;
}

void GroupQr::factorize(int which, const PivotThresholds<>& thresholds) {
  Layer& layer = layers_[which];
  layer.first = which == 0 ? 0 : layers_[0].rank;
  layer.rank = 0;
  layer.smallest = std::numeric_limits<double>::infinity();
  double largest2 = largest_left2(layer.begin, layer.end, thresholds);  // when last measured: an upper bound since
  int blocks_before = fewest_blocks_;                                   // of the column before
  for (int p = layer.begin; p < layer.end; ++p, ++layer.rank) {
    const int k = layer.first + layer.rank;
    if (k == R_.rows() || (which == 0 && layer.rank == most_)) break;
    // the next column in the given order, if it will do
    int next = p;
    while (next < layer.end && negligible_[next]) ++next;
    if (next == layer.end) break;
    if (!is_analysed(k, next)) analyse_step(k, next);
    double norm2 = copy_column(k, next);
    const double candidate2 = std::max(candidate_part2 * largest2, thresholds.clear2);
    if (!(norm2 >= candidate2 && norm2 > thresholds.floor2_of_column * initial_norm2_[next] &&
          steps_[k].count <= blocks_before)) {
      // else the best of all
      update_patterns(k);
      measure_remaining(p);
      largest2 = largest_left2(p, layer.end, thresholds);
      const int best = choose_column(layer, p, thresholds, blocks_before, largest2);
      if (best < 0) break;
      if (best != next) {
        next = best;
        if (!is_analysed(k, next)) analyse_step(k, next);
        norm2 = copy_column(k, next);
      }
    }
    if (next != p) move_column(k, next, p);
    blocks_before = steps_[k].count;
    const Reflector<> reflector = make_reflector(k, norm2);
    layer.smallest = std::min(layer.smallest, std::abs(reflector.length));
    eliminate(k, reflector, p + 1);
    R_(k, p) = reflector.length;
  }
}

}  // namespace trammel
