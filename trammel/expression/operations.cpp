#include "trammel/expression/operations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace trammel::expression {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

constexpr int any_number = 1000000;
constexpr Function all_functions[] = {{"sin", Op::sin, 1, 1},
                                      {"cos", Op::cos, 1, 1},
                                      {"tan", Op::tan, 1, 1},
                                      {"asin", Op::asin, 1, 1},
                                      {"acos", Op::acos, 1, 1},
                                      {"atan", Op::atan, 1, 1},
                                      {"atan2", Op::atan2, 2, 2},
                                      {"sqrt", Op::sqrt, 1, 1},
                                      {"exp", Op::exp, 1, 1},
                                      {"log", Op::log, 1, 1},
                                      {"abs", Op::abs, 1, 1, Break::kink},
                                      {"min", Op::min, 2, any_number, Break::kink},
                                      {"max", Op::max, 2, any_number, Break::kink},
                                      {"cycloid", Op::cycloid, 1, 1},
                                      {"minjerk", Op::minjerk, 1, 1},
                                      {"if", Op::choose, 3, 3, Break::kink},
                                      {"sinh", Op::sinh, 1, 1, Break::none, false},
                                      {"cosh", Op::cosh, 1, 1, Break::none, false},
                                      {"tanh", Op::tanh, 1, 1, Break::none, false},
                                      {"hypot", Op::hypot, 2, any_number, Break::none, false},
                                      {"smoothstep", Op::smoothstep, 1, 1, Break::none, false},
                                      {"sign", Op::sign, 1, 1, Break::jump, false},
                                      {"floor", Op::floor, 1, 1, Break::jump, false},
                                      {"mod", Op::mod, 2, 2, Break::jump, false}};

constexpr Derivatives before{0, 0, 0}, after{1, 0, 0};

// doubles beside the functions of Jet
double lesser(double a, double b) { return a <= b ? a : b <= a ? b : nan; }
Jet lesser(const Jet& a, const Jet& b) { return min(a, b); }

double follow(double, const Derivatives& at_u) { return at_u.f; }
Jet follow(const Jet& u, const Derivatives& at_u) { return chain(u, at_u.f, at_u.df, at_u.ddf); }

double value_of(double u) { return u; }
double value_of(const Jet& u) { return u.x; }

Derivatives sinh(double u) { return {std::sinh(u), std::cosh(u), std::sinh(u)}; }
Derivatives cosh(double u) { return {std::cosh(u), std::sinh(u), std::cosh(u)}; }
// f′ = 1 − f² as 1/cosh², which keeps its digits where f is nearly 1.
Derivatives tanh(double u) {
  const double f = std::tanh(u), c = std::cosh(u), df = 1 / c / c;
  return {f, df, -2 * f * df};
}

// What is constant between jumps. Where it jumps, it has no rates unless its argument stands still.
double between_jumps(double, double f, bool) { return f; }
Jet between_jumps(const Jet& u, double f, bool jumps) {
  if (std::isnan(f) || (jumps && !u.constant())) return {f, nan, nan};
  return f;
}

double sign(double u) { return u > 0 ? 1 : u < 0 ? -1 : u == 0 ? 0 : nan; }
bool is_whole(double u) { return std::floor(u) == u; }

// Of a's multiples of b from 0: the rest has the sign of b, or is 0.
double rest_of(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
// How many times b is in a, given the rest: floor(a/b) without its rounding.
double times_in(double a, double b, double rest) { return std::nearbyint((a - rest) / b); }
double mod(double a, double b) { return rest_of(a, b); }
Jet mod(const Jet& a, const Jet& b) {
  const double rest = rest_of(a.x, b.x), n = times_in(a.x, b.x, rest);
  if (std::isnan(rest) || (rest == 0 && !(a.constant() && b.constant()))) return {rest, nan, nan};
  return {rest, a.dx - n * b.dx, a.ddx - n * b.ddx};
}

// 1, 0, or NaN where a and b have no order.
double truth(bool holds, double a, double b) { return std::isunordered(a, b) ? nan : holds ? 1 : 0; }

}  // namespace

std::span<const Function> functions() { return all_functions; }

const Function* find_function(std::string_view name) {
  const auto* const found = std::ranges::find(all_functions, name, &Function::name);
  return found == std::end(all_functions) ? nullptr : found;
}

const Function* function_of(Op op) {
  const auto* const found = std::ranges::find(all_functions, op, &Function::op);
  return found == std::end(all_functions) ? nullptr : found;
}

Derivatives cycloid(double u) {
  if (u <= 0) return before;
  if (u >= 1) return after;
  constexpr double pi = std::numbers::pi;
  const double s = std::sin(pi * u), sin2 = std::sin(2 * pi * u);
  return {u - sin2 / (2 * pi), 2 * s * s, 2 * pi * sin2};
}

Derivatives minjerk(double u) {
  if (u <= 0) return before;
  if (u >= 1) return after;
  const double w = 1 - u, v = u < w ? u : w;
  const double rise = v * v * v * (10 + v * (6 * v - 15));  // f(u) = 1 − f(1 − u): from the nearer end, so f ≤ 1
  return {u < w ? rise : 1 - rise, 30 * u * u * w * w, 60 * u * w * (w - u)};
}

Derivatives smoothstep(double u) {
  if (u <= 0) return before;
  if (u >= 1) return after;
  const double w = 1 - u, h = 1 / u - 1 / w, e = std::exp(-std::abs(h));  // e ≤ 1
  const double near = e / (1 + e), product = near / (1 + e);              // the smaller of f and 1 − f; f(1 − f)
  if (product == 0) return h > 0 ? before : after;                        // where h′ may be infinite
  const double dh = -1 / (u * u) - 1 / (w * w), ddh = 2 / (u * u * u) - 2 / (w * w * w);
  const double skew = (h > 0 ? 1 - e : e - 1) / (1 + e);  // 1 − 2f
  return {h > 0 ? near : 1 - near, -dh * product, (dh * dh * skew - ddh) * product};
}

