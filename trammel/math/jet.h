#pragma once

#include <cmath>
#include <compare>
#include <limits>
#include <ostream>

#include "trammel/math/vector.h"

#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "jet.h says 'no derivative here' with inf and NaN: compile without -ffast-math or -ffinite-math-only"
#endif

namespace trammel {

/// Value, rate and second rate of a scalar u(t) at one t: exact derivatives along a motion. With ′ = d/dt,
///
///   (u v)′ = u′ v + u v′          (u v)″ = u″ v + 2 u′ v′ + u v″
///   (f∘u)′ = f′(u) u′             (f∘u)″ = f″(u) u′² + f′(u) u″
///
/// If u is in metres and t in seconds, the three are m, m/s, m/s². Jets compare by value alone, so a template runs
/// through the same branches with jets as with doubles.
///
/// Singular cases: where a rate does not exist it comes out infinite or NaN, never as a wrong finite number; the value
/// is what the same function of doubles gives. Each function names its own cases. Two conventions:
/// - At the edge of a domain (√u, uᵖ at 0) rates are one-sided.
/// - u′ = u″ = 0 means constant, so f(u) has zero rates wherever f has a value, f′(u) infinite or not: √0 is 0. Three
///   numbers cannot tell a constant from a slower start: √(t⁴) at t = 0 loses its second rate, 2.
///
/// The functions are friends, found only through an argument that is a Jet: sin(1.0) stays a double in this namespace.
struct Jet {
  double x = 0;    // value
  double dx = 0;   // rate
  double ddx = 0;  // second rate

  constexpr Jet() = default;
  constexpr Jet(double value, double rate = 0, double second = 0) : x(value), dx(rate), ddx(second) {}

  constexpr bool constant() const { return dx == 0 && ddx == 0; }

  /// f∘u from f, f′ and f″ at u: the way to add a function. u′ = 0 silences an infinite f″ but not an infinite f′;
  /// among the functions here only uᵖ with 1 < p < 2 has an infinite f″ beside a finite f′, and there it is right:
  /// u ~ t² makes uᵖ ~ |t|²ᵖ, whose second rate is 0.
  friend constexpr Jet chain(const Jet& u, double f, double df, double ddf) {
    if (u.constant()) return {f, f - f, f - f};  // zeros, or NaN when f is inf or NaN
    return {f, df * u.dx, (u.dx == 0 ? 0 : ddf * u.dx * u.dx) + df * u.ddx};
  }

  friend constexpr Jet operator+(const Jet& u) { return u; }
  friend constexpr Jet operator-(const Jet& u) { return {-u.x, -u.dx, -u.ddx}; }

  friend constexpr Jet operator+(const Jet& u, const Jet& v) { return {u.x + v.x, u.dx + v.dx, u.ddx + v.ddx}; }
  friend constexpr Jet operator+(const Jet& u, double k) { return {u.x + k, u.dx, u.ddx}; }
  friend constexpr Jet operator+(double k, const Jet& u) { return {k + u.x, u.dx, u.ddx}; }

  friend constexpr Jet operator-(const Jet& u, const Jet& v) { return {u.x - v.x, u.dx - v.dx, u.ddx - v.ddx}; }
  friend constexpr Jet operator-(const Jet& u, double k) { return {u.x - k, u.dx, u.ddx}; }
  friend constexpr Jet operator-(double k, const Jet& u) { return {k - u.x, -u.dx, -u.ddx}; }

  friend constexpr Jet operator*(const Jet& u, const Jet& v) {
    return {u.x * v.x, u.dx * v.x + u.x * v.dx, u.ddx * v.x + 2 * u.dx * v.dx + u.x * v.ddx};
  }
  friend constexpr Jet operator*(const Jet& u, double k) { return {u.x * k, u.dx * k, u.ddx * k}; }
  friend constexpr Jet operator*(double k, const Jet& u) { return u * k; }

  /// q = u / v solves q v = u, rate by rate. v = 0: value ±inf or NaN as for doubles, rates never finite; a removable
  /// 0/0 such as sin(t)/t is not resolved.
  friend constexpr Jet operator/(const Jet& u, const Jet& v) {
    const double q = u.x / v.x;
    const double dq = (u.dx - q * v.dx) / v.x;
    return {q, dq, (u.ddx - 2 * dq * v.dx - q * v.ddx) / v.x};
  }
  friend constexpr Jet operator/(const Jet& u, double k) { return {u.x / k, u.dx / k, u.ddx / k}; }

