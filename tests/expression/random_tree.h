#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "support/random.h"
#include "trammel/expression/vocabulary.h"
#include "trammel/math/jet.h"

namespace trammel::test {

/// The leaves of random trees, with their names in the language.
struct NamedLeaf {
  std::string text;
  Leaf leaf;
};
inline const std::vector<NamedLeaf> tree_leaves{{"t", {LeafKind::time, ""}},
                                                {"q1", {LeafKind::coordinate, "q1"}},
                                                {"base[2]", {LeafKind::coordinate, "base", 2}},
                                                {"v(left.q1)", {LeafKind::speed, "left.q1"}},
                                                {"`my tool`.y", {LeafKind::frame_position, "my tool", 1}},
                                                {"tool.vz", {LeafKind::frame_velocity, "tool", 2}},
                                                {"push", {LeafKind::input, "push"}}};

/// How an operation is written and what it does to jets, said without the library's help. `level` is how tightly it
/// binds, `left` and `right` how tightly its operands must bind to stand without parentheses; 0 for functions.
struct TreeOperation {
  std::string word;
  int operands, level, left, right;
  std::function<Jet(const Jet&, const Jet&)> act;
};

inline Jet rises(const Jet& u, double f, double df, double ddf) {
  return u <= 0 ? Jet(0) : u >= 1 ? Jet(1) : chain(u, f, df, ddf);
}

// Constant but where it jumps.
inline Jet steps(const Jet& u, bool jumps, double f) {
  const double rate = std::isnan(f) || (jumps && !u.constant()) ? std::nan("") : 0;
  return {f, rate, rate};
}

inline const std::vector<TreeOperation> tree_operations{
    {"+", 2, 1, 1, 2, [](const Jet& a, const Jet& b) { return a + b; }},
    {"-", 2, 1, 1, 2, [](const Jet& a, const Jet& b) { return a - b; }},
    {"*", 2, 2, 2, 3, [](const Jet& a, const Jet& b) { return a * b; }},
    {"/", 2, 2, 2, 3, [](const Jet& a, const Jet& b) { return a / b; }},
    {"-", 1, 3, 3, 0, [](const Jet& a, const Jet&) { return -a; }},
    {"^", 2, 4, 5, 3, [](const Jet& a, const Jet& b) { return pow(a, b); }},
    {"sin", 1, 5, 0, 0, [](const Jet& a, const Jet&) { return sin(a); }},
    {"cos", 1, 5, 0, 0, [](const Jet& a, const Jet&) { return cos(a); }},
    {"tan", 1, 5, 0, 0, [](const Jet& a, const Jet&) { return tan(a); }},
    {"asin", 1, 5, 0, 0, [](const Jet& a, const Jet&) { return asin(a); }},
    {"acos", 1, 5, 0, 0, [](const Jet& a, const Jet&) { return acos(a); }},
    {"atan", 1, 5, 0, 0, [](const Jet& a, const Jet&) { return atan(a); }},
    {"sqrt", 1, 5, 0, 0, [](const Jet& a, const Jet&) { return sqrt(a); }},
    {"exp", 1, 5, 0, 0, [](const Jet& a, const Jet&) { return exp(a); }},
    {"log", 1, 5, 0, 0, [](const Jet& a, const Jet&) { return log(a); }},
    {"abs", 1, 5, 0, 0, [](const Jet& a, const Jet&) { return abs(a); }},
    {"min", 2, 5, 0, 0, [](const Jet& a, const Jet& b) { return min(a, b); }},
    {"max", 2, 5, 0, 0, [](const Jet& a, const Jet& b) { return max(a, b); }},
    {"atan2", 2, 5, 0, 0, [](const Jet& a, const Jet& b) { return atan2(a, b); }},
    {"cycloid", 1, 5, 0, 0,
     [](const Jet& u, const Jet&) {
       const double s = std::sin(2 * pi * u.x), half = std::sin(pi * u.x);
       return rises(u, u.x - s / (2 * pi), 2 * half * half, 2 * pi * s);
     }},
    {"sinh", 1, 5, 0, 0,
     [](const Jet& u, const Jet&) { return chain(u, std::sinh(u.x), std::cosh(u.x), std::sinh(u.x)); }},
    {"cosh", 1, 5, 0, 0,
     [](const Jet& u, const Jet&) { return chain(u, std::cosh(u.x), std::sinh(u.x), std::cosh(u.x)); }},
    {"tanh", 1, 5, 0, 0,
     [](const Jet& u, const Jet&) {
       const double f = std::tanh(u.x), c = std::cosh(u.x), df = 1 / c / c;
       return chain(u, f, df, -2 * f * df);
     }},
    {"hypot", 2, 5, 0, 0, [](const Jet& a, const Jet& b) { return hypot(a, b); }},
    {"sign", 1, 5, 0, 0,
     [](const Jet& u, const Jet&) { return steps(u, u.x == 0, std::isnan(u.x) ? u.x : (u.x > 0) - (u.x < 0)); }},
    {"floor", 1, 5, 0, 0, [](const Jet& u, const Jet&) { return steps(u, std::floor(u.x) == u.x, std::floor(u.x)); }},
    {"mod", 2, 5, 0, 0,
     [](const Jet& a, const Jet& b) {
       double rest = std::fmod(a.x, b.x);
       if (rest != 0 && std::signbit(rest) != std::signbit(b.x)) rest += b.x;
       if (rest == 0 && !(a.constant() && b.constant())) return Jet(rest, std::nan(""), std::nan(""));
       const double n = std::nearbyint((a.x - rest) / b.x);
       return std::isnan(rest) ? Jet(rest, rest, rest) : Jet(rest, a.dx - n * b.dx, a.ddx - n * b.ddx);
     }},
    {"smoothstep", 1, 5, 0, 0,
     [](const Jet& u, const Jet&) {
       const double x = u.x, w = 1 - x, h = 1 / x - 1 / w, e = std::exp(-std::abs(h)), less = e / (1 + e);
       const double share = less / (1 + e), slope = -1 / (x * x) - 1 / (w * w);
       if (x > 0 && x < 1 && share == 0) return Jet(h > 0 ? 0 : 1);
       const double curve = 2 / (x * x * x) - 2 / (w * w * w), skew = (h > 0 ? 1 - e : e - 1) / (1 + e);
       return rises(u, h > 0 ? less : 1 - less, -slope * share, (slope * slope * skew - curve) * share);
     }},
    {"minjerk", 1, 5, 0, 0, [](const Jet& u, const Jet&) {
       const double x = u.x, w = 1 - x, v = std::min(x, w), rise = v * v * v * (10 + v * (6 * v - 15));
       return rises(u, x < w ? rise : 1 - rise, 30 * x * x * w * w, 60 * x * w * (w - x));
     }}};

/// An expression as a tree: a number, a leaf, or an operation on trees.
struct Tree {
  const TreeOperation* operation = nullptr;
  int leaf = -1;      // index into tree_leaves, or −1
  double number = 0;  // 0 or more
  std::vector<Tree> operands;

