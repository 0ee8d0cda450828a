#include "trammel/motion/group_qr.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace trammel {
namespace {

constexpr double tenth2 = 0.01;  // (1/10)²: columns are compared by their squares

}  // namespace

GroupQr::GroupQr(ColumnGroup group)
    : group_(std::move(group)),
      n_(static_cast<int>(group_.rows.size())),
      m_(static_cast<int>(group_.columns.size())),
      Y_(RowMatX::Zero(n_, 4 * fours_for(m_ + 1))),
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
      inverse_length_(R_.rows()),
      norm2_(Y_.cols()),
      own_norm2_(VecX<>::Constant(Y_.cols(), std::numeric_limits<double>::quiet_NaN())),
      r_(m_),
      g_(R_.rows()),
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
  for (std::size_t b = 0; b < unpicked_.size(); ++b) unpicked_[b] = group_.blocks[b].begin;
  measure_left(0);
  own_norm2_ = norm2_;
  for (Layer& layer : layers_)
    for (int p = layer.begin; p < layer.end; ++p) layer.largest2 = std::max(layer.largest2, own_norm2_[p]);
}

// The squares of what is left of the columns from position `begin` on.
void GroupQr::measure_left(int begin) {
  for (int c = begin & ~3; c < m_; c += 4) {
    Four norm2 = 0.0;
    for (Blocks blocks = touched_[c] | touched_[c + 1] | touched_[c + 2] | touched_[c + 3]; blocks != 0;
         blocks &= blocks - 1) {
      const int b = std::countr_zero(blocks), end = group_.blocks[b].end;
      for (int i = unpicked_[b]; i < end; ++i) {
        const Four y = Four::at(&Y_(i, c));
        norm2 += y * y;
      }
    }
    norm2.store(&norm2_[c]);
  }
}

// The squares of what is left of the column of which most is left, among those that stand out of their own rounding.
double GroupQr::most_left(int begin, int end, double floor2_of_column) const {
  double out = 0;
  for (int p = begin; p < end; ++p)
    if (norm2_[p] > floor2_of_column * own_norm2_[p]) out = std::max(out, norm2_[p]);
  return out;
}

// Where the column stands that is to be taken next, −1 if none stands out: one of which a tenth of the most is left and that
// spreads no further than the last, or else spreads least. Where not much is left, it is the one of which most is left.
int GroupQr::best_position(const Layer& layer, int begin, const PivotRule& rule, int spread, double most) const {
  const double floor2_of_column = rule.floor_of_column * rule.floor_of_column;
  if (!(most > std::max(rule.floor * rule.floor, std::numeric_limits<double>::min()))) return -1;
  const double enough = std::min(most, std::max(tenth2 * most, rule.much * rule.much));
  int best = -1, fewest = 0;
  for (int p = begin; p < layer.end; ++p) {
    if (!(norm2_[p] >= enough && norm2_[p] > floor2_of_column * own_norm2_[p])) continue;
    const int blocks = std::popcount(touched_[p]);
    if (blocks <= spread) return p;
    if (best < 0 || blocks < fewest) {
      best = p;
      fewest = blocks;
    }
  }
  return best;
}

