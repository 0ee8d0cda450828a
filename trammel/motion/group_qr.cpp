#include "trammel/motion/group_qr.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace trammel {
namespace {

constexpr double tenth2 = 0.01;  // (1/10)²: columns are compared by their squares

// How many blocks the column touches that touches fewest.
int least_spread(const ColumnGroup& group) {
  int out = std::numeric_limits<int>::max();
  for (const std::uint64_t blocks : group.touched) out = std::min(out, std::popcount(blocks));
  return out;
}

}  // namespace

GroupQr::GroupQr(ColumnGroup group)
    : group_(std::move(group)),
      n_(static_cast<int>(group_.rows.size())),
      m_(static_cast<int>(group_.columns.size())),
      least_spread_(least_spread(group_)),
      Y_(RowMatX::Zero(n_, padded_to_packs(m_ + 1))),
      R_(RowMatX::Zero(std::min(n_, m_), Y_.cols())),
      W_(MatX<>::Zero(padded_to_packs(n_), R_.rows())),
      order_(m_),
      position_(m_),
      steps_(R_.rows()),
      ranges_(R_.rows() * group_.blocks.size()),
      unpicked_(group_.blocks.size()),
      touched_(Y_.cols()),
      spent_(m_),
      agrees_(m_),
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
  followed_ = 0;
  measure_left(0);
  own_norm2_ = norm2_;
  for (Layer& layer : layers_)
    for (int p = layer.begin; p < layer.end; ++p) layer.largest2 = std::max(layer.largest2, own_norm2_[p]);
}

// The squares of what is left of the columns from position `begin` on.
void GroupQr::measure_left(int begin) {
  for (int c = begin & ~3; c < m_; c += 4) {
    Pack4 norm2 = 0.0;
    for (Blocks blocks = touched_[c] | touched_[c + 1] | touched_[c + 2] | touched_[c + 3]; blocks != 0;
         blocks &= blocks - 1) {
      const int b = std::countr_zero(blocks), end = group_.blocks[b].end;
      for (int i = unpicked_[b]; i < end; ++i) {
        const Pack4 y = Pack4::at(&Y_(i, c));
        norm2 += y * y;
      }
    }
    norm2.store(&norm2_[c]);
  }
}

// Of columns from position `begin` on: which are spent, and the squares of what is left of the one of which most is left.
double GroupQr::most_left(int begin, int end, const PivotThresholds<>& thresholds) {
  double out = 0;
  for (int p = begin; p < end; ++p) {
    spent_[p] = !(norm2_[p] > thresholds.floor2_for(own_norm2_[p]));
    if (!spent_[p]) out = std::max(out, norm2_[p]);
  }
  return out;
}

// Where the column stands that is to be taken next, −1 if none stands out: one of which a tenth of the most is left and that
// spreads no further than the last, or else spreads least. Where not much is left, it is the one of which most is left.
int GroupQr::best_position(const Layer& layer, int begin, const PivotThresholds<>& thresholds, int spread,
                           double most) const {
  const double enough = std::min(most, std::max(tenth2 * most, thresholds.clear2));
  int best = -1, fewest = 0;
  for (int p = begin; p < layer.end; ++p) {
    if (spent_[p] || !(norm2_[p] >= enough)) continue;
    const int blocks = std::popcount(touched_[p]);
    if (blocks <= spread) return p;
    if (best < 0 || blocks < fewest) {
      best = p;
      fewest = blocks;
    }
  }
  return best;
}

// What the first k steps do to blocks.
void GroupQr::follow(int k) {
  for (; followed_ < k; ++followed_) {
    const Blocks blocks = steps_[followed_].blocks;
    const int picked = std::countr_zero(blocks);
    const Blocks used_up = ++unpicked_[picked] == group_.blocks[picked].end ? Blocks{1} << picked : 0;
    for (int p = position_of(followed_) + 1; p < m_; ++p)
      if ((touched_[p] & blocks) != 0) touched_[p] = (touched_[p] | blocks) & ~used_up;
  }
}

