#include "trammel/dynamics/inverse_dynamics.h"

#include "trammel/dynamics/bias_wrench.h"
#include "trammel/dynamics/passive_forces.h"
#include "trammel/math/jet.h"
#include "trammel/math/lanes.h"

namespace trammel {
namespace {

// Inward: what each body needs, and passes on from its children, is what its joint gives.
template <class Scalar>
void gather(const Model& model, const Positions<Scalar>& where, std::vector<Vec6<Scalar>>& wrenches,
            VecX<Scalar>& out) {
  using Wrench = Spatial<Triple<Scalar>>;
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const Body& body = model.bodies()[i];
    const Wrench F = Wrench::of(wrenches[i]);
    for (int c = body.v; c < body.v + body.nv; ++c) out[c] = dot(Wrench::of(where.S[c]), F);
    if (body.parent == world) continue;
    Vec6<Scalar>& parent = wrenches[body.parent];
    (Wrench::of(parent) + F.force_from(where.bodies[i].r)).store(parent);
  }
}

}  // namespace

template <class Scalar>
void bias_wrenches(const Model& model, const Kinematics<Scalar>& kin, const WorldInertias<Scalar>& inertias,
                   std::vector<Vec6<Scalar>>& out) {
  for (int i = 0; i < model.body_count(); ++i) bias_wrench(model, i, kin, inertias, out[i]);
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
  using Twist = Spatial<Triple<Scalar>>;
  using V3 = Packed<Scalar>;
  const Twist A_world{Triple<Scalar>::zero(), world_acceleration<Scalar>(model)};
  for (int i = 0; i < model.body_count(); ++i) {
    const Body& body = model.bodies()[i];
    const Twist A_parent = body.parent == world ? A_world : Twist::of(accelerations[body.parent]);
    Twist A = A_parent.motion_at(kin.bodies[i].r);
    for (int c = body.v; c < body.v + body.nv; ++c) A = A + Twist::of(kin.S[c]) * vdot[c];
    A.store(accelerations[i]);
    (A + Twist::of(kin.motion[i].abias)).store(wrenches[i]);
  }
  for (int i = 0; i < model.body_count(); ++i) {
    const V3 w = V3::at(kin.motion[i].V.data());
    needed_force<Scalar>(inertias.bodies[i], w, Spatial<V3>::of(wrenches[i])).store(wrenches[i]);
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
template void bias_wrenches(const Model&, const Kinematics<Lanes>&, const WorldInertias<Lanes>&,
                            std::vector<Vec6<Lanes>>&);

}  // namespace trammel
