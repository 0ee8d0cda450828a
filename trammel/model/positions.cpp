#include "trammel/model/positions.h"

#include "trammel/math/jet.h"

namespace trammel {

template <class Scalar>
void positions(const Model& model, const VecX<Scalar>& q, Positions<Scalar>& out) {
  out.turns.set(q);
  for (int i = 0; i < model.body_count(); ++i) place_body<Scalar>(model.bodies()[i], i, q, out);
}

template void positions(const Model&, const VecX<double>&, Positions<double>&);
template void positions(const Model&, const VecX<Jet>&, Positions<Jet>&);

}  // namespace trammel
