#include "trammel/expression/lane_program.h"

#include <algorithm>
#include <cassert>

namespace trammel::expression {
namespace {

// The scalar of a lane.
double lane_of(const Lanes& x, int lane) { return x[lane]; }
Jet lane_of(const LaneJet& x, int lane) { return x[lane]; }

Lanes sin(const Lanes& x) { return sin_cos(x).sin; }
Lanes cos(const Lanes& x) { return sin_cos(x).cos; }

template <class Scalar>
Scalar apply_in_lanes(Op op, const Scalar& a, const Scalar& b, const Scalar& c) {
  switch (op) {
    case Op::negate:
      return -a;
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::sqrt:
      return sqrt(a);
    default:
      return Scalar::each([&](int i) { return apply(op, lane_of(a, i), lane_of(b, i), lane_of(c, i)); });
  }
}

Lanes along(const Curve& curve, const Lanes& x) {
  return Lanes::each([&](int i) { return curve.at(x[i]).f; });
}
LaneJet along(const Curve& curve, const LaneJet& x) {
  return LaneJet::each([&](int i) {
    const Jet u = x[i];
    const Derivatives at_u = curve.at(u.x);
    return chain(u, at_u.f, at_u.df, at_u.ddf);
  });
}

// ∂f/∂a, ∂f/∂b, ∂f/∂c times y, lane by lane: what a branch did not take may be infinite.
std::array<Lanes, 3> backward_with_cases(Op op, const Lanes& a, const Lanes& b, const Lanes& f, const Lanes& y) {
  std::array<Lanes, 3> out{0.0, 0.0, 0.0};
  for (int lane = 0; lane < lane_count; ++lane) {
    if (y[lane] == 0) continue;
    const std::array<double, 3> d = partials(op, a[lane], b[lane], f[lane]);
    for (int n = 0; n < 3; ++n)
      if (d[n] != 0) out[n].set(lane, y[lane] * d[n]);
  }
  return out;
}

std::array<Lanes, 3> backward(Op op, const Lanes& a, const Lanes& b, const Lanes& f, const Lanes& y) {
  switch (op) {
    case Op::negate:
      return {-y, 0.0, 0.0};
    case Op::add:
      return {y, y, 0.0};
    case Op::subtract:
      return {y, -y, 0.0};
    case Op::multiply:
      return {y * b, y * a, 0.0};
    case Op::divide:
      return {y / b, -(y * f / b), 0.0};
    case Op::sin:
      return {y * cos(a), 0.0, 0.0};
    case Op::cos:
      return {-(y * sin(a)), 0.0, 0.0};
    case Op::sqrt:
      return {y * 0.5 / f, 0.0, 0.0};
    default:
      return backward_with_cases(op, a, b, f, y);
  }
}

std::array<Lanes, 3> backward_along(const Curve& curve, const Lanes& x, const Lanes& y) {
  return {Lanes::each([&](int i) { return y[i] == 0 ? 0 : y[i] * curve.at(x[i]).df; }), 0.0, 0.0};
}

}  // namespace

template <class Scalar>
Scalar run_in_lanes(const Program& program, std::span<const Scalar> leaf_values, std::span<Scalar> registers) {
  assert(leaf_values.size() == program.leaves.size());
  assert(registers.size() >= static_cast<std::size_t>(program.registers()));
  Scalar* const r = registers.data();
  Scalar* next = std::copy(leaf_values.begin(), leaf_values.end(), r);
  for (const double constant : program.constants) *next++ = constant;
  for (const Instruction& i : program.code)
    *next++ = i.op == Op::curve ? along(*program.curves[i.b], r[i.a]) : apply_in_lanes(i.op, r[i.a], r[i.b], r[i.c]);
  return r[program.result];
}
template Lanes run_in_lanes(const Program&, std::span<const Lanes>, std::span<Lanes>);
template LaneJet run_in_lanes(const Program&, std::span<const LaneJet>, std::span<LaneJet>);

void sweep_back_in_lanes(const Program& program, std::span<const LaneJet> r, std::span<Lanes> out) {
  std::fill_n(out.begin(), program.registers(), Lanes(0.0));
  out[program.result] = 1.0;
  for (int k = static_cast<int>(program.code.size()) - 1; k >= 0; --k) {
    const Instruction& i = program.code[k];
    const int own = program.first() + k;
    const std::array<Lanes, 3> share = i.op == Op::curve ? backward_along(*program.curves[i.b], r[i.a].x, out[own])
                                                         : backward(i.op, r[i.a].x, r[i.b].x, r[own].x, out[own]);
    const int operands[] = {i.a, i.b, i.c};
    for (int n = 0; n < operand_count(i.op); ++n) out[operands[n]] += share[n];
  }
}

}  // namespace trammel::expression
