#pragma once

#include "trammel/constraints/constraint.h"
#include "trammel/math/lanes.h"

namespace trammel {

/// Not installed: what follows depends on the processor that it is compiled for.

/// How a constraint's rows are evaluated for several states side by side.
struct RowsInLanes {
  void (*evaluate)(const Constraint& law, const Movement<Lanes>& now, RowsOf<Lanes>& out);
};

template <class Kind, class Base>
void TemplatedRows<Kind, Base>::evaluate(const Movement<double>& now, Rows& out) const {
  static_cast<const Kind&>(*this).template fill_rows<double>(now, out);
}

template <class Kind, class Base>
const RowsInLanes* TemplatedRows<Kind, Base>::in_lanes() const {
  static constexpr RowsInLanes rows{[](const Constraint& law, const Movement<Lanes>& now, RowsOf<Lanes>& out) {
    static_cast<const Kind&>(law).template fill_rows<Lanes>(now, out);
  }};
  return &rows;
}

}  // namespace trammel

/// The rows of a kind for every scalar; with its base, where that is not PositionConstraint.
#define TRAMMEL_COMPILE_ROWS(Kind, ...)                                          \
  template void Kind::fill_rows(const Movement<double>&, RowsOf<double>&) const; \
  template void Kind::fill_rows(const Movement<Lanes>&, RowsOf<Lanes>&) const;   \
  template class TemplatedRows<Kind __VA_OPT__(, ) __VA_ARGS__>
