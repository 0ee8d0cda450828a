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
  Vec3<> bias_acceleration(const Kinematics<>& kin) const {
    if (body == world) return Vec3<>::Zero();
    const BodyMotion<>& motion = kin.motion[body];
    const Vec3<> r = arm<double>(kin), w = motion.V.head<3>();
    return motion.abias.tail<3>() + cross<double>(motion.abias.head<3>(), r) + cross<double>(w, cross(w, r));
  }

  /// The wrench, about the body's origin, of the force f at the point.
  Vec6<> wrench(const Positions<>& where, const Vec3<>& f) const {
    return spatial<double>(cross<double>(arm<double>(where), f), f);
  }
};

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
inline Vec3<> angular_velocity(const Kinematics<>& kin, int body) {
  return body == world ? Vec3<>(Vec3<>::Zero()) : Vec3<>(kin.motion[body].V.head<3>());
}
inline Vec3<> angular_bias(const Kinematics<>& kin, int body) {
  return body == world ? Vec3<>(Vec3<>::Zero()) : Vec3<>(kin.motion[body].abias.head<3>());
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
  /// Puts the i-th part's share of row k's wrench there. When every part has put its own, in order, the wrenches are filled.
  void put(int part, int k, const Vec6<>& wrench, Rows& out) const {
    auto sum = out.wrench(slots_[part], k);
    if (first_[part])
      sum = wrench;
    else
      sum += wrench;
  }
  /// The same for the first four rows at once, one to a lane; what stands in them beyond the constraint's own is overwritten.
  void put_rows(int part, const Spatial<Triple<Pack4>>& wrenches, Rows& out) const {
    double* sum = &out.wrenches(6 * slots_[part], 0);
    const bool first = first_[part];
    for (int j = 0; j < 6; ++j, sum += out.wrenches.cols()) {
      const Pack4 share = j < 3 ? wrenches.angular[j] : wrenches.linear[j - 3];
      (first ? share : Pack4::at(sum) + share).store(sum);
    }
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
