#include "trammel/expression/program.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>

#include <fmt/core.h>

namespace trammel::expression {

namespace {

double along(const Curve& curve, double x) { return curve.at(x).f; }
Jet along(const Curve& curve, const Jet& x) {
  const Derivatives at_x = curve.at(x.x);
  return chain(x, at_x.f, at_x.df, at_x.ddf);
}

// The number of `item` in a list, which takes it in if it is new.
template <class Item>
int number_in(std::vector<Item>& list, const Item& item) {
  const auto found = std::ranges::find(list, item);
  const int number = static_cast<int>(found - list.begin());
  if (found == list.end()) list.push_back(item);
  return number;
}

}  // namespace

template <class Scalar>
Scalar Program::run(std::span<const Scalar> leaf_values, std::span<Scalar> registers) const {
  assert(leaf_values.size() == leaves.size());
  assert(registers.size() >= static_cast<std::size_t>(this->registers()));
  Scalar* const r = registers.data();
  Scalar* next = std::copy(constants.begin(), constants.end(), std::copy(leaf_values.begin(), leaf_values.end(), r));
  for (const Instruction& i : code)
    *next++ = i.op == Op::curve ? along(*curves[i.b], r[i.a]) : apply(i.op, r[i.a], r[i.b], r[i.c]);
  return r[result];
}
template double Program::run(std::span<const double>, std::span<double>) const;
template Jet Program::run(std::span<const Jet>, std::span<Jet>) const;

void Program::sweep_back(std::span<const double> r, std::span<double> out) const {
  std::fill_n(out.begin(), registers(), 0.0);
  out[result] = 1;
  for (int k = static_cast<int>(code.size()) - 1; k >= 0; --k) {
    const Instruction& i = code[k];
    const int own = first() + k;
    const double y = out[own];
    if (y == 0) continue;  // what a branch did not take may be infinite
    const std::array<double, 3> d =
        i.op == Op::curve ? std::array<double, 3>{curves[i.b]->at(r[i.a]).df} : partials(i.op, r[i.a], r[i.b], r[own]);
    const int operands[] = {i.a, i.b, i.c};
    for (int n = 0; n < operand_count(i.op); ++n)
      if (d[n] != 0) out[operands[n]] += y * d[n];
  }
}

int ProgramBuilder::leaf(const Leaf& leaf) {
  const auto found = std::find(leaves_.begin(), leaves_.end(), leaf);
  const int index = static_cast<int>(found - leaves_.begin());
  if (found == leaves_.end()) leaves_.push_back(leaf);
  return add({.does = {.op = Op::leaf, .a = index}});
}

int ProgramBuilder::constant(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const Instruction key{.op = Op::constant, .a = static_cast<int>(bits >> 32), .b = static_cast<int>(bits)};
  return add({.does = key, .value = value});
}

int ProgramBuilder::operation(Op op, std::size_t at, int a, int b, int c) {
  const int count = operand_count(op);
  const bool all_constant = is_constant(a) && (count < 2 || is_constant(b)) && (count < 3 || is_constant(c));
  if (all_constant) {
    const double value = apply(op, nodes_[a].value, nodes_[b].value, nodes_[c].value);
    if (!std::isfinite(value))
      source_->refuse(at, fmt::format("an operation whose result is {}", std::isnan(value) ? "no number" : "infinite"),
                      "a finite result");
    return constant(value);
  }
  if (op == Op::choose && is_constant(a)) return nodes_[a].value == 1 ? b : c;
  if (op == Op::power && is_constant(b) && nodes_[b].value == 2) return operation(Op::multiply, at, a, a);
  return add({.does = {op, a, b, c, at}});
}

int ProgramBuilder::origin_of(const std::shared_ptr<const Source>& source) { return number_in(origins_, source); }
int ProgramBuilder::number_of(const std::shared_ptr<const Curve>& curve) { return number_in(curves_, curve); }

int ProgramBuilder::curve(const std::shared_ptr<const Curve>& curve, std::size_t at, int a) {
  if (!is_constant(a)) return add({.does = {Op::curve, a, number_of(curve), 0, at}});
  const double x = nodes_[a].value;
  if (!curve->reaches(x))
    source_->refuse(at, fmt::format("{:g}, beyond the table", x),
                    fmt::format("{:g} to {:g}, or `beyond: hold` of the table", curve->first(), curve->last()));
  return constant(curve->at(x).f);
}

int ProgramBuilder::include(const Program& program, const std::shared_ptr<const Source>& origin, int first_start) {
  std::vector<int> origins;
  for (const std::shared_ptr<const Source>& inner : program.origins) origins.push_back(origin_of(inner));
  const int own = origin_of(origin);
  std::vector<int> node;  // of each register
  for (Leaf leaf : program.leaves) {
    if (leaf.kind == LeafKind::start) leaf.component += first_start;
    node.push_back(this->leaf(leaf));
  }
  for (const double value : program.constants) node.push_back(constant(value));
  for (const Instruction& i : program.code) {
    const int count = operand_count(i.op);
    const int second = i.op == Op::curve ? number_of(program.curves[i.b]) : count > 1 ? node[i.b] : 0;
    node.push_back(add(
        {.does = {i.op, node[i.a], second, count > 2 ? node[i.c] : 0, i.at, i.origin < 0 ? own : origins[i.origin]}}));
  }
  return node[program.result];
}

int ProgramBuilder::add(const Node& node) {
  const Instruction& i = node.does;
  const auto [known, is_new] =
      known_.emplace(std::array{static_cast<int>(i.op), i.a, i.b, i.c}, static_cast<int>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return known->second;
}

std::vector<bool> ProgramBuilder::needed_for(int result) const {
  std::vector<bool> needed(nodes_.size(), false);
  needed[result] = true;
  for (int k = result; k >= 0; --k) {
    const Instruction& i = nodes_[k].does;
    const int operands[] = {i.a, i.b, i.c};
    for (int n = 0; needed[k] && n < operand_count(i.op); ++n) needed[operands[n]] = true;
  }
  return needed;
}

Program ProgramBuilder::finish(int result, std::size_t begin) const {
  const std::vector<bool> needed = needed_for(result);
  Program program;
  program.constants.clear();
  std::vector<int> place(nodes_.size());  // the register of each node
  int next = 0;
  const auto place_each = [&](auto&& is_chosen, auto&& write) {
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      if (!needed[k] || !is_chosen(nodes_[k].does.op)) continue;
      write(nodes_[k]);
      place[k] = next++;
    }
  };
  place_each([](Op op) { return op == Op::leaf; }, [&](const Node& n) { program.leaves.push_back(leaves_[n.does.a]); });
  place_each([](Op op) { return op == Op::constant; }, [&](const Node& n) { program.constants.push_back(n.value); });
  place_each([](Op op) { return operand_count(op) > 0; },
             [&](const Node& n) {
               const Instruction& i = n.does;
               const int count = operand_count(i.op);
               const int second = i.op == Op::curve ? i.b : count > 1 ? place[i.b] : 0;
               program.code.push_back({i.op, place[i.a], second, count > 2 ? place[i.c] : 0,
                                       i.origin < 0 ? i.at - begin : i.at, i.origin});
             });
  program.result = place[result];
  program.origins = origins_;
  program.curves = curves_;
  return program;
}

}  // namespace trammel::expression
