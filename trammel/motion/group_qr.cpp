#include "trammel/motion/group_qr.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "trammel/math/short_vectors.h"

namespace trammel {
namespace {

using short_vectors::ConstPairAt;
using short_vectors::Pair;
using short_vectors::PairAt;

struct Reflector {
  double w0, beta, length;
};

// The reflector that sends a vector with entry x₀, and squares of all others `rest`, to `length` there: w is the vector with
// w₀ in place of x₀.
Reflector reflector_of(double x0, double rest) {
  if (rest == 0) return {1, 0, x0};
  const double length = std::sqrt(x0 * x0 + rest);
  const double w0 = x0 <= 0 ? x0 - length : -rest / (x0 + length);
  return {w0, 2 / (rest + w0 * w0), length};
}

// Rows of some ranges.
template <class Ranges, class Visit>
inline void for_rows(const Ranges& ranges, Visit visit) {
  for (const auto& [begin, end] : ranges)
    for (int i = begin; i < end; ++i) visit(i);
}

// The same two at a time, from an even row to an even row.
template <class Ranges, class Visit>
inline void for_pairs(const Ranges& ranges, Visit visit) {
  for (const auto& [begin, end] : ranges)
    for (int i = begin & ~1; i < end; i += 2) visit(i);
}

// a · b over these.
template <class Ranges>
inline double dot(const Ranges& ranges, const double* a, const double* b) {
  Pair sum = Pair::Zero();
  for_pairs(ranges, [&](int i) { sum += ConstPairAt(a + i) * ConstPairAt(b + i); });
  return sum[0] + sum[1];
}

}  // namespace

GroupQr::GroupQr(ColumnGroup group)
    : group_(std::move(group)),
      n_(static_cast<int>(group_.rows.size())),
      m_(static_cast<int>(group_.columns.size())),
      Y_(RowMatX::Zero(n_, m_ + m_ % 2)),
      R_(RowMatX::Zero(std::min(n_, m_), Y_.cols())),
      W_(MatX<>::Zero(n_, R_.rows())),
      order_(m_),
      position_(m_),
      pivot_row_(R_.rows()),
      left_(group_.blocks.size()),
      touched_(Y_.cols()),
      reflected_(R_.rows()),
      ranges_(R_.rows() * group_.blocks.size()),
      range_count_(R_.rows()),
      beta_(R_.rows()),
      norm2_(Y_.cols()),
      own_norm2_(VecX<>::Constant(Y_.cols(), std::numeric_limits<double>::quiet_NaN())),
      r_(m_),
      g_(n_),
      zeta_(m_),
      rotated_(n_),
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
  for (std::size_t i = 0; i < left_.size(); ++i) left_[i] = group_.blocks[i].size;
  const int width = static_cast<int>(Y_.cols());
  for (int c = 0; c < width; c += 2) {
    Pair sum = Pair::Zero();
    for (int i = 0; i < n_; ++i) sum += ConstPairAt(&Y_(i, c)).square();
    norm2_.segment<2>(c) = sum;
    own_norm2_.segment<2>(c) = sum;
  }
}

double GroupQr::largest(int layer) const {
  double out = 0;
  for (int p = layers_[layer].begin; p < layers_[layer].end; ++p) out = std::max(out, own_norm2_[p]);
  return std::sqrt(out);
}

// Where the column stands of which most is left; −1 if none stands out.
inline int GroupQr::best_position(int begin, int end, double floor_of_column) const {
  int best = -1;
  double most = 0;
  for (int p = begin; p < end; ++p)
    if (norm2_[p] > most && norm2_[p] > floor_of_column * floor_of_column * own_norm2_[p]) {
      best = p;
      most = norm2_[p];
    }
  return best;
}

// The first row where the column at p is not zero; −1 if there is none. Blocks before that row's are taken out of `blocks`.
inline int GroupQr::first_row(int p, Blocks& blocks) const {
  for (; blocks != 0; blocks &= blocks - 1) {
    const ColumnGroup::Block& block = group_.blocks[std::countr_zero(blocks)];
    for (int i = block.begin; i < block.end; ++i)
      if (Y_(i, p) != 0) return i;
  }
  return -1;
}

// The rows of the k-th reflector from `row` on; blocks that follow each other are one range.
inline void GroupQr::find_ranges(int k, int row) {
  Range* out = &ranges_[k * group_.blocks.size()];
  std::size_t count = 0;
  int padded_end = -1;
  for (Blocks blocks = reflected_[k]; blocks != 0; blocks &= blocks - 1) {
    const ColumnGroup::Block& block = group_.blocks[std::countr_zero(blocks)];
    if (block.begin == padded_end)
      out[count - 1].end = block.begin + block.size;
    else
      out[count++] = {std::max(row, block.begin), block.begin + block.size};
    padded_end = block.end;
  }
  range_count_[k] = count;
}

