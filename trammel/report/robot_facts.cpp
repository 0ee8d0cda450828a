#include "trammel/report/robot_facts.h"

#include <cmath>

#include "trammel/dynamics/energy.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/model/configuration.h"

namespace trammel::robot {

const Pose<>& link_pose(const Model& model, int body) { return model.frame(model.link_name(body)).X_BF; }

Inertia<> link_inertia(const Model& model, int body) {
  return model.bodies()[body].inertia.transformed(link_pose(model, body).inverse());
}

Vec3<> link_axis(const Model& model, int body) { return link_pose(model, body).R.row(2); }

Pose<> pose_on_link(const Model& model, const Frame& frame) {
  return frame.body == world ? frame.X_BF : link_pose(model, frame.body).inverse() * frame.X_BF;
}

std::string type_text(const Model& model, int body) {
  const Body& b = model.bodies()[body];
  const bool free =
      b.nv > 0 && std::isinf(model.coordinates()[b.v].lower) && std::isinf(model.coordinates()[b.v].upper);
  return b.type == JointType::revolute && free ? "continuous" : std::string(name_of(b.type));
}

Inertia<> whole_at_zero(const Model& model) {
  Positions<> at_zero(model);
  positions<double>(model, neutral_configuration(model), at_zero);
  Inertia<> whole;
  for (int i = 0; i < model.body_count(); ++i)
    whole = whole + model.bodies()[i].inertia.transformed(at_zero.bodies[i].X_WB);
  return whole;
}

AtConfiguration::AtConfiguration(const Model& model, const VecX<>& q)
    : M(mass_matrix(model, q)), gravity_forces(model.nv()), where(model) {
  positions<double>(model, q, where);
  std::vector<Vec6<>> work(model.body_count());
  trammel::gravity_forces<double>(model, where, work, gravity_forces);
  potential_energy = trammel::potential_energy<double>(model, q, where);
  mass_centre = trammel::mass_centre<double>(model, where);
}

}  // namespace trammel::robot
