#include "trammel/dynamics/forward_dynamics.h"

#include <fmt/core.h>

#include "trammel/dynamics/bias_wrench.h"
#include "trammel/dynamics/move_body.h"
#include "trammel/dynamics/passive_forces.h"
#include "trammel/math/fill_sin_cos_table.h"
#include "trammel/math/jet.h"
#include "trammel/model/place_body.h"

namespace trammel {

template <class Scalar>
int forward_dynamics(const Model& model, const VecX<Scalar>& q, const VecX<Scalar>& v, const VecX<Scalar>& tau,
                     TreeWorkspace<Scalar>& work, VecX<Scalar>& vdot) {
  fill_sin_cos_table(q, work.kin.turns);
  // one loop outward and one inward: the computations of a body depend on other bodies rather than on each other, and overlap
  for (const int i : model.by_depth()) {
    const Body& body = model.bodies()[i];
    place_body<Scalar>(body, i, q, work.kin);
    move_body<Scalar>(body, i, v, work.kin);
    work.inertias.bodies[i].set(body.inertia, work.kin.bodies[i].X_WB.R);
    bias_wrench<Scalar>(model, i, work.kin, work.inertias, work.vectors[i]);
  }
  passive_forces(model, q, v, work.passive);
  work.passive += tau;
  const int singular =
      factorize_and_apply<Scalar>(model, work.kin, work.inertias, work.passive, work.factor, work.vectors, work.y);
  if (singular >= 0) return singular;
  apply_L_inverse_transpose<Scalar>(model, work.kin, work.factor, work.y, work.vectors, vdot);
  return -1;
}

VecX<> forward_dynamics(const Model& model, const VecX<>& q, const VecX<>& v, const VecX<>& tau) {
  TreeWorkspace<> work(model);
  VecX<> vdot(model.nv());
  const int singular = forward_dynamics<double>(model, q, v, tau, work, vdot);
  if (singular >= 0)
    throw Error(fmt::format("a mass matrix that is singular at '{}'", model.velocity_name(singular)),
                "configurations at which every joint moves some mass");
  return vdot;
}

template int forward_dynamics(const Model&, const VecX<double>&, const VecX<double>&, const VecX<double>&,
                              TreeWorkspace<double>&, VecX<double>&);
template int forward_dynamics(const Model&, const VecX<Lanes>&, const VecX<Lanes>&, const VecX<Lanes>&,
                              TreeWorkspace<Lanes>&, VecX<Lanes>&);
template int forward_dynamics(const Model&, const VecX<Jet>&, const VecX<Jet>&, const VecX<Jet>&, TreeWorkspace<Jet>&,
                              VecX<Jet>&);

}  // namespace trammel
