#pragma once

#include <vector>

#include "trammel/constraints/bias_jets.h"

namespace trammel {

/// A scalar of the robot's state that a law may look at.
struct Quantity {
  enum class Of { coordinate, speed, point, point_velocity, direction, angular_velocity };
  Of of;
  int q = 0, v = 0;                 // of a joint: indices in q and v
  BodyPoint P;                      // of a point: its coordinate; of others: of the body that they are of
  Vec3<> axis_W = Vec3<>::UnitX();  // along this direction of the world
  Vec3<> d_B = Vec3<>::Zero();      // of a direction: itself, on the body

  static Quantity coordinate(const Model& model, int q);  // rad or m; throws Error unless its rate is a velocity
  static Quantity speed(const Model& model, int v);       // rad/s or m/s; throws Error unless the model has it
  static Quantity point(const BodyPoint& P, const Vec3<>& axis_W);           // m
  static Quantity point_velocity(const BodyPoint& P, const Vec3<>& axis_W);  // m/s

  /// The component along the axis of a direction d that is fixed to P's body, of length 1; of the angular velocity of that body, rad/s.
  static Quantity direction(const BodyPoint& P, const Vec3<>& d_B, const Vec3<>& axis_W);
  static Quantity angular_velocity(const BodyPoint& P, const Vec3<>& axis_W);

  bool of_joint() const { return of == Of::coordinate || of == Of::speed; }
  Level level() const {
    return of == Of::coordinate || of == Of::point || of == Of::direction ? Level::position : Level::velocity;
  }
  BodyDirection d() const { return {P.body, d_B}; }

  /// The value at position level, and at any.
  template <class Scalar>
  Scalar value(const Placement<Scalar>& now) const {
    if (of == Of::coordinate) return now.q[q];
    return axis_W.cast<Scalar>().dot(of == Of::direction ? d().direction(now.where) : P.position(now.where));
  }
  template <class Scalar>
  Scalar value(const Movement<Scalar>& now) const {
    if (of == Of::speed) return now.v[v];
    if (of == Of::point_velocity) return axis_W.cast<Scalar>().dot(P.velocity(now.kin));
    if (of == Of::angular_velocity) return axis_W.cast<Scalar>().dot(trammel::angular_velocity(now.kin, P.body));
    return value(now.placement());
  }

  /// (x, ẋ, ẍ at v̇ = 0); at velocity level (x, ẋ at v̇ = 0, not known).
  template <class Scalar>
  JetOf<Scalar> bias_jet(const Movement<Scalar>& now) const {
    using AJet = JetOf<Scalar>;
    if (of == Of::coordinate) return AJet(now.q[q], now.v[v]);
    if (of == Of::speed) return AJet(now.v[v]);
    const Vec3<Scalar> axis = axis_W.cast<Scalar>();
    if (of == Of::direction) {
      const Vec3<AJet> e = direction_jets(now.kin, d());
      const auto along = [&](auto part) { return axis[0] * e[0].*part + axis[1] * e[1].*part + axis[2] * e[2].*part; };
      return AJet(along(&AJet::x), along(&AJet::dx), along(&AJet::ddx));
    }
    if (of == Of::angular_velocity)
      return AJet(axis.dot(trammel::angular_velocity(now.kin, P.body)), axis.dot(angular_bias(now.kin, P.body)));
    const Scalar rate = axis.dot(P.velocity(now.kin)), second = axis.dot(P.bias_acceleration(now.kin));
    return of == Of::point ? AJet(axis.dot(P.position<Scalar>(now.kin)), rate, second) : AJet(rate, second);
  }
};

/// The quantities of a law, and where their rows go. The row of a quantity x is what multiplies v̇ in ẍ (in ẋ at
/// velocity level): 1 on the joint's velocity, the unit force along the axis at P, or a moment: along the axis for an angular velocity,
/// d × axis for a direction d, since (axis · d)′ = axis · (ω × d) = ω · (d × axis).
class Quantities {
 public:
  explicit Quantities(std::vector<Quantity> quantities);

  int size() const { return static_cast<int>(quantities_.size()); }
  const Quantity& operator[](int i) const { return quantities_[i]; }
  std::span<const int> bodies() const { return bodies_; }
  std::span<const int> velocities() const { return velocities_; }
  /// Velocity if any of them is.
  Level level() const { return level_; }

  /// The first of their points that is fixed to a moving body; a point of the world where there is none.
  BodyPoint point_of_force() const;

  /// Adds slope times the row of quantity i to row k.
  template <class Scalar>
  void add_row(int i, const Scalar& slope, const Positions<Scalar>& where, int k, RowsOf<Scalar>& out) const {
    const Quantity& x = quantities_[i];
    if (x.of_joint())
      out.coefficients(k, slots_[i]) += slope;
    else if (x.of == Quantity::Of::direction)
      add_moment(cross<Scalar>(x.d().direction(where), x.axis_W.cast<Scalar>()), slope, out.wrench(slots_[i], k));
    else if (x.of == Quantity::Of::angular_velocity)
      add_moment<Scalar>(x.axis_W.cast<Scalar>(), slope, out.wrench(slots_[i], k));
    else
      out.wrench(slots_[i], k) += x.P.wrench<Scalar>(where, x.axis_W.cast<Scalar>() * slope);
  }

 private:
  template <class Scalar, class Wrench>
  static void add_moment(const Vec3<Scalar>& n, const Scalar& slope, Wrench&& out) {
    out += spatial<Scalar>(n * slope, Vec3<Scalar>::Zero());
  }

  std::vector<Quantity> quantities_;
  std::vector<int> bodies_, velocities_, slots_;  // slots: of each quantity, in one of the two
  Level level_ = Level::position;
};

}  // namespace trammel
