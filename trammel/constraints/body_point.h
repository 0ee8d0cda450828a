#pragma once

#include "trammel/constraints/constraint.h"

namespace trammel {

/// A point that is fixed to a body (or to the world).
struct BodyPoint {
  int body = world;
  Vec3<> p_BP = Vec3<>::Zero();  // m, in the body's frame

  BodyPoint() = default;
  BodyPoint(int on, const Vec3<>& at) : body(on), p_BP(at) {}
  explicit BodyPoint(const Frame& frame) : body(frame.body), p_BP(frame.X_BF.p) {}

  /// p_WP.
  template <class Scalar>
  Vec3<Scalar> position(const Positions<Scalar>& where) const {
    const Vec3<Scalar> p = p_BP.cast<Scalar>();
    return body == world ? p : where.bodies[body].X_WB * p;
  }

  /// From the body's origin to the point, along the world's axes.
  template <class Scalar>
  Vec3<Scalar> arm(const Positions<Scalar>& where) const {
    const Vec3<Scalar> p = p_BP.cast<Scalar>();
    return body == world ? p : Vec3<Scalar>(where.bodies[body].X_WB.R * p);
  }

  /// v_WP.
  template <class Scalar>
  Vec3<Scalar> velocity(const Kinematics<Scalar>& kin) const {
    if (body == world) return Vec3<Scalar>::Zero();
    const Vec6<Scalar>& V = kin.motion[body].V;
    return V.template tail<3>() + cross<Scalar>(V.template head<3>(), arm<Scalar>(kin));
  }

  /// abias_WP = J̇v, the acceleration at v̇ = 0.
  template <class Scalar>
  Vec3<Scalar> bias_acceleration(const Kinematics<Scalar>& kin) const {
    if (body == world) return Vec3<Scalar>::Zero();
    const BodyMotion<Scalar>& motion = kin.motion[body];
    const Vec3<Scalar> r = arm<Scalar>(kin), w = motion.V.template head<3>();
    return motion.abias.template tail<3>() + cross<Scalar>(motion.abias.template head<3>(), r) +
           cross<Scalar>(w, cross(w, r));
  }

  /// The wrench, about the body's origin, of the force f at the point.
  template <class Scalar>
  Vec6<Scalar> wrench(const Positions<Scalar>& where, const std::type_identity_t<Vec3<Scalar>>& f) const {
    return spatial<Scalar>(cross<Scalar>(arm<Scalar>(where), f), f);
  }
};

/// Of two points that push each other, each at its own place, the one at which the force is shown: S, or P where S is fixed to the world.
inline const BodyPoint& shown_point(const BodyPoint& P, const BodyPoint& S) { return S.body != world ? S : P; }

/// Of a point S that touches something on P's body, so that both feel the force where S is: S, or the point of P's body that is there.
inline BodyPoint shown_contact(const BodyPoint& P, const BodyPoint& S, const Positions<>& where) {
  if (S.body != world || P.body == world) return S;
  return {P.body, where.bodies[P.body].X_WB.inverse() * S.p_BP};
}

/// A direction that is fixed to a body (or to the world).
struct BodyDirection {
  int body = world;
  Vec3<> d_B = Vec3<>::UnitZ();  // in the body's frame

  template <class Scalar>
  Vec3<Scalar> direction(const Positions<Scalar>& where) const {
    const Vec3<Scalar> d = d_B.cast<Scalar>();
    return body == world ? d : Vec3<Scalar>(where.bodies[body].X_WB.R * d);
  }
};

/// ω and its bias ω̇ at v̇ = 0; zero for the world.
template <class Scalar>
Vec3<Scalar> angular_velocity(const Kinematics<Scalar>& kin, int body) {
  return body == world ? Vec3<Scalar>(Vec3<Scalar>::Zero()) : Vec3<Scalar>(kin.motion[body].V.template head<3>());
}
template <class Scalar>
Vec3<Scalar> angular_bias(const Kinematics<Scalar>& kin, int body) {
  return body == world ? Vec3<Scalar>(Vec3<Scalar>::Zero()) : Vec3<Scalar>(kin.motion[body].abias.template head<3>());
}

/// The bodies of some parts of a constraint, each once: where a part's wrench goes.
class BodyList {
 public:
  explicit BodyList(std::initializer_list<int> parts) {
    for (const int body : parts) {
      slots_.push_back(slot_of(body));
      first_.push_back(slots_.back() == size());
      if (first_.back()) bodies_.push_back(body);
    }
  }
  std::span<const int> bodies() const { return bodies_; }
  int size() const { return static_cast<int>(bodies_.size()); }
  /// The slot in bodies() of the i-th part.
  int operator[](int part) const { return slots_[part]; }
  /// Whether no part before the i-th is of its body.
  bool is_first(int part) const { return first_[part]; }
  /// Puts the i-th part's share of row k's wrench there. When every part has put its own, in order, the wrenches are filled.
  template <class Scalar>
  void put(int part, int k, const Vec6<Scalar>& wrench, RowsOf<Scalar>& out) const {
    auto sum = out.wrench(slots_[part], k);
    if (first_[part])
      sum = wrench;
    else
      sum += wrench;
  }

 private:
  int slot_of(int body) const {
    int slot = 0;
    while (slot < size() && bodies_[slot] != body) ++slot;
    return slot;
  }
  std::vector<int> bodies_, slots_;
  std::vector<bool> first_;  // part of its body
};

}  // namespace trammel
