#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "trammel/expression/operations.h"

namespace trammel {

/// A function of one number through samples (x_i, y_i), x_0 < x_1 < … < x_n, in pieces: on x_i ≤ x ≤ x_{i+1}, with d = x − x_i,
///
///   f = c_0 + c_1 d + … + c_5 d⁵,     f′ and f″ are those of this polynomial.
///
/// `cubic` is twice continuously differentiable. Ends that refuse are not-a-knot: f‴ too is continuous at x_1 and x_{n−1}, so
/// that the error is O(h⁴) up to the ends, and cubics are met exactly (three samples make a parabola, two a line). Ends that hold are at rest,
/// f′ = f″ = 0, so that f stays twice continuously differentiable where it is held: the cubic spline of zero end slopes, to whose first piece,
/// of length h and end curvature m, −m/2 d²(1 − d/h)³ is added, which changes nothing at x_1; likewise at the other end.
/// `linear` has kinks at the samples, where its slope is that behind them.
///
/// Beyond ends that refuse, by more than rounding, f is NaN.
class Curve {
 public:
  enum class Shape : std::uint8_t { cubic, linear };
  enum class Beyond : std::uint8_t { refuse, hold };

  /// At least two samples, finite, x rising: the caller has checked it.
  Curve(std::span<const double> x, std::span<const double> y, Shape shape, Beyond beyond);

  expression::Derivatives at(double x) const;

  Shape shape() const { return shape_; }
  Beyond beyond() const { return beyond_; }
  double first() const { return x_.front(); }
  double last() const { return x_.back(); }
  bool reaches(double x) const { return beyond_ == Beyond::hold || (x >= first() - slack_ && x <= last() + slack_); }

 private:
  std::vector<double> x_;
  std::vector<std::array<double, 6>> pieces_;
  Shape shape_;
  Beyond beyond_;
  double slack_, last_value_;
};

}  // namespace trammel
