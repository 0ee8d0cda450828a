#include "trammel/model/positions.h"

#include "trammel/math/jet.h"

namespace trammel {
namespace {

// X_WP X_PF, where X_PF is made of plain numbers whatever the scalar
template <class Scalar>
[[gnu::always_inline]] inline Pose<Scalar> followed_by(const Pose<Scalar>& X_WP, const Pose<>& X_PF) {
  const Vec3<Scalar> x = X_WP.R.col(0), y = X_WP.R.col(1), z = X_WP.R.col(2);
  Mat3<Scalar> R;
  for (int k = 0; k < 3; ++k) R.col(k) = x * X_PF.R(0, k) + y * X_PF.R(1, k) + z * X_PF.R(2, k);
  return {R, X_WP.p + x * X_PF.p[0] + y * X_PF.p[1] + z * X_PF.p[2]};
}

}  // namespace

template <class Scalar>
void positions(const Model& model, const VecX<Scalar>& q, Positions<Scalar>& out) {
  const Pose<Scalar> X_WW;
  const Body* body = model.bodies().data();
  for (int i = 0; i < model.body_count(); ++i, ++body) {
    const Pose<Scalar>& X_WP = body->parent == world ? X_WW : out.bodies[body->parent].X_WB;
    const Pose<Scalar> X_WF = followed_by(X_WP, body->X_PF);
    BodyPosition<Scalar>& here = out.bodies[i];
    place_joint<Scalar>(body->type, body->pitch, q.data() + body->q, X_WF, here.X_WB, out.S.data() + body->v);
    here.r = here.X_WB.p - X_WP.p;
  }
}

template void positions(const Model&, const VecX<double>&, Positions<double>&);
template void positions(const Model&, const VecX<Jet>&, Positions<Jet>&);

}  // namespace trammel
