#include "trammel/motion/group_qr.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "trammel/motion/reflector.h"

namespace trammel {
namespace {

constexpr double tenth2 = 0.01;  // (1/10)²: columns are compared by their squares

}  // namespace

GroupQr::GroupQr(ColumnGroup group)
    : group_(std::move(group)),
      n_(static_cast<int>(group_.rows.size())),
      m_(static_cast<int>(group_.columns.size())),
      Y_(RowMatX::Zero(n_, 4 * fours_for(m_))),
      R_(RowMatX::Zero(std::min(n_, m_), Y_.cols())),
      W_(MatX<>::Zero(4 * fours_for(n_), R_.rows())),
      order_(m_),
      position_(m_),
      pivot_row_(R_.rows()),
      unpicked_(group_.blocks.size()),
      touched_(Y_.cols()),
      ranges_(R_.rows() * group_.blocks.size()),
      range_count_(R_.rows()),
      beta_(R_.rows()),
      norm2_(Y_.cols()),
      own_norm2_(VecX<>::Constant(Y_.cols(), std::numeric_limits<double>::quiet_NaN())),
      block_norm2_(RowMatX::Zero(unpicked_.size(), Y_.cols())),
      r_(m_),
      g_(VecX<>::Zero(W_.rows())),
      zeta_(m_),
      rotated_(VecX<>::Zero(W_.rows())),
      solved_(m_),
      rest_(Y_.cols()),
      rhs_(m_),
      G_(m_, m_) {}

void GroupQr::begin(int physical) {
  const int physical_here =
      static_cast<int>(std::ranges::lower_bound(group_.columns, physical) - group_.columns.begin());
  layers_[0] = {0, physical_here};
  layers_[1] = {physical_here, m_};
  for (int c = 0; c < m_; ++c) {
    order_[c] = position_[c] = c;
    touched_[c] = group_.touched[c];
  }
  const int width = static_cast<int>(Y_.cols());
  for (std::size_t b = 0; b < unpicked_.size(); ++b) {
    const ColumnGroup::Block& block = group_.blocks[b];
    unpicked_[b] = block.begin;
    for (int c = 0; c < width; c += 4) {
      Four sum = 0.0;
      for (int i = block.begin; i < block.end; ++i) {
        const Four y = Four::at(&Y_(i, c));
        sum += y * y;
      }
      sum.store(&block_norm2_(b, c));
    }
  }
  add_norms(0);
  own_norm2_ = norm2_;
  for (Layer& layer : layers_)
    for (int p = layer.begin; p < layer.end; ++p) layer.largest2 = std::max(layer.largest2, own_norm2_[p]);
}

// Of the columns from position `first` on, a multiple of four.
inline void GroupQr::add_norms(int first) {
  for (int c = first; c < m_; c += 4) {
    Four sum = 0.0;
    for (std::size_t b = 0; b < unpicked_.size(); ++b) sum += Four::at(&block_norm2_(b, c));
    sum.store(&norm2_[c]);
  }
}

// The squares of what is left of the column of which most is left, among those that stand out of their own rounding.
inline double GroupQr::most_left(int begin, int end, double floor_of_column) const {
  double out = 0;
  if (floor_of_column == 0)
    for (int p = begin; p < end; ++p) out = std::max(out, norm2_[p]);
  else
    for (int p = begin; p < end; ++p)
      if (norm2_[p] > floor_of_column * floor_of_column * own_norm2_[p]) out = std::max(out, norm2_[p]);
  return out;
}

// Where the column stands that is to be taken next, −1 if none stands out. Columns keep their order as long as the next one
// is not much less than others and spreads no further than the last; that spares changing places. Where not much is left,
// it is the one of which most is left.
inline int GroupQr::best_position(const Layer& layer, int begin, const PivotRule& rule, int spread) const {
  const double floor2_of_column = rule.floor_of_column * rule.floor_of_column, much = rule.much * rule.much;
  const auto is_enough = [&](int p, double enough) {
    return norm2_[p] >= enough && norm2_[p] > floor2_of_column * own_norm2_[p];
  };
  // nothing is left of any that is more than there was of the largest
  if (is_enough(begin, std::max(tenth2 * layer.largest2, much)) && std::popcount(touched_[begin]) <= spread)
    return begin;
  const double most = most_left(begin, layer.end, rule.floor_of_column);
  if (!(most > std::max(rule.floor * rule.floor, std::numeric_limits<double>::min()))) return -1;
  const double enough = std::min(most, std::max(tenth2 * most, much));
  int best = -1, fewest = 0;
  for (int p = begin; p < layer.end; ++p) {
    if (!is_enough(p, enough)) continue;
    const int blocks = std::popcount(touched_[p]);
    if (blocks <= spread) return p;
    if (best < 0 || blocks < fewest) {
      best = p;
      fewest = blocks;
    }
  }
  return best;
}

// The column at p as the k-th reflector, which picks the first row that is left. Returns its length, with its sign.
inline double GroupQr::make_reflector(int k, int p) {
  double* w = W_.col(k).data();
  const double* y = &Y_(0, p);
  const Eigen::Index stride = Y_.cols();
  for (int i = 0; i < W_.rows(); i += 4) Four(0.0).store(w + i);
  const int picked = std::countr_zero(touched_[p]), row = unpicked_[picked]++;
  const Reflector reflector = reflector_of(y[row * stride], norm2_[p]);
  Range* range = &ranges_[k * group_.blocks.size()];
  for (Blocks blocks = touched_[p]; blocks != 0; blocks &= blocks - 1, ++range) {
    const int b = std::countr_zero(blocks);
    *range = {b, unpicked_[b], group_.blocks[b].end};
    for (int i = range->begin; i < range->end; ++i) w[i] = y[i * stride];
  }
  range_count_[k] = range - &ranges_[k * group_.blocks.size()];
  w[row] = reflector.w0;
  beta_[k] = reflector.beta;
  pivot_row_[k] = row;
  return reflector.length;
}

// x ← (1 − β w wᵀ) x by the k-th reflector, for 4·fours columns side by side. What is in the row that it picked goes to R.
template <int fours>
inline void GroupQr::reflect_columns(int k, int first) {
  using Row = Fours<fours>;
  const double* w = W_.col(k).data();
  double* Y = &Y_(0, first);
  const Eigen::Index stride = Y_.cols();
  const int picked = pivot_row_[k];
  // sums go two ways in turn, so that an addition waits for the one before the last
  Row s = Row::zero(), s_odd = Row::zero();
  for (const Range& range : ranges(k)) {
    int i = range.begin;
    for (; i + 1 < range.end; i += 2) {
      s = s + Row::at(Y + i * stride) * w[i];
      s_odd = s_odd + Row::at(Y + (i + 1) * stride) * w[i + 1];
    }
    if (i < range.end) s = s + Row::at(Y + i * stride) * w[i];
  }
  Row pivot = Row::at(Y + picked * stride);
  s = (s + s_odd + pivot * w[picked]) * beta_[k];  // this last, as w₀ waits for a root
  (pivot - s * w[picked]).store(&R_(k, first));
  Row::zero().store(Y + picked * stride);

  for (const Range& range : ranges(k)) {
    Row norm2 = Row::zero(), norm2_odd = Row::zero();
    int i = range.begin;
    for (; i + 1 < range.end; i += 2) {
      const Row left = Row::at(Y + i * stride) - s * w[i], left_odd = Row::at(Y + (i + 1) * stride) - s * w[i + 1];
      left.store(Y + i * stride), left_odd.store(Y + (i + 1) * stride);
      norm2 = norm2 + left * left, norm2_odd = norm2_odd + left_odd * left_odd;
    }
    if (i < range.end) {
      const Row left = Row::at(Y + i * stride) - s * w[i];
      left.store(Y + i * stride);
      norm2 = norm2 + left * left;
    }
    (norm2 + norm2_odd).store(&block_norm2_(range.block, first));
  }
}

// Reflects the columns from position `begin` on by the k-th reflector, made of the column that touched `blocks`.
inline void GroupQr::eliminate(int k, int begin, Blocks blocks) {
  int first = begin & ~3;
  for (; m_ - first > 12; first += 16) reflect_columns<4>(k, first);
  if (m_ - first > 8)
    reflect_columns<3>(k, first);
  else if (m_ - first > 4)
    reflect_columns<2>(k, first);
  else if (m_ > first)
    reflect_columns<1>(k, first);
  add_norms(begin & ~3);

  if (unpicked_.size() == 1) return;
  const int picked = std::countr_zero(blocks);
  const Blocks used_up = unpicked_[picked] == group_.blocks[picked].end ? Blocks{1} << picked : 0;
  for (int p = begin; p < m_; ++p)
    if ((touched_[p] & blocks) != 0) touched_[p] = (touched_[p] | blocks) & ~used_up;
}

// Brings the column at q, whose k-th reflector is made, to p; what stood there goes to q.
inline void GroupQr::bring(int k, int q, int p) {
  if (p == q) return;
  for (int i = 0; i < n_; ++i) Y_(i, q) = Y_(i, p);
  for (int j = 0; j < k; ++j) std::swap(R_(j, p), R_(j, q));
  std::swap(own_norm2_[p], own_norm2_[q]);
  for (std::size_t b = 0; b < unpicked_.size(); ++b) block_norm2_(b, q) = block_norm2_(b, p);
  std::swap(touched_[p], touched_[q]);
  std::swap(order_[p], order_[q]);
  position_[order_[p]] = p;
  position_[order_[q]] = q;
}

void GroupQr::factorize(int which, const PivotRule& rule) {
  Layer& layer = layers_[which];
  layer.first = which == 0 ? 0 : layers_[0].rank;
  layer.rank = 0;
  layer.smallest = std::numeric_limits<double>::infinity();
  int spread = 1;  // of the last one, in blocks
  for (int p = layer.begin; p < layer.end; ++p, ++layer.rank) {
    const int best = best_position(layer, p, rule, spread), k = layer.first + layer.rank;
    if (best < 0 || k == R_.rows()) break;
    spread = std::popcount(touched_[best]);
    const double length = make_reflector(k, best);
    layer.smallest = std::min(layer.smallest, std::abs(length));
    bring(k, best, p);
    eliminate(k, p + 1, touched_[p]);
    R_(k, p) = length;
  }
}

}  // namespace trammel