// The column at p as the k-th reflector. Returns its length; zero, and there is none, if that is not above `floor`.
inline double GroupQr::make_reflector(int k, int p, double floor) {
  Blocks blocks = touched_[p];
  const int row = first_row(p, blocks);
  if (row < 0) return 0;
  reflected_[k] = blocks;
  find_ranges(k, row);
  double* w = W_.col(k).data();
  const double* y = &Y_(0, p);
  const Eigen::Index stride = Y_.cols();
  w[row & ~1] = 0;
  for_rows(ranges(k), [&](int i) { w[i] = y[i * stride]; });
  w[row] = 0;
  const Reflector reflector = reflector_of(y[row * stride], dot(ranges(k), w, w));
  if (!(std::abs(reflector.length) > floor)) return 0;
  w[row] = reflector.w0;
  beta_[k] = reflector.beta;
  pivot_row_[k] = row;
  R_(k, p) = reflector.length;
  return std::abs(reflector.length);
}

// x ← (1 − β w wᵀ) x by the k-th reflector, for 2·pairs columns side by side.
template <int pairs>
inline void GroupQr::reflect_columns(int k, int first) {
  using Lanes = Eigen::Array<double, 2 * pairs, 1>;
  const double* w = W_.col(k).data();
  double* y = &Y_(0, first);
  const Eigen::Index stride = Y_.cols();
  Lanes s = Lanes::Zero();
  for_rows(ranges(k), [&](int i) { s += w[i] * Eigen::Map<const Lanes, Eigen::Aligned16>(y + i * stride); });
  s *= beta_[k];
  for_rows(ranges(k), [&](int i) { Eigen::Map<Lanes, Eigen::Aligned16>(y + i * stride) -= w[i] * s; });
}

// Reflects the columns at positions begin … end − 1 by the k-th reflector, and moves their entries in its row to R.
inline void GroupQr::eliminate(int k, int begin, int end) {
  const int row = pivot_row_[k];
  int first = begin & ~1;
  for (; end - first > 6; first += 8) reflect_columns<4>(k, first);
  if (end - first > 4)
    reflect_columns<3>(k, first);
  else if (end - first > 2)
    reflect_columns<2>(k, first);
  else if (end > first)
    reflect_columns<1>(k, first);

  const Blocks blocks = reflected_[k], block = blocks & -blocks;  // that of the row
  const Blocks used_up = left_[std::countr_zero(block)] == 0 ? block : 0;
  double *y = &Y_(row, 0), *R = &R_(k, 0);
  for (int p = begin; p < end; ++p) {
    const double moved = y[p];
    y[p] = 0;
    R[p] = moved;
    if ((touched_[p] & blocks) != 0) touched_[p] = (touched_[p] | blocks) & ~used_up;
    norm2_[p] -= moved * moved;
    // too much has cancelled for the running norm to be trusted
    if (norm2_[p] < 1e-6 * own_norm2_[p]) norm2_[p] = norm2_left(p);
  }
}

inline double GroupQr::norm2_left(int p) const {
  double out = 0;
  for (int i = 0; i < n_; ++i) out += Y_(i, p) * Y_(i, p);
  return out;
}

// Brings the column at q, whose k-th reflector is made, to p; what stood there goes to q.
inline void GroupQr::bring(int k, int q, int p) {
  if (p == q) return;
  for (int i = 0; i < n_; ++i) Y_(i, q) = Y_(i, p);
  for (int j = 0; j <= k; ++j) std::swap(R_(j, p), R_(j, q));
  std::swap(norm2_[p], norm2_[q]);
  std::swap(own_norm2_[p], own_norm2_[q]);
  std::swap(touched_[p], touched_[q]);
  std::swap(order_[p], order_[q]);
  position_[order_[p]] = p;
  position_[order_[q]] = q;
}

void GroupQr::factorize(int which, double floor, double floor_of_column) {
  Layer& layer = layers_[which];
  layer.first = which == 0 ? 0 : layers_[0].rank;
  layer.rank = 0;
  layer.smallest = std::numeric_limits<double>::infinity();
  for (int p = layer.begin; p < layer.end; ++p, ++layer.rank) {
    const int best = best_position(p, layer.end, floor_of_column), k = layer.first + layer.rank;
    if (best < 0) break;
    const double pivot = make_reflector(k, best, floor);
    if (pivot == 0) break;
    layer.smallest = std::min(layer.smallest, pivot);
    --left_[std::countr_zero(reflected_[k])];
    bring(k, best, p);
    eliminate(k, p + 1, m_);
  }
}

// x ← (1 − β w wᵀ) x by the k-th reflector.
inline void GroupQr::reflect(int k, double* x) const {
  const double* w = W_.col(k).data();
  const double s = beta_[k] * dot(ranges(k), w, x);
  for_pairs(ranges(k), [&](int i) { PairAt(x + i) -= s * ConstPairAt(w + i); });
}

inline void GroupQr::gather(const VecX<>& from, VecX<>& to) const {
  for (int i = 0; i < n_; ++i) to[i] = group_.rows[i] < 0 ? 0 : from[group_.rows[i]];
}

inline void GroupQr::scatter(const VecX<>& from, VecX<>& to) const {
  for (int i = 0; i < n_; ++i)
    if (group_.rows[i] >= 0) to[group_.rows[i]] = from[i];
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
    const Reflector reflector = reflector_of(w[0], w.tail(count - k - 1).squaredNorm());
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
