#include "trammel/dynamics/energy.h"

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