  constexpr Jet& operator+=(const auto& v) { return *this = *this + v; }
  constexpr Jet& operator-=(const auto& v) { return *this = *this - v; }
  constexpr Jet& operator*=(const auto& v) { return *this = *this * v; }
  constexpr Jet& operator/=(const auto& v) { return *this = *this / v; }

  friend constexpr bool operator==(const Jet& u, const Jet& v) { return u.x == v.x; }
  friend constexpr auto operator<=>(const Jet& u, const Jet& v) { return u.x <=> v.x; }

  friend bool isfinite(const Jet& u) { return std::isfinite(u.x) && std::isfinite(u.dx) && std::isfinite(u.ddx); }
  friend bool isnan(const Jet& u) { return std::isnan(u.x) || std::isnan(u.dx) || std::isnan(u.ddx); }

  friend Jet sin(const Jet& u) {
    const double s = std::sin(u.x), c = std::cos(u.x);
    return chain(u, s, c, -s);
  }
  friend Jet cos(const Jet& u) {
    const double s = std::sin(u.x), c = std::cos(u.x);
    return chain(u, c, -s, -c);
  }
  friend Jet tan(const Jet& u) {
    const double f = std::tan(u.x), df = 1 + f * f;
    return chain(u, f, df, 2 * f * df);
  }

  /// At ±1 the rates of asin and acos are infinite or NaN unless u is constant; beyond, all three are NaN.
  friend Jet asin(const Jet& u) {
    const double df = 1 / std::sqrt((1 - u.x) * (1 + u.x));
    return chain(u, std::asin(u.x), df, u.x * df * df * df);
  }
  friend Jet acos(const Jet& u) {
    const double df = -1 / std::sqrt((1 - u.x) * (1 + u.x));
    return chain(u, std::acos(u.x), df, u.x * df * df * df);
  }
  friend Jet atan(const Jet& u) {
    const double df = 1 / (1 + u.x * u.x);
    return chain(u, std::atan(u.x), df, -2 * u.x * df * df);
  }

  /// The polar angle θ of the point (u, v): r θ′ = e_θ·(u′, v′) and r θ″ = e_θ·(u″, v″) − 2 r′ θ′. Where the value
  /// jumps by 2π (v = 0, u < 0) the angle itself does not, and the rates are the angle's. At the origin they are NaN
  /// unless u and v are constant.
  friend Jet atan2(const Jet& v, const Jet& u) {
    const double r = std::hypot(u.x, v.x), f = std::atan2(v.x, u.x);
    if (r == 0 && u.constant() && v.constant()) return f;
    const double c = u.x / r, s = v.x / r;
    const double dr = c * u.dx + s * v.dx, df = (c * v.dx - s * u.dx) / r;
    return {f, df, (c * v.ddx - s * u.ddx - 2 * dr * df) / r};
  }

  /// r = √(u² + v²), r″ = e_r·(u″, v″) + r θ′². At the origin r has a kink, NaN rates, if the point moves through it;
  /// at rest there, r″ = |(u″, v″)|.
  friend Jet hypot(const Jet& u, const Jet& v) {
    const double r = std::hypot(u.x, v.x);
    if (r == 0) return u.dx == 0 && v.dx == 0 ? Jet(0, 0, std::hypot(u.ddx, v.ddx)) : Jet(0, nan, nan);
    const double c = u.x / r, s = v.x / r, across = c * v.dx - s * u.dx;
    return {r, c * u.dx + s * v.dx, c * u.ddx + s * v.ddx + across / r * across};
  }

  /// At 0 not finite unless u is constant, then exactly 0; below, all three are NaN.
  friend Jet sqrt(const Jet& u) {
    const double f = std::sqrt(u.x), df = 0.5 / f;
    return chain(u, f, df, -0.5 * df / u.x);
  }

  friend Jet exp(const Jet& u) {
    const double f = std::exp(u.x);
    return chain(u, f, f, f);
  }

