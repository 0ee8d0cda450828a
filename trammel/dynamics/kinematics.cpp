#include "trammel/dynamics/kinematics.h"

#include "trammel/math/jet.h"

namespace trammel {

template <class Scalar>
void velocities(const Model& model, const VecX<Scalar>& v, Kinematics<Scalar>& out) {
  using V3 = Vec3<Scalar>;
  const BodyMotion<Scalar> at_rest{Vec6<Scalar>::Zero(), Vec6<Scalar>::Zero()};
  const Body* body = model.bodies().data();
  for (int i = 0; i < model.body_count(); ++i, ++body) {
    const BodyMotion<Scalar>& parent = body->parent == world ? at_rest : out.motion[body->parent];
    const Vec6<Scalar>* S = out.S.data() + body->v;
    Vec6<Scalar> relative = S[0] * v[body->v];
    for (int k = 1; k < body->nv; ++k) relative += S[k] * v[body->v + k];

    const V3 r = out.bodies[i].r;
    const V3 w = parent.V.template head<3>(), wdot = parent.abias.template head<3>();
    const V3 w_rel = relative.template head<3>(), v_rel = relative.template tail<3>();
    const V3 wr = cross(w, r);
    V3 turning = wdot + cross(w, w_rel);
    if (body->nv > 1) turning += joint_bias<Scalar>(body->type, S, v.data() + body->v);
    const V3 moving = parent.abias.template tail<3>() + cross(wdot, r) + cross<Scalar>(w, wr + v_rel + v_rel);
    const V3 linear = parent.V.template tail<3>() + wr + v_rel;
    out.motion[i] = {spatial<Scalar>(w + w_rel, linear), spatial<Scalar>(turning, moving)};
  }
}

template <class Scalar>
void kinematics(const Model& model, const VecX<Scalar>& q, const VecX<Scalar>& v, Kinematics<Scalar>& out) {
  positions<Scalar>(model, q, out);
  velocities<Scalar>(model, v, out);
}

template void velocities(const Model&, const VecX<double>&, Kinematics<double>&);
template void velocities(const Model&, const VecX<Jet>&, Kinematics<Jet>&);
template void kinematics(const Model&, const VecX<double>&, const VecX<double>&, Kinematics<double>&);
template void kinematics(const Model&, const VecX<Jet>&, const VecX<Jet>&, Kinematics<Jet>&);

}  // namespace trammel
