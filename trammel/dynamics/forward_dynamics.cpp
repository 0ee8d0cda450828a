#include "trammel/dynamics/forward_dynamics.h"

#include <fmt/core.h>

#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/passive_forces.h"
#include "trammel/math/jet.h"

namespace trammel {

template <class Scalar>
int forward_dynamics(const Model& model, const VecX<Scalar>& q, const VecX<Scalar>& v, const VecX<Scalar>& tau,
                     TreeWorkspace<Scalar>& work, VecX<Scalar>& vdot) {
  kinematics(model, q, v, work.kin);
  world_inertias<Scalar>(model, work.kin, work.inertias);
  const int singular = factorize<Scalar>(model, work.kin, work.inertias, work.factor);
  if (singular >= 0) return singular;
  passive_forces(model, q, v, work.passive);
  work.passive += tau;
  bias_wrenches(model, work.kin, work.inertias, work.vectors);
  apply_L_inverse<Scalar>(model, work.kin, work.factor, work.passive, work.vectors, work.y);
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
template int forward_dynamics(const Model&, const VecX<Jet>&, const VecX<Jet>&, const VecX<Jet>&, TreeWorkspace<Jet>&,
                              VecX<Jet>&);

}  // namespace trammel
