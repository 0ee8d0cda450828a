#pragma once

#include "trammel/constraints/bound_expression.h"
#include "trammel/constraints/paths.h"
#include "trammel/scenario/value.h"
#include "trammel/simulate/derivative.h"
#include "trammel/system/system.h"

namespace trammel::scenario {

/// What the scenario's own words mean in the system. The system must outlive it. All refusals stand at the value's place.
class Scope {
 public:
  Scope(const System& system, Constants constants, double duration);

  const Model& model() const { return *model_; }
  const Constants& constants() const { return vocabulary_.constants; }
  const std::vector<std::string>& inputs() const { return vocabulary_.inputs; }  // their names

  const Frame& frame(const Value& value) const;
  /// Of a list of names, none twice; refuses other numbers of them than fewest … most.
  std::vector<Frame> frames(const Value& value, std::size_t fewest, std::size_t most, const std::string& allowed) const;
  /// "q1", or "base[2]" of a joint with several.
  int velocity(const std::string& name, const Place& place) const;
  int coordinate(const std::string& name, const Place& place) const;
  Unit unit_of_coordinate(int index) const;
  bool turns(int velocity) const;  // or slides

  /// The tables that may be used: those of the time must reach over the run.
  void add_tables(std::map<std::string, Table, std::less<>> tables);
  double duration() const { return duration_; }  // of the run, s; 0: nothing runs
  /// From here on the name stands for the expression.
  void define(const std::string& name, Expression meaning);
  /// The same, where what is defined from here on stays by itself.
  Scope with_own_definitions() const;
  /// The same with more inputs, for numbers that a law is given besides.
  Scope with_inputs(std::vector<std::string> names) const;
  /// What has been defined so far, by name.
  const auto& definitions() const { return vocabulary_.definitions->all; }

  Expression expression(const Value& value) const;
  Expression equation(const Value& value) const;
  /// What something is led to, without inputs. With bare_start the word `start` alone is allowed. The unit is that of a
  /// number alone.
  Expression target(const Value& value, Unit unit, bool bare_start = false) const;
  /// One with the derivatives of a constraint, of t and start values alone.
  Expression path(const Value& value, Unit unit, bool bare_start = false) const;

  /// What is made of parts that were checked before.
  Expression composed(const std::string& text, bool bare_start = false) const;
  Expression composed_expression(const std::string& text) const;  // with inputs
  /// The coordinate (0 … 2) of a frame, as a term of a composed text.
  static std::string term(const Frame& frame, int axis);

 private:
  void lead_targets();
  Expression reaching(Expression expression) const;
  int index(const std::string& name, const Place& place, bool of_velocity) const;

  const Model* model_;
  Vocabulary vocabulary_, target_, target_with_start_;
  double duration_;
};

bool uses_start(const Expression& expression);
/// Whether it has t in it, other than in start(…).
bool uses_time(const Expression& expression);
bool moves_with_robot(const Expression& expression);  // has a coordinate, a velocity or a place of a frame in it

/// The robot at the start of the run, where start(…) takes its values.
class Start {
 public:
  Start(const Model& model, const State& state);

  double value(const Expression& expression) const;
  /// Of the expression's start(…) in their order, and behind them that of a bare `start`, which means `bare`.
  std::vector<double> values(const Expression& expression, const std::optional<Expression>& bare = {}) const;
  /// The expression, which is of time, as a path.
  ScalarPath path(const Expression& expression, const std::optional<Expression>& bare = {}) const;

 private:
  const Model* model_;
  State state_;
  Kinematics<> kin_;
};

}  // namespace trammel::scenario
