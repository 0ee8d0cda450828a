#include "trammel/dynamics/inverse_dynamics.h"

#include "trammel/dynamics/passive_forces.h"
#include "trammel/math/jet.h"

namespace trammel {
namespace {

template <class Scalar>
inline Vec6<Scalar> needed_force(const Inertia<Scalar>& inertia, const Vec6<Scalar>& V, const Vec6<Scalar>& A) {
  const Vec3<Scalar> w = V.template head<3>();
  const Vec3<Scalar> wdot = A.template head<3>(), a = A.template tail<3>();
  const Vec3<Scalar>& h = inertia.moment;
  return spatial<Scalar>(inertia.about_origin * wdot + cross<Scalar>(w, inertia.about_origin * w) + cross(h, a),
                         a * inertia.mass + cross(wdot, h) + cross<Scalar>(w, cross(w, h)));
}

// Gravity is an upward acceleration of the world.
template <class Scalar>
Vec6<Scalar> world_acceleration(const Model& model) {
  return spatial<Scalar>(Vec3<Scalar>::Zero(), -model.gravity().template cast<Scalar>());
}

// Inward: what each body needs, and passes on from its children, is what its joint gives.
template <class Scalar>
void gather(const Model& model, const Positions<Scalar>& where, std::vector<Vec6<Scalar>>& wrenches,
            VecX<Scalar>& out) {
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const Body& body = model.bodies()[i];
    const Vec6<Scalar>& F = wrenches[i];
    for (int c = body.v; c < body.v + body.nv; ++c) out[c] = where.S[c].dot(F);
    if (body.parent != world) wrenches[body.parent] += force_from(F, where.bodies[i].r);
  }
}

}  // namespace

template <class Scalar>
void bias_wrenches(const Model& model, const Kinematics<Scalar>& kin, const WorldInertias<Scalar>& inertias,
                   std::vector<Vec6<Scalar>>& out) {
  const Vec6<Scalar> A_world = world_acceleration<Scalar>(model);
  for (int i = 0; i < model.body_count(); ++i)
    out[i] = needed_force<Scalar>(inertias.bodies[i], kin.motion[i].V, kin.motion[i].abias + A_world);
}

template <class Scalar>
void bias_forces(const Model& model, const Kinematics<Scalar>& kin, const WorldInertias<Scalar>& inertias,
                 std::vector<Vec6<Scalar>>& wrenches, VecX<Scalar>& out) {
  bias_wrenches(model, kin, inertias, wrenches);
  gather<Scalar>(model, kin, wrenches, out);
}

template <class Scalar>
void gravity_forces(const Model& model, const Positions<Scalar>& where, std::vector<Vec6<Scalar>>& wrenches,
                    VecX<Scalar>& out) {
  const Vec3<Scalar> up = -model.gravity().template cast<Scalar>();
  for (int i = 0; i < model.body_count(); ++i) {
    const Inertia<>& inertia = model.bodies()[i].inertia;
    const Vec3<Scalar> h = where.bodies[i].X_WB.R * inertia.moment.template cast<Scalar>();
    wrenches[i] = spatial<Scalar>(cross(h, up), up * Scalar(inertia.mass));
  }
  gather<Scalar>(model, where, wrenches, out);
}

template <class Scalar>
void newton_euler(const Model& model, const Kinematics<Scalar>& kin, const WorldInertias<Scalar>& inertias,
                  const VecX<Scalar>& vdot, std::vector<Vec6<Scalar>>& accelerations,
                  std::vector<Vec6<Scalar>>& wrenches, VecX<Scalar>& out) {
  // what v̇ adds to the bias accelerations goes outward like a velocity
  const Vec6<Scalar> A_world = world_acceleration<Scalar>(model);
  for (int i = 0; i < model.body_count(); ++i) {
    const Body& body = model.bodies()[i];
    Vec6<Scalar>& A = accelerations[i];
    A = motion_at(body.parent == world ? A_world : accelerations[body.parent], kin.bodies[i].r);
    for (int c = body.v; c < body.v + body.nv; ++c) A += kin.S[c] * vdot[c];
    wrenches[i] = needed_force<Scalar>(inertias.bodies[i], kin.motion[i].V, A + kin.motion[i].abias);
  }
  gather<Scalar>(model, kin, wrenches, out);
  for (int c = 0; c < model.nv(); ++c) out[c] += vdot[c] * model.coordinates()[c].rotor_inertia;
}

VecX<> inverse_dynamics(const Model& model, const VecX<>& q, const VecX<>& v, const VecX<>& vdot) {
  Kinematics<> kin(model);
  WorldInertias<> inertias(model);
  std::vector<Vec6<>> accelerations(model.body_count()), wrenches(model.body_count());
  VecX<> tau(model.nv()), passive(model.nv());
  kinematics<double>(model, q, v, kin);
  world_inertias<double>(model, kin, inertias);
  newton_euler<double>(model, kin, inertias, vdot, accelerations, wrenches, tau);
  passive_forces<double>(model, q, v, passive);
  return tau - passive;
}

#define INSTANTIATE(Scalar)                                                                                        \
  template void bias_wrenches(const Model&, const Kinematics<Scalar>&, const WorldInertias<Scalar>&,               \
                              std::vector<Vec6<Scalar>>&);                                                         \
  template void bias_forces(const Model&, const Kinematics<Scalar>&, const WorldInertias<Scalar>&,                 \
                            std::vector<Vec6<Scalar>>&, VecX<Scalar>&);                                            \
  template void gravity_forces(const Model&, const Positions<Scalar>&, std::vector<Vec6<Scalar>>&, VecX<Scalar>&); \
  template void newton_euler(const Model&, const Kinematics<Scalar>&, const WorldInertias<Scalar>&,                \
                             const VecX<Scalar>&, std::vector<Vec6<Scalar>>&, std::vector<Vec6<Scalar>>&,          \
                             VecX<Scalar>&);
INSTANTIATE(double)
INSTANTIATE(Jet)
#undef INSTANTIATE

}  // namespace trammel
