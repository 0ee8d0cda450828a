#include "trammel/expression/curve.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "trammel/math/eps.h"

namespace trammel {
namespace {

// Lengths and mean slopes of the pieces.
struct Pieces {
  std::vector<double> h, slope;
};

// Slopes of the cubic spline at the samples, by what each inner one says of its neighbours,
//
//   h_i s_{i−1} + 2(h_{i−1} + h_i) s_i + h_{i−1} s_{i+1} = 3(h_i δ_{i−1} + h_{i−1} δ_i)
//
// and by the ends. Eliminated from the first to the last: row i says s_i = right_i − upper_i s_{i+1}.
class Elimination {
 public:
  explicit Elimination(std::size_t count) : upper_(count), right_(count) {}

  void row(std::size_t i, double before, double own, double behind, double right) {
    const double pivot = i == 0 ? own : own - before * upper_[i - 1];
    upper_[i] = behind / pivot;
    right_[i] = (i == 0 ? right : right - before * right_[i - 1]) / pivot;
  }
  std::vector<double> solution() && {
    for (std::size_t i = right_.size() - 1; i-- > 0;) right_[i] -= upper_[i] * right_[i + 1];
    return std::move(right_);
  }

 private:
  std::vector<double> upper_, right_;
};

std::vector<double> spline_slopes(const Pieces& p, bool at_rest) {
  const std::size_t n = p.h.size();
  if (n == 1 && !at_rest) return {p.slope[0], p.slope[0]};
  if (n == 2 && !at_rest) {  // the parabola
    const double curvature = (p.slope[1] - p.slope[0]) / (p.h[0] + p.h[1]), middle = p.slope[0] + curvature * p.h[0];
    return {p.slope[0] - curvature * p.h[0], middle, p.slope[1] + curvature * p.h[1]};
  }
  Elimination out(n + 1);
  // not-a-knot: from h_0 at the end and h_1 behind it
  const auto end = [](double h0, double h1, double slope0, double slope1) {
    return ((3 * h0 + 2 * h1) * h1 * slope0 + h0 * h0 * slope1) / (h0 + h1);
  };
  if (at_rest)
    out.row(0, 0, 1, 0, 0);
  else
    out.row(0, 0, p.h[1], p.h[0] + p.h[1], end(p.h[0], p.h[1], p.slope[0], p.slope[1]));
  for (std::size_t i = 1; i < n; ++i)
    out.row(i, p.h[i], 2 * (p.h[i - 1] + p.h[i]), p.h[i - 1], 3 * (p.h[i] * p.slope[i - 1] + p.h[i - 1] * p.slope[i]));
  if (at_rest)
    out.row(n, 0, 1, 0, 0);
  else
    out.row(n, p.h[n - 1] + p.h[n - 2], p.h[n - 2], 0, end(p.h[n - 1], p.h[n - 2], p.slope[n - 1], p.slope[n - 2]));
  return std::move(out).solution();
}

// The first piece with f″ = 0 at its beginning, and nothing else changed at its ends: −m/2 d²(1 − d/h)³, f″(0) = m.
void rest_at_begin(double h, std::array<double, 6>& c) {
  const double half = c[2];
  const double by[] = {1, -3 / h, 3 / (h * h), -1 / (h * h * h)};
  for (int k = 0; k < 4; ++k) c[2 + k] -= half * by[k];
}

// Likewise at its end: with e = h − d, −m/2 e²(1 − e/h)³ = −m/2 (h − d)² d³/h³, f″(h) = m.
void rest_at_end(double h, std::array<double, 6>& c) {
  double half = 0;  // f″(h)/2, Σ k(k − 1)/2 c_k h^{k−2}
  for (int k = 5; k >= 2; --k) half = half * h + 0.5 * k * (k - 1) * c[k];
  c[3] -= half / h;
  c[4] += 2 * half / (h * h);
  c[5] -= half / (h * h * h);
}

}  // namespace

Curve::Curve(std::span<const double> x, std::span<const double> y, Shape shape, Beyond beyond)
    : x_(x.begin(), x.end()), shape_(shape), beyond_(beyond), last_value_(y.back()) {
  assert(x.size() >= 2 && x.size() == y.size());
  const std::size_t n = x.size() - 1;
  slack_ = 1e-12 * (last() - first()) + 8 * eps * std::max(std::abs(first()), std::abs(last()));
  Pieces p;
  for (std::size_t i = 0; i < n; ++i) {
    p.h.push_back(x[i + 1] - x[i]);
    p.slope.push_back((y[i + 1] - y[i]) / p.h[i]);
  }
  const bool is_cubic = shape == Shape::cubic, at_rest = is_cubic && beyond == Beyond::hold;
  const std::vector<double> s = is_cubic ? spline_slopes(p, at_rest) : p.slope;
  for (std::size_t i = 0; i < n; ++i) {
    std::array<double, 6> c{y[i], s[i]};
    if (is_cubic) {
      c[2] = (3 * p.slope[i] - 2 * s[i] - s[i + 1]) / p.h[i];
      c[3] = (s[i] + s[i + 1] - 2 * p.slope[i]) / (p.h[i] * p.h[i]);
    }
    pieces_.push_back(c);
  }
  if (!at_rest) return;
  rest_at_begin(p.h[0], pieces_.front());
  rest_at_end(p.h[n - 1], pieces_.back());
}

expression::Derivatives Curve::at(double x) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (std::isnan(x) || !reaches(x)) return {nan, nan, nan};
  if (beyond_ == Beyond::hold && x <= first()) return {pieces_.front()[0], 0, 0};
  if (beyond_ == Beyond::hold && x >= last()) return {last_value_, 0, 0};
  const auto behind = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
  const auto i = static_cast<std::size_t>(behind - x_.begin()) - 1;
  const double d = x - x_[i];
  expression::Derivatives out{0, 0, 0};
  double half = 0;  // f″/2
  for (int k = 5; k >= 0; --k) {
    half = half * d + out.df;
    out.df = out.df * d + out.f;
    out.f = out.f * d + pieces_[i][static_cast<std::size_t>(k)];
  }
  out.ddf = 2 * half;
  return out;
}

}  // namespace trammel