  int level() const { return operation ? operation->level : 5; }
};

inline Tree random_tree(Random& random, int depth) {
  Tree tree;
  if (depth == 0 || random.integer(0, 9) == 0) {
    const bool is_leaf = random.integer(0, 2) > 0;
    if (is_leaf) tree.leaf = random.integer(0, static_cast<int>(tree_leaves.size()) - 1);
    tree.number = random.integer(0, 1) ? random.integer(0, 4) : random.log_uniform(0.01, 10);
    return tree;
  }
  // half of the operations are + - * /, since most others have no value somewhere
  const int last = random.integer(0, 1) ? 3 : static_cast<int>(tree_operations.size()) - 1;
  tree.operation = &tree_operations[random.integer(0, last)];
  for (int k = 0; k < tree.operation->operands; ++k) tree.operands.push_back(random_tree(random, depth - 1));
  return tree;
}

/// With as few parentheses as the rules of binding ask for, and a space here and there.
inline std::string print(const Tree& tree, Random& random) {
  if (tree.leaf >= 0) return tree_leaves[tree.leaf].text;
  if (!tree.operation) return fmt::format("{}", tree.number);
  const TreeOperation& op = *tree.operation;
  const auto operand = [&](int k, int level) {
    const std::string text = print(tree.operands[k], random);
    return tree.operands[k].level() < level ? "(" + text + ")" : text;
  };
  const std::string space = random.integer(0, 1) ? " " : "";
  if (op.level == 5 && op.operands == 1) return op.word + "(" + operand(0, 0) + ")";
  if (op.level == 5) return op.word + "(" + operand(0, 0) + "," + space + operand(1, 0) + ")";
  if (op.operands == 1) return op.word + space + operand(0, op.left);
  return operand(0, op.left) + space + op.word + space + operand(1, op.right);
}

inline Jet evaluate(const Tree& tree, const std::vector<Jet>& leaves) {
  if (tree.leaf >= 0) return leaves[tree.leaf];
  if (!tree.operation) return tree.number;
  const Jet a = evaluate(tree.operands[0], leaves);
  return tree.operation->act(a, tree.operands.size() > 1 ? evaluate(tree.operands[1], leaves) : Jet());
}

/// Σ over all paths from the root to a leaf of |product of the partial derivatives on the way|, per leaf: what the
/// rounding of a derivative is proportional to.
inline void add_path_sums(const Tree& tree, const std::vector<Jet>& leaves, double weight, std::vector<double>& out) {
  if (tree.leaf >= 0) out[tree.leaf] += weight;
  if (!tree.operation || weight == 0) return;
  std::vector<Jet> x(2);
  for (std::size_t k = 0; k < tree.operands.size(); ++k) x[k] = evaluate(tree.operands[k], leaves).x;
  for (std::size_t k = 0; k < tree.operands.size(); ++k) {
    std::vector<Jet> moved = x;
    moved[k].dx = 1;
    add_path_sums(tree.operands[k], leaves, weight * std::abs(tree.operation->act(moved[0], moved[1]).dx), out);
  }
}

inline bool is_constant(const Tree& tree) {
  if (!tree.operation) return tree.leaf < 0;
  return std::ranges::all_of(tree.operands, is_constant);
}

/// Whether some operation on numbers alone has no finite value: the parser refuses it.
inline bool has_a_value_nowhere(const Tree& tree) {
  if (!tree.operation) return false;
  return std::ranges::any_of(tree.operands, has_a_value_nowhere) ||
         (is_constant(tree) && !std::isfinite(evaluate(tree, {}).x));
}

}  // namespace trammel::test