int operand_count(Op op) {
  switch (op) {
    case Op::leaf:
    case Op::constant:
      return 0;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::atan2:
    case Op::hypot:
    case Op::min:
    case Op::max:
    case Op::mod:
    case Op::less:
    case Op::less_equal:
    case Op::both:
    case Op::either:
      return 2;
    case Op::choose:
      return 3;
    default:
      return 1;
  }
}

template <class Scalar>
Scalar apply(Op op, const Scalar& a, const Scalar& b, const Scalar& c) {
  // clang-format off
  using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::atan2;
  using std::sqrt, std::exp, std::log, std::abs, std::pow, std::hypot;
  const double u = value_of(a), v = value_of(b);
  switch (op) {
    case Op::leaf:
    case Op::constant: return a;
    case Op::negate: return -a;
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::power: return pow(a, b);
    case Op::sin: return sin(a);
    case Op::cos: return cos(a);
    case Op::tan: return tan(a);
    case Op::sinh: return follow(a, sinh(u));
    case Op::cosh: return follow(a, cosh(u));
    case Op::tanh: return follow(a, tanh(u));
    case Op::asin: return asin(a);
    case Op::acos: return acos(a);
    case Op::atan: return atan(a);
    case Op::atan2: return atan2(a, b);
    case Op::sqrt: return sqrt(a);
    case Op::exp: return exp(a);
    case Op::log: return log(a);
    case Op::hypot: return hypot(a, b);
    case Op::cycloid: return follow(a, cycloid(u));
    case Op::minjerk: return follow(a, minjerk(u));
    case Op::smoothstep: return follow(a, smoothstep(u));
    case Op::abs: return abs(a);
    case Op::min: return lesser(a, b);
    case Op::max: return -lesser(-a, -b);
    case Op::sign: return between_jumps(a, sign(u), u == 0);
    case Op::floor: return between_jumps(a, std::floor(u), is_whole(u));
    case Op::mod: return mod(a, b);
    case Op::less: return truth(u < v, u, v);
    case Op::less_equal: return truth(u <= v, u, v);
    case Op::both: return a * b;
    case Op::either: return a + b - a * b;
    case Op::opposite: return 1 - a;
    case Op::choose: return u == 1 ? b : u == 0 ? c : Scalar(nan);
    case Op::curve: break;
  }
  // clang-format on
  return nan;
}
template double apply(Op, const double&, const double&, const double&);
template Jet apply(Op, const Jet&, const Jet&, const Jet&);

std::array<double, 3> partials(Op op, double a, double b, double f) {
  // clang-format off
  const double r = op == Op::atan2 ? std::hypot(a, b) : 1;
  switch (op) {
    case Op::negate: return {-1, 0, 0};
    case Op::add: return {1, 1, 0};
    case Op::subtract: return {1, -1, 0};
    case Op::multiply: return {b, a, 0};
    case Op::divide: return {1 / b, -f / b, 0};
    case Op::power: return {b == 0 ? 0 : b * std::pow(a, b - 1), f * std::log(a), 0};
    case Op::sin: return {std::cos(a), 0, 0};
    case Op::cos: return {-std::sin(a), 0, 0};
    case Op::tan: return {1 + f * f, 0, 0};
    case Op::sinh: return {sinh(a).df, 0, 0};
    case Op::cosh: return {cosh(a).df, 0, 0};
    case Op::tanh: return {tanh(a).df, 0, 0};
    case Op::asin: return {1 / std::sqrt((1 - a) * (1 + a)), 0, 0};
    case Op::acos: return {-1 / std::sqrt((1 - a) * (1 + a)), 0, 0};
    case Op::atan: return {1 / (1 + a * a), 0, 0};
    case Op::atan2: return {b / r / r, -a / r / r, 0};
    case Op::sqrt: return {0.5 / f, 0, 0};
    case Op::exp: return {f, 0, 0};
    case Op::log: return {a < 0 ? nan : 1 / a, 0, 0};
    case Op::cycloid: return {cycloid(a).df, 0, 0};
    case Op::hypot: return {a / f, b / f, 0};
    case Op::minjerk: return {minjerk(a).df, 0, 0};
    case Op::smoothstep: return {smoothstep(a).df, 0, 0};
    case Op::abs: return {a > 0 ? 1 : a < 0 ? -1 : nan, 0, 0};
    case Op::min: return {a < b ? 1 : a > b ? 0 : nan, a > b ? 1 : a < b ? 0 : nan, 0};
    case Op::max: return {a > b ? 1 : a < b ? 0 : nan, a < b ? 1 : a > b ? 0 : nan, 0};
    case Op::sign: return {a == 0 ? nan : f - f, 0, 0};
    case Op::floor: return {is_whole(a) ? nan : f - f, 0, 0};
    case Op::mod: return {f == 0 ? nan : 1, f == 0 ? nan : -times_in(a, b, f), 0};
    case Op::choose: return {0, a == 1 ? 1 : a == 0 ? 0 : nan, a == 0 ? 1 : a == 1 ? 0 : nan};
    case Op::leaf:
    case Op::constant:
    case Op::less:
    case Op::less_equal:
    case Op::both:
    case Op::either:
    case Op::opposite: return {0, 0, 0};
    case Op::curve: break;
  }
  // clang-format on
  return {nan, nan, nan};
}

}  // namespace trammel::expression