  /// At 0 the value is −inf and no rate is finite, constant or not; below, all three are NaN.
  friend Jet log(const Jet& u) {
    const double df = u.x < 0 ? nan : 1 / u.x;
    return chain(u, std::log(u.x), df, -df * df);
  }

  /// uᵖ, for any number p:
  /// - u < 0: (−1)ᵖ (−u)ᵖ for an integer p, otherwise NaN. So too u = 0 with u′ = 0, u″ < 0, which is below 0 on both
  ///   sides: its uᵖ has a value but no rates unless p is an integer.
  /// - u = 0, p = 0, 1, 2, …: exact; 0⁰ = 1.
  /// - u = 0, other p > 2: zeros. 1 < p < 2: value and rate 0, second rate inf unless u′ = 0, then 0.
  /// - u = 0, 0 < p < 1: as √u. p < 0: value inf, no rates.
  friend Jet pow(const Jet& u, double p) {
    if (p == 2) return u * u;  // the common one, without three calls of std::pow
    const double f = std::pow(u.x, p);
    if (u.x < 0 || (u.x == 0 && u.dx == 0 && u.ddx < 0)) {
      const double sign = std::pow(-1.0, p);  // ±1, NaN unless p is an integer
      const Jet v = pow(-u, p);
      return {f, sign * v.dx, sign * v.ddx};
    }
    const double df = p == 0 ? 0 : p * std::pow(u.x, p - 1);
    const double ddf = p == 0 || p == 1 ? 0 : p * (p - 1) * std::pow(u.x, p - 2);
    return chain(u, f, df, ddf);
  }

  /// uᵛ = exp(v log u) for u > 0; a constant v is the case above. A moving v and u ≤ 0: no rates are given.
  friend Jet pow(const Jet& u, const Jet& v) {
    if (v.constant()) return pow(u, v.x);
    const double f = std::pow(u.x, v.x);
    return chain(v * log(u), f, f, f);
  }

  /// At 0 there is a kink, NaN rates, if u moves through it; at rest there |½ u″ t²| has the second rate |u″|.
  friend constexpr Jet abs(const Jet& u) {
    if (u.x == 0) return u.dx == 0 ? Jet(0, 0, u.ddx < 0 ? -u.ddx : u.ddx) : Jet(0, nan, nan);
    return u.x < 0 ? -u : u;
  }

  /// Equal values with equal rates: the second rates decide. Equal values with different rates: a kink, NaN rates.
  /// NaN if either value is.
  friend constexpr Jet min(const Jet& u, const Jet& v) {
    if (below(u, v)) return u;
    if (below(v, u)) return v;
    return {u.x == v.x ? u.x : nan, nan, nan};
  }
  friend constexpr Jet max(const Jet& u, const Jet& v) { return -min(-u, -v); }

  friend std::ostream& operator<<(std::ostream& out, const Jet& u) {
    return out << '(' << u.x << ", " << u.dx << ", " << u.ddx << ')';
  }

 private:
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

  /// u ≤ v now and, to second order, on both sides of now.
  static constexpr bool below(const Jet& u, const Jet& v) {
    return u.x < v.x || (u.x == v.x && u.dx == v.dx && u.ddx <= v.ddx);
  }
};

}  // namespace trammel

/// Jets in Eigen, alone or mixed with doubles. What to know:
/// - Eigen's blocked kernels do not mix scalars: a mixed product of dynamic or large matrices that does not compile is
///   written A.lazyProduct(B), or with cast<Jet>().
/// - allFinite() and hasNaN() compare, so they see values alone; array().isFinite().all() sees the rates too.
/// - normalized() returns a zero vector unchanged, as it does for doubles.
template <>
struct Eigen::NumTraits<trammel::Jet> : Eigen::NumTraits<double> {
  using Real = trammel::Jet;
  using NonInteger = trammel::Jet;
  using Nested = trammel::Jet;
  enum { RequireInitialization = 1, ReadCost = 3, AddCost = 3, MulCost = 9 };
};

template <class Operation>
struct Eigen::ScalarBinaryOpTraits<trammel::Jet, double, Operation> {
  using ReturnType = trammel::Jet;
};

template <class Operation>
struct Eigen::ScalarBinaryOpTraits<double, trammel::Jet, Operation> {
  using ReturnType = trammel::Jet;
};
