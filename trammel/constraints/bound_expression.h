#pragma once

#include "trammel/constraints/quantity.h"
#include "trammel/expression/expression.h"

namespace trammel {

/// The names of a model that an expression may use: its joints and frames.
Vocabulary vocabulary_of(const Model& model);

/// An expression whose leaves have been found in a model: its value at a state. Evaluations allocate nothing but
/// in the first on a thread, which makes room.
class BoundExpression {
 public:
  /// `start` holds the values of the expression's start(…) leaves, in their order, and of a bare `start` behind them.
  /// `inputs` names the system's inputs in their order. Throws Error if a start value or the name of an input is missing,
  /// or if a leaf is the coordinate of a quaternion.
  BoundExpression(const Model& model, Expression expression, const std::vector<double>& start = {},
                  std::span<const std::string> inputs = {});

  const Expression& expression() const { return expression_; }
  const Quantities& quantities() const { return quantities_; }  // its leaves that are of the robot

  bool has_time() const;

  /// On doubles, jets or lanes. At a Placement there must be no speeds in it; the moment must carry the values of all inputs.
  template <class Scalar>
  Scalar value(const Placement<Scalar>& now) const;
  template <class Scalar>
  Scalar value(const Movement<Scalar>& now) const;

  /// The value with its rates at v̇ = 0, from bias jets (bias_jets.h); and its slope along each of the quantities.
  template <class Scalar>
  JetOf<Scalar> bias_jet(const Movement<Scalar>& now, std::span<std::type_identity_t<Scalar>> slopes) const;

 private:
  // A leaf is quantity `quantity` or input `input`; or, where both are negative, time; or a constant.
  struct BoundLeaf {
    int quantity = -1;
    int input = -1;
    bool is_time = false;
    double constant = 0;
  };
  BoundLeaf bind(const Model& model, const Leaf& leaf, const std::vector<double>& start,
                 std::span<const std::string> inputs, std::vector<Quantity>& found) const;
  static double still_value(const BoundLeaf& leaf, std::span<const double> inputs);
  template <class Scalar, class Moment>
  Scalar value_at(const Moment& now) const;

  Expression expression_;
  std::vector<BoundLeaf> leaves_;
  Quantities quantities_;
};

}  // namespace trammel
