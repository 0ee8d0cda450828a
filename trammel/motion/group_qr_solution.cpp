#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/motion/group_qr.h"

// Solves with the factors of a GroupQr, after factorize().

namespace trammel {

// The rows of the k-th reflector that may differ from zero, a pack of four at a time; no pack twice.
template <class Visit>
inline void GroupQr::for_packs(int k, Visit visit) const {
  int i = steps_[k].row & ~3;
  visit(i);
  i += 4;
  for (const Range& range : ranges(k))
    for (i = std::max(i, range.begin & ~3); i < range.end; i += 4) visit(i);
}

Elimination GroupQr::elimination() const {
  Elimination out{order_, {}};
  for (int i = 0; i < 2; ++i) {
    const Layer& layer = layers_[i];
    out.layers[i] = {layer.begin, layer.end, {}};
    for (int k = layer.first; k < layer.first + layer.rank; ++k)
      out.layers[i].steps.push_back({steps_[k].row, {ranges(k).begin(), ranges(k).end()}});
  }
  return out;
}

// x ← (1 − β w wᵀ) x by the k-th reflector.
inline void GroupQr::reflect(int k, double* x) const {
  const double* w = W_.col(k).data();
  Pack4 wx = 0.0;
  for_packs(k, [&](int i) { wx += Pack4::at(x + i) * Pack4::at(w + i); });
  const double s = beta_[k] * sum(wx);
  for_packs(k, [&](int i) { (Pack4::at(x + i) - Pack4::at(w + i) * s).store(x + i); });
}

inline void GroupQr::gather(const VecX<>& from, VecX<>& to) const {
  for (int i = 0; i < n_; ++i) to[i] = from[group_.rows[i]];
  for (int i = n_; i < W_.rows(); ++i) to[i] = 0;
}

inline void GroupQr::scatter(const VecX<>& from, VecX<>& to) const {
  for (int i = 0; i < n_; ++i) to[group_.rows[i]] = from[i];
}

void GroupQr::carry(const VecX<>& h) {
  for (int i = 0; i < n_; ++i) Y_(i, m_) = h[group_.rows[i]];
}

// r by position of the columns.
inline void GroupQr::order_rows(const VecX<>& r) {
  for (int p = 0; p < m_; ++p) r_[p] = r[group_.columns[order_[p]]];
}

void GroupQr::load(const VecX<>& r) {
  order_rows(r);
  g_.setZero();
}

void GroupQr::load(const VecX<>& r, const VecX<>& h) {
  order_rows(r);
  gather(h, rotated_);
  for (int k = 0; k < rank(); ++k) reflect(k, rotated_.data());
  for (int k = 0; k < rank(); ++k) g_[k] = rotated_[steps_[k].row];
}

void GroupQr::load_carried(const VecX<>& r) {
  order_rows(r);
  for (int k = 0; k < rank(); ++k) g_[k] = R_(k, m_);
}

void GroupQr::substitute(int which) {
  const Layer& layer = layers_[which];
  for (int p = layer.begin; p < layer.end; ++p) rest_[p] = r_[p];
  // rest ← rest − R_kᵀ ζ_k for the layer's columns, in whole packs: positions before `from` are not read again
  const auto subtract = [&](int k, int from) {
    const double *R = &R_(k, 0), zeta = zeta_[k];
    for (int p = from & ~3; p < layer.end; p += 4) (Pack4::at(&rest_[p]) - Pack4::at(R + p) * zeta).store(&rest_[p]);
  };
  for (int k = 0; k < layer.first; ++k) subtract(k, layer.begin);
  for (int i = 0; i < layer.rank; ++i) {
    const int k = layer.first + i, p = layer.begin + i;
    zeta_[k] = rest_[p] * inverse_length_[k];
    subtract(k, p + 1);
  }
}

void GroupQr::omit(int which) {
  const Layer& layer = layers_[which];
  for (int k = layer.first; k < layer.first + layer.rank; ++k) zeta_[k] = g_[k];
}

// The size of the terms of the column at p in Rᵀζ = r: |r_p| + Σ_k |R_kp| (|ζ_k| + |g_k|), over the rows above its pivot where it is kept.
double GroupQr::size_of_kept(int which) {
  const Layer& layer = layers_[which];
  for (int p = layer.begin; p < layer.end; ++p) terms_[p] = std::abs(r_[p]);
  const auto add = [&](int k, int from) {
    const double *R = &R_(k, 0), size = std::abs(zeta_[k]) + std::abs(g_[k]);
    for (int p = from; p < layer.end; ++p) terms_[p] += std::abs(R[p]) * size;
  };
  for (int k = 0; k < layer.first; ++k) add(k, layer.begin);
  double out = 0;
  for (int i = 0; i < layer.rank; ++i) {
    out = std::max(out, terms_[layer.begin + i]);
    add(layer.first + i, layer.begin + i + 1);
  }
  return out;
}

bool GroupQr::check_dropped(int which, double consistency, double size, const VecX<>& importance) {
  const Layer& layer = layers_[which];
  bool agree = true;
  for (int p = layer.begin + layer.rank; p < layer.end; ++p) {
    agrees_[p] = disregarded_[p] != 0 || std::abs(rest_[p]) <= consistency * std::max(size, terms_[p]);
    agree &= agrees_[p] != 0;
  }
  if (!agree) least_squares(layer, importance);
  return agree;
}

// min |G ζ − rhs| over the layer's own rows of ζ: G = the layer's part of Rᵀ, which has full column rank.
void GroupQr::least_squares(const Layer& layer, const VecX<>& importance) {
  const int count = layer.end - layer.begin, rank = layer.rank;
  for (int i = 0; i < count; ++i) {
    const int p = layer.begin + i;
    const double weight = importance.size() > 0 ? importance[group_.columns[order_[p]]] : 1;
    double rest = r_[p];
    for (int k = 0; k < layer.first; ++k) rest -= R_(k, p) * zeta_[k];
    rhs_[i] = weight * rest;
    for (int k = 0; k < rank; ++k) G_(i, k) = i < rank && k > i ? 0.0 : weight * R_(layer.first + k, p);
  }
  for (int k = 0; k < rank; ++k) {
    auto w = G_.col(k).segment(k, count - k);
    const Reflector<> reflector = reflector_of(w[0], w.squaredNorm());
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

// Writes Q rotated_; only the first `rank` reflectors change it.
inline void GroupQr::rotate_back(int rank, VecX<>& out) {
  for (int k = rank - 1; k >= 0; --k) reflect(k, rotated_.data());
  scatter(rotated_, out);
}

void GroupQr::solution(VecX<>& y) {
  rotated_.setZero();
  for (int k = 0; k < rank(); ++k) rotated_[steps_[k].row] = zeta_[k] - g_[k];
  rotate_back(rank(), y);
}

void GroupQr::physical_part(VecX<>& y) {
  rotated_.setZero();
  for (int k = 0; k < layers_[0].rank; ++k) rotated_[steps_[k].row] = zeta_[k] - g_[k];
  rotate_back(layers_[0].rank, y);
}

double GroupQr::square_of_solution() const {
  double out = 0;
  for (int k = 0; k < rank(); ++k) out += (zeta_[k] - g_[k]) * (zeta_[k] - g_[k]);
  return out;
}

void GroupQr::rotate(RowMatX& x, int first) {
  for (int i = 0; i < n_; ++i) Pack4::at(&x(group_.rows[i], first)).store(&rotated4_(i, 0));
  const auto at = [&](int i) { return rotated4_.data() + 4 * i; };
  for (int k = 0; k < rank(); ++k) {
    const double* w = W_.col(k).data();
    const int row = steps_[k].row;
    Pack4 s = Pack4::at(at(row)) * w[row];
    for (const Range& range : ranges(k))
      for (int i = range.begin; i < range.end; ++i) s += Pack4::at(at(i)) * w[i];
    s *= beta_[k];
    (Pack4::at(at(row)) - s * w[row]).store(at(row));
    for (const Range& range : ranges(k))
      for (int i = range.begin; i < range.end; ++i) (Pack4::at(at(i)) - s * w[i]).store(at(i));
  }
  for (int i = 0; i < n_; ++i) Pack4::at(&rotated4_(i, 0)).store(&x(group_.rows[i], first));
}

// R x = solved_ over the first `rows` kept columns, by back substitution in place.
void GroupQr::back_substitute(int rows, VecX<>& out) {
  rest_.setZero();  // x by position
  for (int k = rows - 1; k >= 0; --k) {
    const int p = position_of(k);
    double rest = solved_[k];
    for (int j = p + 1; j < m_; ++j) rest -= R_(k, j) * rest_[j];
    rest_[p] = rest / R_(k, p);
  }
  for (int p = 0; p < m_; ++p) out[group_.columns[order_[p]]] = rest_[p];
}

void GroupQr::multipliers(VecX<>& lambda) {
  for (int k = 0; k < rank(); ++k) solved_[k] = zeta_[k] - g_[k];
  back_substitute(rank(), lambda);
}

// How many rows of R the column at p has.
int GroupQr::rows_of_R(int p) const {
  const Layer& layer = layers_[p < layers_[0].end ? 0 : 1];
  return layer.first + std::min(layer.rank, p - layer.begin + 1);
}

void GroupQr::dependence(int column, VecX<>& coefficients) {
  const int p = position_[column], rows = rows_of_R(p) - (kept(column) ? 1 : 0);
  for (int k = 0; k < rows; ++k) solved_[k] = R_(k, p);
  back_substitute(rows, coefficients);
}

void GroupQr::column(int column, VecX<>& out) {
  const int p = position_[column], rows = rows_of_R(p);
  rotated_.setZero();
  for (int k = 0; k < rows; ++k) rotated_[steps_[k].row] = R_(k, p);
  rotate_back(rows, out);
}

bool GroupQr::kept(int column) const {
  const int p = position_[column];
  const Layer& layer = layers_[p < layers_[0].end ? 0 : 1];
  return p - layer.begin < layer.rank;
}

void GroupQr::disregard(int column) {
  const int p = position_[column];
  disregarded_[p] = 1;
  if (kept(column)) inverse_length_[rows_of_R(p) - 1] = 0;
}

double GroupQr::norm(int column) const { return std::sqrt(initial_norm2_[position_[column]]); }

double GroupQr::pivot(int column) const {
  const int p = position_[column];
  return std::abs(R_(rows_of_R(p) - 1, p));
}

double GroupQr::smallest_part(const VecX<>& per, bool physical_alone) const {
  double out = std::numeric_limits<double>::infinity();
  for (int k = 0, end = physical_alone ? layers_[0].rank : rank(); k < end; ++k) {
    const int p = position_of(k);
    out = std::min(out, std::abs(R_(k, p)) * per[group_.columns[order_[p]]]);
  }
  return out;
}

double GroupQr::control_change(int column, const double* rotated, int stride) const {
  const int p = position_[column], rows = rows_of_R(p);
  double out = 0;
  for (int k = layers_[0].rank; k < rows; ++k) out += R_(k, p) * rotated[group_.rows[steps_[k].row] * stride];
  return out;
}

double GroupQr::control_change_of_solution(int column) const {
  const int p = position_[column], rows = rows_of_R(p);
  double out = 0;
  for (int k = layers_[0].rank; k < rows; ++k) out += R_(k, p) * (zeta_[k] - g_[k]);
  return out;
}

}  // namespace trammel
