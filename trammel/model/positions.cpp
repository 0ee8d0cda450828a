#include "trammel/model/positions.h"

#include "trammel/math/fill_sin_cos_table.h"
#include "trammel/math/jet.h"
#include "trammel/model/place_body.h"

namespace trammel {

template <class Scalar>
void positions(const Model& model, const VecX<Scalar>& q, Positions<Scalar>& out) {
  fill_sin_cos_table(q, out.turns);
  for (int i = 0; i < model.body_count(); ++i) place_body<Scalar>(model.bodies()[i], i, q, out);
}

template void positions(const Model&, const VecX<double>&, Positions<double>&);
template void positions(const Model&, const VecX<Jet>&, Positions<Jet>&);

}  // namespace trammel
