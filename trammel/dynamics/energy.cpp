#include "trammel/dynamics/energy.h"

#include <cmath>

#include "trammel/dynamics/world_inertia.h"
#include "trammel/math/jet.h"

namespace trammel {
namespace {

// [angular momentum about the body's own origin; linear momentum] of one body, in the world
template <class Scalar>
Vec6<Scalar> body_momentum(const Model& model, const Kinematics<Scalar>& kin, int i) {
  return model.bodies()[i].inertia.rotated(kin.bodies[i].X_WB.R) * kin.motion[i].V;
}

// Σ m c of the bodies, in the world
template <class Scalar>
Vec3<Scalar> first_moment(const Model& model, const Positions<Scalar>& where) {
  Vec3<Scalar> sum = Vec3<Scalar>::Zero();
  for (int i = 0; i < model.body_count(); ++i) {
    const Inertia<>& inertia = model.bodies()[i].inertia;
    sum += where.bodies[i].X_WB.R * inertia.moment.template cast<Scalar>();
    sum += where.bodies[i].X_WB.p * Scalar(inertia.mass);
  }
  return sum;
}

}  // namespace

template <class Scalar>
Scalar kinetic_energy(const Model& model, const VecX<Scalar>& v, const Kinematics<Scalar>& kin) {
  Scalar twice(0.0);
  for (int i = 0; i < model.body_count(); ++i) twice += kin.motion[i].V.dot(body_momentum(model, kin, i));
  for (int c = 0; c < model.nv(); ++c) twice += v[c] * v[c] * model.coordinates()[c].rotor_inertia;
  return twice * 0.5;
}

template <class Scalar>
Scalar potential_energy(const Model& model, const VecX<Scalar>& q, const Positions<Scalar>& where) {
  const Vec3<Scalar> g = model.gravity().template cast<Scalar>();
  Scalar energy = -g.dot(first_moment(model, where));
  for (const Body& body : model.bodies())
    for (int k = 0; k < body.nv; ++k) {
      const Coordinate& c = model.coordinates()[body.v + k];
      if (c.stiffness == 0) continue;
      const Scalar stretch = q[body.q + k] - c.rest;
      energy += stretch * stretch * (0.5 * c.stiffness);
    }
  return energy;
}

// 2T = ω·Iω + m v² + 2 h·(v × ω) of each body, h and I about its origin
BodyEnergies body_energies(const Model& model, const VecX<>& v, const Kinematics<>& kin,
                           const WorldInertias<>& at_hand) {
  using V3 = Packed<double>;
  BodyEnergies out;
  double twice = 0;
  const V3 g = model.gravity();
  for (int i = 0; i < model.body_count(); ++i) {
    if (model.bodies()[i].massless) continue;
    const WorldInertia<double>& body = at_hand.bodies[i];
    const Spatial<V3> V = Spatial<V3>::of(kin.motion[i].V);
    twice += dot(V.angular, body.about_origin * V.angular) + body.mass * dot(V.linear, V.linear) +
             2 * dot(body.moment, cross(V.linear, V.angular));
    const double weight = dot(g, body.moment + V3(kin.bodies[i].X_WB.p) * body.mass);
    out.weight -= weight;
    out.terms += std::abs(weight);
  }
  for (int c = 0; c < model.nv(); ++c) twice += v[c] * v[c] * model.coordinates()[c].rotor_inertia;
  out.kinetic = 0.5 * twice;
  return out;
}

template <class Scalar>
Vec3<Scalar> mass_centre(const Model& model, const Positions<Scalar>& where) {
  const double mass = model.moving_mass();
  return mass == 0 ? Vec3<Scalar>(Vec3<Scalar>::Zero()) : Vec3<Scalar>(first_moment(model, where) * Scalar(1 / mass));
}

template <class Scalar>
Vec6<Scalar> momentum(const Model& model, const Kinematics<Scalar>& kin) {
  Vec6<Scalar> sum = Vec6<Scalar>::Zero();
  for (int i = 0; i < model.body_count(); ++i) sum += force_from(body_momentum(model, kin, i), kin.bodies[i].X_WB.p);
  return sum;
}

#define INSTANTIATE(Scalar)                                                                      \
  template Scalar kinetic_energy(const Model&, const VecX<Scalar>&, const Kinematics<Scalar>&);  \
  template Scalar potential_energy(const Model&, const VecX<Scalar>&, const Positions<Scalar>&); \
  template Vec3<Scalar> mass_centre(const Model&, const Positions<Scalar>&);                     \
  template Vec6<Scalar> momentum(const Model&, const Kinematics<Scalar>&);
INSTANTIATE(double)
INSTANTIATE(Jet)
#undef INSTANTIATE

}  // namespace trammel
