#include "trammel/simulate/manifold.h"

#include <cmath>
#include <numbers>

#include "trammel/math/copy.h"
#include "trammel/model/configuration.h"

namespace trammel {

double Manifold::size(const VecX<>& q, int velocity) const {
  const int i = coordinate_of(velocity);
  return i < 0 ? 1 : std::abs(q[i]);
}

bool VectorSpace::increment_rate(const VecX<>&, const VecX<>& velocity, VecX<>& out) const {
  copy(velocity, out);
  return true;
}

ModelManifold::ModelManifold(const Model& model) : model_(model) {
  for (const Body& body : model.bodies())
    for (int k = 0; k < body.nv; ++k) {
      const bool turns = drives_quaternion(body.type, k);
      if (turns && (k == 0 || !drives_quaternion(body.type, k - 1))) quaternions_.push_back(body.v + k);
      coordinate_of_.push_back(turns ? -1 : body.q + k);
    }
}

void ModelManifold::retract(const VecX<>& q, const VecX<>& s, VecX<>& out) const {
  if (quaternions_.empty())
    out = q + s;
  else
    trammel::retract(model_, q, s, out);
}

bool ModelManifold::increment_rate(const VecX<>& s, const VecX<>& velocity, VecX<>& out) const {
  copy(velocity, out);
  for (const int first : quaternions_) {
    const Vec3<> turn = s.segment<3>(first);
    if (!(turn.norm() < 2 * std::numbers::pi)) return false;
    out.segment<3>(first) = rotation_vector_rate(turn, velocity.segment<3>(first));
  }
  return true;
}

std::unique_ptr<Manifold> manifold_of(const Problem& problem) {
  if (problem.is_tree()) return std::make_unique<ModelManifold>(problem.system().model);
  return std::make_unique<VectorSpace>(problem.nv());
}

}  // namespace trammel
