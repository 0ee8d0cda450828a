#include "trammel/dynamics/kinematics.h"

#include "trammel/dynamics/move_body.h"
#include "trammel/math/fill_sin_cos_table.h"
#include "trammel/math/jet.h"
#include "trammel/model/place_body.h"

namespace trammel {

template <class Scalar>
void velocities(const Model& model, const VecX<Scalar>& v, Kinematics<Scalar>& out) {
  for (const int i : model.by_depth()) move_body<Scalar>(model.bodies()[i], i, v, out);
}

template <class Scalar>
void kinematics(const Model& model, const VecX<Scalar>& q, const VecX<Scalar>& v, Kinematics<Scalar>& out) {
  fill_sin_cos_table(q, out.turns);
  for (const int i : model.by_depth()) {
    place_body<Scalar>(model.bodies()[i], i, q, out);
    move_body<Scalar>(model.bodies()[i], i, v, out);
  }
}

template void velocities(const Model&, const VecX<Jet>&, Kinematics<Jet>&);
template void kinematics(const Model&, const VecX<double>&, const VecX<double>&, Kinematics<double>&);
template void kinematics(const Model&, const VecX<Jet>&, const VecX<Jet>&, Kinematics<Jet>&);
template void kinematics(const Model&, const VecX<Lanes>&, const VecX<Lanes>&, Kinematics<Lanes>&);

}  // namespace trammel