// Lays what is left of the column at p where the k-th reflector is to be, and returns its squares.
inline double GroupQr::lay_column(int k, int p) {
  double* w = W_.col(k).data();
  const double* y = &Y_(0, p);
  const Eigen::Index stride = Y_.cols();
  // with one block, the k-th reflector has never been but in the same rows
  for (int i = 0; unpicked_.size() > 1 && i < W_.rows(); i += 4) Four(0.0).store(w + i);
  double sum[4] = {};  // in turn, so that an addition waits for the fourth before it
  for (Blocks blocks = touched_[p]; blocks != 0; blocks &= blocks - 1) {
    const int b = std::countr_zero(blocks), end = group_.blocks[b].end;
    int i = unpicked_[b];
    for (; i + 3 < end; i += 4)
      for (int j = 0; j < 4; ++j) {
        w[i + j] = y[(i + j) * stride];
        sum[j] += w[i + j] * w[i + j];
      }
    for (; i < end; ++i) {
      w[i] = y[i * stride];
      sum[0] += w[i] * w[i];
    }
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// The k-th reflector of the column at p, which was laid and has squares norm2: it picks the first row that is left.
inline Reflector GroupQr::make_reflector(int k, int p, double norm2) {
  double* w = W_.col(k).data();
  const int picked = std::countr_zero(touched_[p]), row = unpicked_[picked]++;
  const double x0 = w[row];
  int others = 0;
  Range* range = &ranges_[k * group_.blocks.size()];
  for (Blocks blocks = touched_[p]; blocks != 0; blocks &= blocks - 1, ++range) {
    const int b = std::countr_zero(blocks);
    *range = {unpicked_[b], group_.blocks[b].end};
    others += range->end - range->begin;
  }
  // where there are no others, nothing needs to be reflected
  const Reflector reflector = others > 0 ? reflector_of(x0, norm2) : Reflector{0, 0, x0};
  range_count_[k] = range - &ranges_[k * group_.blocks.size()];
  w[row] = reflector.w0;
  beta_[k] = reflector.beta;
  inverse_length_[k] = others > 0 ? -reflector.beta * reflector.w0 : 1 / x0;
  pivot_row_[k] = row;
  return reflector;
}

// x ← (1 − β w wᵀ) x by the k-th reflector, for 4·fours columns side by side. What is in the row that it picked goes to R.
template <int fours>
inline void GroupQr::reflect_columns(int k, const Reflector& reflector, int first) {
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
  s = (s + s_odd + pivot * reflector.w0) * reflector.beta;  // these last: they wait for a root
  (pivot - s * reflector.w0).store(&R_(k, first));
  Row::zero().store(Y + picked * stride);

  for (const Range& range : ranges(k))
    for (int i = range.begin; i < range.end; ++i) (Row::at(Y + i * stride) - s * w[i]).store(Y + i * stride);
}

// Reflects the columns from position `begin` on by the k-th reflector, made of the column that touched `blocks`.
inline void GroupQr::eliminate(int k, const Reflector& reflector, int begin, Blocks blocks) {
  int first = begin & ~3;
  for (; m_ - first >= 12; first += 16) reflect_columns<4>(k, reflector, first);
  if (m_ - first >= 8)
    reflect_columns<3>(k, reflector, first);
  else if (m_ - first >= 4)
    reflect_columns<2>(k, reflector, first);
  else if (m_ >= first)
    reflect_columns<1>(k, reflector, first);

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
  const double floor2_of_column = rule.floor_of_column * rule.floor_of_column;
  double most = layer.largest2;  // is left of any, when last measured: it only becomes less
  int spread = 1;                // of the last one, in blocks
  for (int p = layer.begin; p < layer.end; ++p, ++layer.rank) {
    const int k = layer.first + layer.rank;
    if (k == R_.rows()) break;
    int best = p;
    double norm2 = lay_column(k, p);
    const double enough = std::max(tenth2 * most, rule.much * rule.much);
    if (!(norm2 >= enough && norm2 > floor2_of_column * own_norm2_[p] && std::popcount(touched_[p]) <= spread)) {
      measure_left(p);
      most = most_left(p, layer.end, floor2_of_column);
      best = best_position(layer, p, rule, spread, most);
      if (best < 0) break;
      if (best != p) norm2 = lay_column(k, best);
    }
    spread = std::popcount(touched_[best]);
    const Reflector reflector = make_reflector(k, best, norm2);
    layer.smallest = std::min(layer.smallest, std::abs(reflector.length));
    bring(k, best, p);
    eliminate(k, reflector, p + 1, touched_[p]);
    R_(k, p) = reflector.length;
  }
}

}  // namespace trammel
