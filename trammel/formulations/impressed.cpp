#include "trammel/formulations/impressed.h"

#include "trammel/dynamics/passive_forces.h"

namespace trammel {

Impressed::Impressed(const System& system, const VecX<>& q, const VecX<>& v, double t, const Baumgarte& baumgarte)
    : kin(system.model), forces(VecX<>::Zero(v.size())), springs(v.size()), friction(v.size()) {
  kinematics<double>(system.model, q, v, kin);
  const std::vector<double> inputs = system.input_values();
  const Movement<double> now{kin, q, v, t, inputs};
  rows = dense_constraints(system, now, baumgarte);
  for (const NamedForce& force : system.forces) force.law->add_to(system.model, now, forces);

  // at rest the springs are left
  passive_forces<double>(system.model, q, VecX<>::Zero(v.size()), springs);
  passive_forces<double>(system.model, q, v, friction);
  friction -= springs;
}

}  // namespace trammel
