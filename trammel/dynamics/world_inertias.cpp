#include "trammel/dynamics/world_inertias.h"

#include "trammel/dynamics/world_inertia.h"
#include "trammel/math/jet.h"
#include "trammel/math/lanes.h"

namespace trammel {

template <class Scalar>
WorldInertias<Scalar>::WorldInertias(const Model& model) : bodies(model.body_count()) {
  for (WorldInertia<Scalar>& body : bodies) body.set({}, Mat3<Scalar>::Identity());  // as massless ones stay
}
template <class Scalar>
WorldInertias<Scalar>::WorldInertias(const WorldInertias&) = default;
template <class Scalar>
WorldInertias<Scalar>::WorldInertias(WorldInertias&&) noexcept = default;
template <class Scalar>
WorldInertias<Scalar>& WorldInertias<Scalar>::operator=(const WorldInertias&) = default;
template <class Scalar>
WorldInertias<Scalar>& WorldInertias<Scalar>::operator=(WorldInertias&&) noexcept = default;
template <class Scalar>
WorldInertias<Scalar>::~WorldInertias() = default;

#define INSTANTIATE(Scalar)              \
  template struct WorldInertias<Scalar>; \
  template void world_inertias(const Model&, const Positions<Scalar>&, WorldInertias<Scalar>&);
INSTANTIATE(double)
INSTANTIATE(Jet)
INSTANTIATE(Lanes)
#undef INSTANTIATE

}  // namespace trammel
