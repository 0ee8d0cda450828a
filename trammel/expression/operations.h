#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "trammel/math/jet.h"

namespace trammel::expression {

/// What an instruction does to its operands a, b, c. A condition is 1 where it holds and 0 where it does not; NaN goes
/// through conditions as it goes through sums, so that it never picks a branch.
enum class Op : std::uint8_t {
  leaf,      // no operation: given by the caller
  constant,  // no operation: a number
  negate,
  add,
  subtract,
  multiply,
  divide,
  power,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sqrt,
  exp,
  log,
  cycloid,
  minjerk,
  abs,
  min,
  max,
  less,
  less_equal,
  both,
  either,
  opposite,
  choose  // a ? b : c
};

int operand_count(Op op);

/// A function of the language. The reader, its messages and `trammel words` go by the table in operations.cpp.
struct Function {
  std::string_view name;
  Op op;
  int fewest, most;  // arguments
};
std::span<const Function> functions();
const Function* find_function(std::string_view name);

/// The result for doubles or jets.
template <class Scalar>
Scalar apply(Op op, const Scalar& a, const Scalar& b, const Scalar& c);

/// ∂f/∂a, ∂f/∂b, ∂f/∂c at the result f = apply(op, a, b, c). Where a function has a kink (abs at 0, min and max of equals) or an infinite slope, the partial is
/// NaN or infinite.
std::array<double, 3> partials(Op op, double a, double b, double f);

/// A step from 0 to 1 with its first two derivatives, held at its ends: 0 for u ≤ 0 and 1 for u ≥ 1. Both are twice
/// continuously differentiable, the ends included.
struct Step {
  double f, df, ddf;
};
Step cycloid(double u);  // u − sin(2πu)/2π,   1 − cos(2πu),   2π sin(2πu)
Step minjerk(double u);  // 10u³ − 15u⁴ + 6u⁵,  30u²(1 − u)²,  60u(1 − u)(1 − 2u)

}  // namespace trammel::expression