// Which rows the k-th reflector touches, if it is made of the column at p: it picks the first that is left.
void GroupQr::plan(int k, int p) {
  follow(k);
  known_ = k + 1;
  W_.col(k).setZero();
  Step& step = steps_[k] = {group_.touched[order_[p]], touched_[p], 0, 0, 0};
  Range* range = &ranges_[k * group_.blocks.size()];
  for (Blocks blocks = step.blocks; blocks != 0; blocks &= blocks - 1, ++range) {
    const int b = std::countr_zero(blocks);
    *range = {unpicked_[b], group_.blocks[b].end};
    if (step.ranges++ == 0) step.row = range->begin++;
    step.others += range->end - range->begin;
  }
}

// Lays what is left of the column at p where the k-th reflector is to be, and returns its squares.
inline double GroupQr::lay_column(int k, int p) {
  if (steps_[k].blocks == 0) return 0;  // all used up
  double* w = W_.col(k).data();
  const double* y = &Y_(0, p);
  const Eigen::Index stride = Y_.cols();
  const int row = steps_[k].row;
  w[row] = y[row * stride];
  double sum[4] = {w[row] * w[row]};  // in turn, so that an addition waits for the fourth before it
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

// The k-th reflector of the column that was laid and has squares norm2.
inline Reflector<> GroupQr::make_reflector(int k, double norm2) {
  double& x0 = W_(steps_[k].row, k);
  // where there are no others, nothing needs to be reflected
  const bool alone = steps_[k].others == 0;
  const Reflector<> reflector = alone ? Reflector<>{0, 0, x0} : reflector_of(x0, norm2);
  x0 = reflector.w0;
  beta_[k] = reflector.beta;
  inverse_length_[k] = alone ? 1 / reflector.length : -reflector.beta * reflector.w0;
  return reflector;
}

// x ← (1 − β w wᵀ) x by the k-th reflector, for 4·packs neighbouring columns. What is in the row that it picked goes to R.
template <int packs>
inline void GroupQr::reflect_columns(int k, const Reflector<>& reflector, int first) {
  using Row = Packs<packs>;
  const double* w = W_.col(k).data();
  double* Y = &Y_(0, first);
  const Eigen::Index stride = Y_.cols();
  const int picked = steps_[k].row;
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

// Brings the column at q, which was laid for the k-th reflector, to p; what stood there goes to q.
inline void GroupQr::bring(int k, int q, int p) {
  for (int i = 0; i < n_; ++i) Y_(i, q) = Y_(i, p);
  for (int j = 0; j < k; ++j) std::swap(R_(j, p), R_(j, q));
  std::swap(own_norm2_[p], own_norm2_[q]);
  std::swap(touched_[p], touched_[q]);
  std::swap(spent_[p], spent_[q]);
  std::swap(order_[p], order_[q]);
  position_[order_[p]] = p;
  position_[order_[q]] = q;
}

void GroupQr::factorize(int which, const PivotThresholds<>& thresholds) {
  Layer& layer = layers_[which];
  layer.first = which == 0 ? 0 : layers_[0].rank;
  layer.rank = 0;
  layer.smallest = std::numeric_limits<double>::infinity();
  double most = most_left(layer.begin, layer.end, thresholds);  // when last measured: it only becomes less
  int spread = least_spread_;                                   // of the last one, in blocks
  for (int p = layer.begin; p < layer.end; ++p, ++layer.rank) {
    const int k = layer.first + layer.rank;
    if (k == R_.rows()) break;
    int next = p;
    while (next < layer.end && spent_[next]) ++next;
    if (next == layer.end) break;
    if (!knows(k, next)) plan(k, next);
    double norm2 = lay_column(k, next);
    const double enough = std::max(tenth2 * most, thresholds.clear2);
    if (!(norm2 >= enough && norm2 > thresholds.floor2_of_column * own_norm2_[next] &&
          std::popcount(steps_[k].blocks) <= spread)) {
      follow(k);
      measure_left(p);
      most = most_left(p, layer.end, thresholds);
      const int best = best_position(layer, p, thresholds, spread, most);
      if (best < 0) break;
      if (best != next) {
        next = best;
        if (!knows(k, next)) plan(k, next);
        norm2 = lay_column(k, next);
      }
    }
    if (next != p) bring(k, next, p);
    spread = std::popcount(steps_[k].blocks);
    const Reflector<> reflector = make_reflector(k, norm2);
    layer.smallest = std::min(layer.smallest, std::abs(reflector.length));
    eliminate(k, reflector, p + 1);
    R_(k, p) = reflector.length;
  }
}

}  // namespace trammel
