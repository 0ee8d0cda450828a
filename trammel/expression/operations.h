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
  sinh,
  cosh,
  tanh,
  asin,
  acos,
  atan,
  atan2,
  sqrt,
  exp,
  log,
  hypot,
  cycloid,
  minjerk,
  smoothstep,
  abs,
  min,
  max,
  sign,
  floor,
  mod,
  less,
  less_equal,
  both,
  either,
  opposite,
  choose,  // a ? b : c
  curve    // of a, by the curve that the instruction names (program.h): not among the functions
};

int operand_count(Op op);

/// What a function does somewhere where it has a value: nothing, change its slope, or jump.
enum class Break : std::uint8_t { none, kink, jump };

/// A function of the language. The reader, its messages and `trammel words` go by the table in operations.cpp.
struct Function {
  std::string_view name;
  Op op;
  int fewest, most;  // arguments
  Break has = Break::none;
  bool is_reserved = true;  // those that came after the first version are not: files may have constants of their names
};
std::span<const Function> functions();
const Function* find_function(std::string_view name);
const Function* function_of(Op op);  // nullptr for operators

/// The result for doubles or jets.
template <class Scalar>
Scalar apply(Op op, const Scalar& a, const Scalar& b, const Scalar& c);

/// ∂f/∂a, ∂f/∂b, ∂f/∂c at the result f = apply(op, a, b, c). Where a function has a kink (abs at 0, min and max of equals), a jump (sign at
/// 0, floor and mod where they start anew) or an infinite slope, the partial is NaN or infinite.
std::array<double, 3> partials(Op op, double a, double b, double f);

/// A function's value and its first two derivatives.
struct Derivatives {
  double f, df, ddf;
};

/// A step from 0 to 1, held at its ends: 0 for u ≤ 0 and 1 for u ≥ 1. The first two are twice
/// continuously differentiable, the ends included; smoothstep is so any number of times.
Derivatives cycloid(double u);  // u − sin(2πu)/2π,   1 − cos(2πu),   2π sin(2πu)
Derivatives minjerk(double u);  // 10u³ − 15u⁴ + 6u⁵,  30u²(1 − u)²,  60u(1 − u)(1 − 2u)
/// f = 1/(1 + eʰ), h = 1/u − 1/(1 − u);   f′ = −h′ f(1 − f),   f″ = (h′²(1 − 2f) − h″) f(1 − f)
Derivatives smoothstep(double u);

}  // namespace trammel::expression
