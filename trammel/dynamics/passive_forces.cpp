#include "trammel/dynamics/passive_forces.h"

#include <cmath>

#include "trammel/math/jet.h"
#include "trammel/math/lanes.h"

namespace trammel {

template <class Scalar>
void passive_forces(const Model& model, const VecX<Scalar>& q, const VecX<Scalar>& v, VecX<Scalar>& out) {
  using std::sqrt;
  out.setZero();
  if (!model.has_passive_forces()) return;
  for (const Body& body : model.bodies()) {
    for (int k = 0; k < body.nv; ++k) {
      const int i = body.v + k;
      const Coordinate& c = model.coordinates()[i];
      out[i] = v[i] * -c.damping;
      if (c.stiffness > 0) out[i] -= (q[body.q + k] - c.rest) * c.stiffness;
      if (c.friction > 0) out[i] -= v[i] * c.friction / sqrt(v[i] * v[i] + c.friction_speed * c.friction_speed);
    }
  }
}

template void passive_forces(const Model&, const VecX<double>&, const VecX<double>&, VecX<double>&);
template void passive_forces(const Model&, const VecX<Lanes>&, const VecX<Lanes>&, VecX<Lanes>&);
template void passive_forces(const Model&, const VecX<Jet>&, const VecX<Jet>&, VecX<Jet>&);

}  // namespace trammel
