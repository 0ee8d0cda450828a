#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "trammel/expression/curve.h"
#include "trammel/expression/operations.h"
#include "trammel/expression/source.h"
#include "trammel/expression/vocabulary.h"

namespace trammel::expression {

/// register[own] = op(register[a], register[b], register[c]); operands that op does not take are 0. Of a curve, b is its number in
/// Program::curves.
struct Instruction {
  Op op = Op::constant;
  int a = 0, b = 0, c = 0;
  std::size_t at = 0;  // where the operator stands in the text
  int origin = -1;     // of Program::origins; -1: the expression's own text
};

/// A straight line of instructions, each with a register of its own: first the leaves, then the constants, then one per
/// instruction, and every operand stands before its use. So one pass forward evaluates, and one backward differentiates.
struct Program {
  std::vector<Leaf> leaves;
  std::vector<double> constants{0};
  std::vector<Instruction> code;
  int result = 0;                                        // a register
  std::vector<std::shared_ptr<const Source>> origins{};  // texts of definitions that were put in
  std::vector<std::shared_ptr<const Curve>> curves{};    // of tables

  int first() const { return static_cast<int>(leaves.size() + constants.size()); }  // the first instruction's register
  int registers() const { return first() + static_cast<int>(code.size()); }

  /// Each register in turn. Registers must have room for all; nothing is allocated.
  template <class Scalar>
  Scalar run(std::span<const Scalar> leaf_values, std::span<Scalar> registers) const;

  /// ∂result/∂register for all registers, from the registers of a run: with ȳ = ∂result/∂y, starting from result̄ = 1,
  ///   ā += ȳ ∂y/∂a   for each instruction y from the last to the first.
  void sweep_back(std::span<const double> registers, std::span<double> out) const;
};

/// Writes a program operation by operation. Equal leaves, constants and operations get one node; operations on constants
/// are done at once; what the result does not need is left out.
class ProgramBuilder {
 public:
  /// Refuses operations on constants without a finite result. Positions `at` count in the source's text.
  explicit ProgramBuilder(const Source& source) : source_(&source) {}

  /// All return the node that holds the result.
  int leaf(const Leaf& leaf);
  int constant(double value);
  int operation(Op op, std::size_t at, int a, int b = 0, int c = 0);
  int curve(const std::shared_ptr<const Curve>& curve, std::size_t at, int a);
  /// All of another program, whose text is `origin`. Of its leaves, those of start(…) are counted on from `first_start`.
  int include(const Program& program, const std::shared_ptr<const Source>& origin, int first_start);

  /// Positions of instructions are counted from `begin`.
  Program finish(int result, std::size_t begin) const;

 private:
  struct Node {
    Instruction does;  // of a leaf: a is its index
    double value = 0;  // of a constant
  };
  int add(const Node& node);
  int origin_of(const std::shared_ptr<const Source>& source);
  int number_of(const std::shared_ptr<const Curve>& curve);
  bool is_constant(int node) const { return nodes_[node].does.op == Op::constant; }
  std::vector<bool> needed_for(int result) const;

  const Source* source_;
  std::vector<Leaf> leaves_;
  std::vector<Node> nodes_;
  std::vector<std::shared_ptr<const Source>> origins_;
  std::vector<std::shared_ptr<const Curve>> curves_;
  std::map<std::array<int, 4>, int> known_;  // operation and operands → node
};

}  // namespace trammel::expression
