#pragma once

#include <numbers>
#include <string>
#include <vector>

#include "trammel/expression/expression.h"

namespace trammel::test {

/// Names of every kind that expressions must tell apart.
inline Vocabulary some_vocabulary() {
  Vocabulary vocabulary;
  vocabulary.joints = {{"q1"}, {"q2"}, {"joint-1"}, {"left.q1"}, {"base", 7, 6}, {"ball", 4, 3}, {"m"}, {"v"}, {"t"}};
  vocabulary.frames = {"tool", "left.tool", "left", "my tool"};
  vocabulary.constants = {{"r", 0.05}, {"w", 0.4 * std::numbers::pi}, {"left.gain", 3}, {"pi", 7}};
  vocabulary.inputs = {"push"};
  return vocabulary;
}

/// A value for every leaf, different for different leaves.
inline double some_value(const Leaf& leaf) {
  double sum = 0.25 + 0.125 * leaf.component + static_cast<int>(leaf.kind);
  for (const char c : leaf.name) sum += 0.001 * c;
  return sum;
}

inline double value_of(const Expression& expression) {
  std::vector<double> leaves;
  for (const Leaf& leaf : expression.leaves()) leaves.push_back(some_value(leaf));
  ExpressionWorkspace work;
  expression.make_room(work);
  return expression.value(leaves, work);
}

inline double value_of(const std::string& text) { return value_of(parse_expression(text, some_vocabulary())); }

}  // namespace trammel::test
