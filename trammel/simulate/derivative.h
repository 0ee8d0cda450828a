#pragma once

#include "trammel/motion/state.h"

namespace trammel {

/// How a state changes. `velocity` is what moves q: v itself, unless a drift control corrects it.
struct Slope {
  VecX<> velocity, vdot;
};

/// The right-hand side of the differential equation. It writes into vectors that have their size already, and must not
/// allocate if steps are not to.
class Derivative {
 public:
  virtual ~Derivative() = default;
  /// False if the state has no derivative (a singular mass matrix, a logarithm of −1 …); the step then fails.
  [[nodiscard]] virtual bool operator()(double t, const VecX<>& q, const VecX<>& v, VecX<>& velocity, VecX<>& vdot) = 0;

  /// v = from + γ v̇(t, q, v), for a stage that is implicit in v; `v` comes with a guess. False where it is not found. By default v̇ is taken
  /// to be no stiffer than that the equation may be iterated as it stands; `slope` is scratch.
  [[nodiscard]] virtual bool settle(double t, const VecX<>& q, const VecX<>& from, double gamma, VecX<>& v,
                                    Slope& slope);

  [[nodiscard]] bool operator()(const State& at, Slope& out) {
    return (*this)(at.t, at.q, at.v, out.velocity, out.vdot);
  }
};

/// A Derivative that calls a function object of the same signature.
template <class Function>
class DerivativeOf final : public Derivative {
 public:
  explicit DerivativeOf(Function function) : function_(std::move(function)) {}
  using Derivative::operator();
  bool operator()(double t, const VecX<>& q, const VecX<>& v, VecX<>& velocity, VecX<>& vdot) override {
    return function_(t, q, v, velocity, vdot);
  }

 private:
  Function function_;
};

}  // namespace trammel
