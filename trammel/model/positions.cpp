#include "trammel/model/positions.h"

#include "trammel/math/jet.h"

namespace trammel {

template <class Scalar>
void positions(const Model& model, const VecX<Scalar>& q, Positions<Scalar>& out) {
  const Pose<Scalar> X_WW;
  const Body* body = model.bodies().data();
  for (int i = 0; i < model.body_count(); ++i, ++body) {
    BodyPosition<Scalar>& here = out.bodies[i];
    const Pose<Scalar>& X_WP = body->parent == world ? X_WW : out.bodies[body->parent].X_WB;
    const Pose<Scalar> X_WF = X_WP * body->X_PF.template cast<Scalar>();
    place_joint<Scalar>(body->type, body->pitch, q.data() + body->q, X_WF, here.X_WB, out.S.data() + body->v);
    here.r = here.X_WB.p - X_WP.p;
  }
}

template void positions(const Model&, const VecX<double>&, Positions<double>&);
template void positions(const Model&, const VecX<Jet>&, Positions<Jet>&);

}  // namespace trammel
