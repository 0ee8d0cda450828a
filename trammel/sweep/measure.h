#pragma once

#include <span>
#include <string>
#include <vector>

#include "trammel/expression/expression.h"
#include "trammel/simulate/recording.h"
#include "trammel/sweep/reduction.h"

namespace trammel::sweep {

/// A column that a measure asks for: by its whole name, or all of NAME[0], NAME[1], … as their length √Σ NAME[i]².
struct AskedColumn {
  std::string name;
  bool is_length = false;

  bool operator==(const AskedColumn&) const = default;
};

/// A number of a case: arithmetic of reductions of expressions of recorded columns, and of measures before it,
///
///   max(abs(u.`left motor`))     integral(u.`left motor`^2)     max(path.pen)     effort/`peak torque`
///
/// An expression inside a reduction takes t and columns by their names, in backquotes what is no plain word. max(x) and min(x) of one
/// expression are reductions; of several they are the functions of the language.
struct Measure {
  struct Reduced {
    Reduction reduction;
    double p = 0;           // of a percentile
    Expression expression;  // leaves: columns by Leaf::component
  };

  std::string name, unit;
  std::vector<AskedColumn> columns;
  std::vector<Reduced> reductions;
  Expression result;  // leaves: reductions by Leaf::component, measures before this one as −1 − its number

  /// Throws Error where a column is not recorded. `before`: the measures before this one.
  double of(const Recording& recording, std::span<const double> before) const;
};

/// `columns`: what is recorded, in its order. Errors stand in the text.
Measure parse_measure(const std::string& name, std::string_view text, const Place& where,
                      std::span<const Column> columns, std::span<const Measure> before);

}  // namespace trammel::sweep
