#include "trammel/dynamics/mass_matrix.h"

#include "trammel/dynamics/world_inertia.h"
#include "trammel/math/jet.h"

namespace trammel {

template <class Scalar>
void mass_matrix(const Model& model, const Positions<Scalar>& where, const WorldInertias<Scalar>& inertias,
                 WorldInertias<Scalar>& carried, MatX<Scalar>& M) {
  using Pack = Spatial<Packed<Scalar>>;
  using Wrench = Spatial<Triple<Scalar>>;
  const std::span<const Body> bodies = model.bodies();
  carried = inertias;
  M.setZero();
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const Body& body = bodies[i];
    for (int column = body.v; column < body.v + body.nv; ++column) {
      Vec6<Scalar> F_i;
      (carried.bodies[i] * Pack::of(where.S[column])).store(F_i);
      Wrench F = Wrench::of(F_i);
      for (int row = body.v; row <= column; ++row) M(row, column) = M(column, row) = dot(Wrench::of(where.S[row]), F);
      M(column, column) += model.coordinates()[column].rotor_inertia;
      for (int at = i; bodies[at].parent != world;) {
        F = F.force_from(where.bodies[at].r);
        at = bodies[at].parent;
        for (int row = bodies[at].v; row < bodies[at].v + bodies[at].nv; ++row)
          M(row, column) = M(column, row) = dot(Wrench::of(where.S[row]), F);
      }
    }
    if (body.parent != world) carried.bodies[body.parent].add_moved(carried.bodies[i], where.bodies[i].r);
  }
}

MatX<> mass_matrix(const Model& model, const VecX<>& q) {
  Positions<> where(model);
  positions<double>(model, q, where);
  WorldInertias<> inertias(model), carried(model);
  world_inertias<double>(model, where, inertias);
  MatX<> M(model.nv(), model.nv());
  mass_matrix<double>(model, where, inertias, carried, M);
  return M;
}

template void mass_matrix(const Model&, const Positions<double>&, const WorldInertias<double>&, WorldInertias<double>&,
                          MatX<double>&);
template void mass_matrix(const Model&, const Positions<Jet>&, const WorldInertias<Jet>&, WorldInertias<Jet>&,
                          MatX<Jet>&);

}  // namespace trammel
