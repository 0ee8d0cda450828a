#include "trammel/motion/layered_qr.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace trammel {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// Makes x into the reflector 1 − β w wᵀ (w₀ = 1 not stored) that sends it to a multiple of e₀, which stands in x₀ afterwards.
double make_reflector(Eigen::Ref<VecX<>> x) {
  const double tail = x.tail(x.size() - 1).squaredNorm();
  if (tail == 0) return 0;
  const double length = std::sqrt(x[0] * x[0] + tail);
  const double x0 = x[0], w0 = x0 <= 0 ? x0 - length : -tail / (x0 + length);
  x[0] = length;
  x.tail(x.size() - 1) /= w0;
  return 2 * w0 * w0 / (tail + w0 * w0);
}

// x ← (1 − β w wᵀ) x, w as make_reflector leaves it.
template <class Vector, class Reflector>
void reflect(const Reflector& w, double beta, Vector&& x) {
  const int n = static_cast<int>(x.size());
  const double s = beta * (x[0] + w.tail(n - 1).dot(x.tail(n - 1)));
  x[0] -= s;
  x.tail(n - 1) -= s * w.tail(n - 1);
}

}  // namespace

LayeredQr::LayeredQr(int n, int max_columns)
    : n_(n),
      order_(max_columns),
      position_(max_columns),
      beta_(max_columns),
      norm2_(max_columns),
      own_norm2_(max_columns),
      rhs_(max_columns),
      g_(n),
      zeta_(n),
      z_(n),
      solved_(n),
      G_(max_columns, std::min(n, max_columns)) {}

// Brings the best column of the layer to `position`, reflects it and all columns that may still be taken.
void LayeredQr::eliminate(int row, int position, int layer_end) {
  MatX<>& Y = *Y_;
  const int below = n_ - row;
  beta_[position] = make_reflector(Y.col(position).tail(below));
  const auto w = Y.col(position).tail(below);
  const auto pass = [&](int c) {
    reflect(w, beta_[position], Y.col(c).tail(below));
    norm2_[c] -= Y(row, c) * Y(row, c);
    // too much has cancelled for the running norm to be trusted
    if (norm2_[c] < 1e-6 * own_norm2_[c]) norm2_[c] = Y.col(c).tail(below - 1).squaredNorm();
  };
  for (int c = position + 1; c < layer_end; ++c) pass(c);
  for (int c = std::max(layer_end, physical_); c < m_; ++c) pass(c);
}

int LayeredQr::factorize_layer(int first_row, int begin, int end, double floor_of_layer, double floor_of_column) {
  MatX<>& Y = *Y_;
  int rank = 0;
  for (int position = begin; position < end && first_row + rank < n_; ++position, ++rank) {
    int best = -1;
    for (int c = position; c < end; ++c) {
      const bool stands_out = norm2_[c] > floor_of_column * floor_of_column * own_norm2_[c];
      if (stands_out && (best < 0 || norm2_[c] > norm2_[best])) best = c;
    }
    if (best < 0 || norm2_[best] <= 0) break;
    const double pivot = Y.col(best).tail(n_ - first_row - rank).norm();
    if (begin == 0 && rank == 0) largest_ = pivot;
    if (!(pivot > floor_of_layer * largest_) || !(pivot > noise_)) break;
    if (best != position) {
      Y.col(position).swap(Y.col(best));
      std::swap(norm2_[position], norm2_[best]);
      std::swap(own_norm2_[position], own_norm2_[best]);
      std::swap(order_[position], order_[best]);
    }
    eliminate(first_row + rank, position, end);
  }
  return rank;
}

void LayeredQr::factorize(MatX<>& Y, int physical, const RankTolerance& tolerance, const VecX<>* importance,
                          double noise_floor) {
  Y_ = &Y;
  noise_ = noise_floor;
  importance_ = importance;
  m_ = static_cast<int>(Y.cols());
  physical_ = physical;
  largest_ = 0;
  // dropped rows may differ from what they depend on by as much as the tolerance lets pass, and no more
  consistency_ = std::max(1e-9, 100 * tolerance.relative);
  std::iota(order_.begin(), order_.begin() + m_, 0);
  for (int c = 0; c < m_; ++c) norm2_[c] = own_norm2_[c] = Y.col(c).squaredNorm();

  physical_rank_ = factorize_layer(0, 0, physical, tolerance.relative, 0);
  double noise = tolerance.relative;
  if (physical_rank_ > 0) {
    const double smallest = std::abs(Y(physical_rank_ - 1, physical_rank_ - 1)) / largest_;
    noise = std::max(noise, 10 * eps / smallest);
  }
  control_rank_ = factorize_layer(physical_rank_, physical, m_, 0, noise);
  for (int p = 0; p < m_; ++p) position_[order_[p]] = p;
}

bool LayeredQr::kept(int column) const {
  const int position = position_[column];
  return position < physical_ ? position < physical_rank_ : position < physical_ + control_rank_;
}

double LayeredQr::pivot(int column) const {
  const int position = position_[column];
  return std::abs((*Y_)(row_of(position), position)) / largest_;
}

double LayeredQr::weakest_pivot() const {
  double out = 1;
  for (int row = 0; row < rank(); ++row) out = std::min(out, std::abs((*Y_)(row, position_of(row))) / largest_);
  return out;
}

