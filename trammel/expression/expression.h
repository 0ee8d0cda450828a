#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/expression/program.h"

namespace trammel {

/// Room for evaluations: one for any number of expressions that are evaluated one after the other.
struct ExpressionWorkspace {
  std::vector<double> values, adjoints;
  std::vector<Jet> jets;

  void make_room(int registers);
};

/// A function of leaves (time, coordinates, speeds, places of frames, inputs), from text such as
///
///   0.35 m + r*cos(w*t)        if(t < 2 s, 0, tool.y - start(tool.y))        pi/2*cycloid(t/5)
///
/// with, from the loosest to the tightest,
///
///   or   and   not   < <= > >=   + -   * /   - (sign)   ^ (from the right: 2^3^2 = 2^9, -2^2 = -4)
///
/// sin cos tan asin acos atan atan2 sinh cosh tanh sqrt exp log hypot abs min max sign floor mod, the smooth steps cycloid,
/// minjerk and smoothstep (operations.h), if(condition, a, b); columns of tables, path.x(t); pi, t, constants, inputs, definitions; joint, joint[i], v(joint);
/// of frames .x … .vz, .wx, .roll, .x_axis.z and so on; start(…), start. Numbers are in SI units or carry a unit of their own:
/// deg rad m mm s ms kg N. Names that are not plain words stand in backquotes; so do joints and constants that have a name of
/// the language's own (pi, t, start, and, or, not). No input stands in start(…).
///
/// Immutable: start values are leaves like the others, so the caller keeps them. Evaluations allocate nothing.
class Expression {
 public:
  Expression() = default;  // 0
  Expression(expression::Source source, expression::Program program, std::vector<Expression> starts);

  const std::string& text() const { return source_.text(); }
  const expression::Source& source() const { return source_; }
  std::span<const Leaf> leaves() const { return program_.leaves; }  // in the order in which evaluations take them
  std::span<const Expression> starts() const { return starts_; }    // what stands in start(…), by Leaf::component
  const expression::Program& program() const { return program_; }
  bool is_constant() const { return program_.leaves.empty(); }
  bool has_speeds() const;  // velocities of joints or frames: an equation of it is one at velocity level

  void make_room(ExpressionWorkspace& work) const { work.make_room(program_.registers()); }

  double value(std::span<const double> leaves, ExpressionWorkspace& work) const;

  /// Value, rate and second rate from those of the leaves: φ, φ̇, φ̈.
  Jet evaluate(std::span<const Jet> leaves, ExpressionWorkspace& work) const;

  /// ∂φ/∂leaf of every leaf into `out`; returns φ. Where a derivative does not exist it is infinite or NaN.
  double gradient(std::span<const double> leaves, ExpressionWorkspace& work, std::span<double> out) const;

  /// Refuses, where it stands, a function that lacks the derivatives of a constraint: abs, min, max, if, sign, floor and mod. Allowed
  /// where nothing moves in it: start values and inputs stand still.
  void check_differentiable() const;

 private:
  [[noreturn]] void refuse_break(const expression::Instruction& i, const std::string& found, const char* allowed) const;

  expression::Source source_;
  expression::Program program_;
  std::vector<Expression> starts_;
};

/// Errors stand at the column where.column + characters before. Texts of up to 10000 bytes, nested up to 200 deep.
Expression parse_expression(std::string_view text, const Vocabulary& vocabulary, const Place& where = {});

/// "left = right" as φ = left − right.
Expression parse_equation(std::string_view text, const Vocabulary& vocabulary, const Place& where = {});

/// A number such as "30 deg" or "2*r", r a constant.
double parse_number(std::string_view text, const Constants& constants, const Place& where = {});

/// Whether a bare word belongs to the language, functions of its first version among them, so that a constant or an input of that name could be used only in
/// backquotes.
bool is_reserved_word(std::string_view word);
std::vector<std::string> reserved_words();  // all of them, functions last

}  // namespace trammel
