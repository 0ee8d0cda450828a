#include "trammel/motion/group_qr.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace trammel {
namespace {

constexpr double tenth2 = 0.01;  // (1/10)²: columns are compared by their squares

struct Reflector {
  double w0, beta, length;
};

// The reflector that sends a vector with entry x₀, and squares norm2 of all, to `length` there: w is the vector with w₀ in
// place of x₀. The signs of x₀ and length differ, so that nothing cancels.
inline Reflector reflector_of(double x0, double norm2) {
  const double length = -std::copysign(std::sqrt(norm2), x0), w0 = x0 - length;
  return {w0, -1 / (length * w0), length};
}

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

// Where the k-th reflector is not zero, four rows at a time; no four twice.
template <class Visit>
inline void GroupQr::for_fours(int k, Visit visit) const {
  int i = pivot_row_[k] & ~3;
  visit(i);
  i += 4;
  for (const Range& range : ranges(k))
    for (i = std::max(i, range.begin & ~3); i < range.end; i += 4) visit(i);
}

// x ← (1 − β w wᵀ) x by the k-th reflector.
inline void GroupQr::reflect(int k, double* x) const {
  const double* w = W_.col(k).data();
  Four sum = 0.0;
  for_fours(k, [&](int i) { sum += Four::at(x + i) * Four::at(w + i); });
  const double s = beta_[k] * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
  for_fours(k, [&](int i) { (Four::at(x + i) - Four::at(w + i) * s).store(x + i); });
}

inline void GroupQr::gather(const VecX<>& from, VecX<>& to) const {
  for (int i = 0; i < n_; ++i) to[i] = from[group_.rows[i]];
  for (int i = n_; i < W_.rows(); ++i) to[i] = 0;
}

inline void GroupQr::scatter(const VecX<>& from, VecX<>& to) const {
  for (int i = 0; i < n_; ++i) to[group_.rows[i]] = from[i];
}

void GroupQr::load(const VecX<>& r, const VecX<>* h) {
  for (int p = 0; p < m_; ++p) r_[p] = r[group_.columns[order_[p]]];
  if (!h) {
    g_.setZero();
    return;
  }
  gather(*h, g_);
  for (int k = 0; k < rank(); ++k) reflect(k, g_.data());
}

void GroupQr::substitute(int which) {
  const Layer& layer = layers_[which];
  for (int p = layer.begin; p < layer.end; ++p) rest_[p] = r_[p];
  const auto carry = [&](int k, int from) {  // what ζ_k gives to the layer's columns
    const double *R = &R_(k, 0), zeta = zeta_[k];
    for (int p = from; p < layer.end; ++p) rest_[p] -= zeta * R[p];
  };
  for (int k = 0; k < layer.first; ++k) carry(k, layer.begin);
  for (int i = 0; i < layer.rank; ++i) {
    const int k = layer.first + i, p = layer.begin + i;
    zeta_[k] = rest_[p] / R_(k, p);
    carry(k, p + 1);
  }
}

// The size of the terms that the first `rows` entries of ζ, and h alone, give to the column at p.
double GroupQr::size_of_terms(int p, int rows) const {
  double size = std::abs(r_[p]);
  for (int k = 0; k < rows; ++k) size += std::abs(R_(k, p)) * (std::abs(zeta_[k]) + std::abs(g_[pivot_row_[k]]));
  return size;
}

double GroupQr::size_of_kept(int which) const {
  const Layer& layer = layers_[which];
  double out = 0;
  for (int i = 0; i < layer.rank; ++i) out = std::max(out, size_of_terms(layer.begin + i, layer.first + i));
  return out;
}

bool GroupQr::settle(int which, double consistency, double size, const VecX<>* importance) {
  const Layer& layer = layers_[which];
  for (int p = layer.begin + layer.rank; p < layer.end; ++p)
    if (!(std::abs(rest_[p]) <= consistency * std::max(size, size_of_terms(p, layer.first + layer.rank)))) {
      least_squares(layer, importance);
      return false;
    }
  return true;
}

// min |G ζ − rhs| over the layer's own rows of ζ: G = the layer's part of Rᵀ, which has full column rank.
void GroupQr::least_squares(const Layer& layer, const VecX<>* importance) {
  const int count = layer.end - layer.begin, rank = layer.rank;
  for (int i = 0; i < count; ++i) {
    const int p = layer.begin + i;
    const double weight = importance ? (*importance)[group_.columns[order_[p]]] : 1;
    double rest = r_[p];
    for (int k = 0; k < layer.first; ++k) rest -= R_(k, p) * zeta_[k];
    rhs_[i] = weight * rest;
    for (int k = 0; k < rank; ++k) G_(i, k) = i < rank && k > i ? 0.0 : weight * R_(layer.first + k, p);
  }
  for (int k = 0; k < rank; ++k) {
    auto w = G_.col(k).segment(k, count - k);
    const Reflector reflector = reflector_of(w[0], w.squaredNorm());
    w[0] = reflector.w0;
    for (int j = k + 1; j < rank; ++j) {
      auto x = G_.col(j).segment(k, count - k);
      x -= reflector.beta * w.dot(x) * w;
    }
    auto x = rhs_.segment(k, count - k);
    x -= reflector.beta * w.dot(x) * w;
    w[0] = reflector.length;
  }
  for (int k = rank - 1; k >= 0; --k) {
    double rest = rhs_[k];
    for (int j = k + 1; j < rank; ++j) rest -= G_(k, j) * zeta_[layer.first + j];
    zeta_[layer.first + k] = rest / G_(k, k);
  }
}

// Writes Q of rotated_, which only the first `rank` reflectors change.
inline void GroupQr::rotate_back(int rank, VecX<>& out) {
  for (int k = rank - 1; k >= 0; --k) reflect(k, rotated_.data());
  scatter(rotated_, out);
}

void GroupQr::solution(VecX<>& y) {
  rotated_.setZero();
  for (int k = 0; k < rank(); ++k) rotated_[pivot_row_[k]] = zeta_[k] - g_[pivot_row_[k]];
  rotate_back(rank(), y);
}

void GroupQr::physical_part(VecX<>& y) {
  rotated_.setZero();
  for (int k = 0; k < layers_[0].rank; ++k) rotated_[pivot_row_[k]] = zeta_[k] - g_[pivot_row_[k]];
  rotate_back(layers_[0].rank, y);
}

void GroupQr::rotated_solution(VecX<>& z) const {
  for (int k = 0; k < rank(); ++k) z[group_.rows[pivot_row_[k]]] = zeta_[k] - g_[pivot_row_[k]];
}

void GroupQr::rotate(VecX<>& x) {
  gather(x, rotated_);
  for (int k = 0; k < rank(); ++k) reflect(k, rotated_.data());
  scatter(rotated_, x);
}

// R x = solved_ over the first `rows` kept columns, by back substitution in place.
void GroupQr::back_substitute(int rows, VecX<>& out) {
  rest_.setZero();  // x where the columns stand
  for (int k = rows - 1; k >= 0; --k) {
    const int p = position_of(k);
    double rest = solved_[k];
    for (int j = p + 1; j < m_; ++j) rest -= R_(k, j) * rest_[j];
    rest_[p] = rest / R_(k, p);
  }
  for (int p = 0; p < m_; ++p) out[group_.columns[order_[p]]] = rest_[p];
}

void GroupQr::multipliers(VecX<>& lambda) {
  for (int k = 0; k < rank(); ++k) solved_[k] = zeta_[k] - g_[pivot_row_[k]];
  back_substitute(rank(), lambda);
}

// How many rows of R the column at p has.
int GroupQr::rows_of_R(int p) const {
  const Layer& layer = layers_[p < layers_[0].end ? 0 : 1];
  return layer.first + std::min(layer.rank, p - layer.begin + 1);
}

void GroupQr::dependence(int dropped, VecX<>& coefficients) {
  const int p = position_[dropped], rows = rows_of_R(p);
  for (int k = 0; k < rows; ++k) solved_[k] = R_(k, p);
  back_substitute(rows, coefficients);
}

void GroupQr::column(int column, VecX<>& out) {
  const int p = position_[column], rows = rows_of_R(p);
  rotated_.setZero();
  for (int k = 0; k < rows; ++k) rotated_[pivot_row_[k]] = R_(k, p);
  rotate_back(rows, out);
}

bool GroupQr::kept(int column) const {
  const int p = position_[column];
  const Layer& layer = layers_[p < layers_[0].end ? 0 : 1];
  return p - layer.begin < layer.rank;
}

double GroupQr::norm(int column) const { return std::sqrt(own_norm2_[position_[column]]); }

double GroupQr::pivot(int column) const {
  const int p = position_[column];
  return std::abs(R_(rows_of_R(p) - 1, p));
}

double GroupQr::control_change(int column, const VecX<>& rotated) const {
  const int p = position_[column], rows = rows_of_R(p);
  double out = 0;
  for (int k = layers_[0].rank; k < rows; ++k) out += R_(k, p) * rotated[group_.rows[pivot_row_[k]]];
  return out;
}

}  // namespace trammel