// r of the column at `position`, less what the first `rows` entries of ζ give it; `size` is that of the terms, and of those
// that h alone would give.
double LayeredQr::remainder(const VecX<>& r, int position, int rows, double& size) const {
  double rest = r[order_[position]];
  size = std::abs(rest);
  for (int i = 0; i < rows; ++i) {
    const double R = (*Y_)(i, position);
    rest -= R * zeta_[i];
    size += std::abs(R) * (std::abs(zeta_[i]) + std::abs(g_[i]));
  }
  return rest;
}

bool LayeredQr::solve_layer(const VecX<>& r, int first_row, int rank, int begin, int end) {
  double size = 0, largest = 0;
  for (int k = 0; k < rank; ++k) {
    zeta_[first_row + k] = remainder(r, begin + k, first_row + k, size) / (*Y_)(first_row + k, begin + k);
    largest = std::max(largest, size);
  }
  for (int position = begin + rank; position < end; ++position) {
    const double rest = remainder(r, position, first_row + rank, size);
    if (!(std::abs(rest) <= consistency_ * std::max(size, largest))) {
      least_squares(r, first_row, rank, begin, end);
      return false;
    }
  }
  return true;
}

// min |G ζ − rhs| over the layer's own rows of ζ: G = the layer's part of Rᵀ, which has full column rank.
void LayeredQr::least_squares(const VecX<>& r, int first_row, int rank, int begin, int end) {
  const int count = end - begin;
  double size = 0;
  auto G = G_.topLeftCorner(count, rank);
  for (int c = 0; c < count; ++c) {
    const double weight = importance_ ? (*importance_)[order_[begin + c]] : 1;
    rhs_[c] = weight * remainder(r, begin + c, first_row, size);
    for (int k = 0; k < rank; ++k) G(c, k) = c < rank && k > c ? 0.0 : weight * (*Y_)(first_row + k, begin + c);
  }
  for (int k = 0; k < rank; ++k) {
    const double beta = make_reflector(G.col(k).tail(count - k));
    for (int j = k + 1; j < rank; ++j) reflect(G.col(k).tail(count - k), beta, G.col(j).tail(count - k));
    reflect(G.col(k).tail(count - k), beta, rhs_.segment(k, count - k));
  }
  for (int k = rank - 1; k >= 0; --k) {
    double rest = rhs_[k];
    for (int j = k + 1; j < rank; ++j) rest -= G(k, j) * zeta_[first_row + j];
    zeta_[first_row + k] = rest / G(k, k);
  }
}

LayeredSolution LayeredQr::solve(const VecX<>& r, const VecX<>& h, VecX<>& y) {
  g_ = h;
  rotate(g_);
  return solve_layers(r, y);
}

void LayeredQr::rotate(VecX<>& x) const {
  for (int k = 0; k < rank(); ++k) {
    const int position = position_of(k);
    reflect(Y_->col(position).tail(n_ - k), beta_[position], x.tail(n_ - k));
  }
}

double LayeredQr::control_change(int column, const VecX<>& rotated) const {
  const int position = position_[column];
  const int end = kept(column) ? row_of(position) + 1 : rank();
  double out = 0;
  for (int i = physical_rank_; i < end; ++i) out += (*Y_)(i, position) * rotated[i];
  return out;
}

LayeredSolution LayeredQr::solve(const VecX<>& r, VecX<>& y) {
  g_.setZero();
  return solve_layers(r, y);
}

LayeredSolution LayeredQr::solve_layers(const VecX<>& r, VecX<>& y) {
  LayeredSolution out;
  out.physical_contradict = !solve_layer(r, 0, physical_rank_, 0, physical_);
  out.control_contradict = !solve_layer(r, physical_rank_, control_rank_, physical_, m_);
  z_.setZero();
  z_.head(rank()) = zeta_.head(rank()) - g_.head(rank());
  y = z_;
  rotate_back(y);
  return out;
}

void LayeredQr::physical_part(VecX<>& y) const {
  y.setZero();
  y.head(physical_rank_) = z_.head(physical_rank_);
  rotate_back(y);
}

void LayeredQr::column(int column, VecX<>& out) const {
  const int position = position_[column];
  const int end = kept(column) ? row_of(position) + 1 : position < physical_ ? physical_rank_ : rank();
  out.setZero();
  out.head(end) = Y_->col(position).head(end);
  rotate_back(out);
}

// x ← Q x.
void LayeredQr::rotate_back(VecX<>& x) const {
  for (int k = rank() - 1; k >= 0; --k) {
    const int position = position_of(k);
    reflect(Y_->col(position).tail(n_ - k), beta_[position], x.tail(n_ - k));
  }
}

// R x = solved_ over the first `rows` kept columns, by back substitution in place; x is in the order of Y's columns.
void LayeredQr::back_substitute(int rows, VecX<>& x) {
  for (int k = rows - 1; k >= 0; --k) {
    for (int j = k + 1; j < rows; ++j) solved_[k] -= (*Y_)(k, position_of(j)) * solved_[j];
    solved_[k] /= (*Y_)(k, position_of(k));
  }
  x.setZero();
  for (int k = 0; k < rows; ++k) x[order_[position_of(k)]] = solved_[k];
}

void LayeredQr::multipliers(VecX<>& lambda) {
  solved_.head(rank()) = z_.head(rank());
  back_substitute(rank(), lambda);
}

void LayeredQr::dependence(int dropped, VecX<>& coefficients) {
  const int position = position_[dropped];
  const int rows = position < physical_ ? physical_rank_ : rank();
  solved_.head(rows) = Y_->col(position).head(rows);
  back_substitute(rows, coefficients);
}

}  // namespace trammel
