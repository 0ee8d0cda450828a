#include <cmath>

#include <nlohmann/json.hpp>

#include "trammel/report/robot.h"
#include "trammel/report/robot_facts.h"

namespace trammel {
namespace {

using namespace robot;
using Json = nlohmann::ordered_json;

Json list_of(const Vec3<>& v) { return Json::array({v[0], v[1], v[2]}); }
Json to_json(const Symmetric3<>& I) { return Json::array({I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}); }
Json to_json(const Pose<>& X) { return Json{{"xyz", list_of(X.p)}, {"rpy", list_of(rpy_from_rotation(X.R))}}; }
Json to_json(const Inertia<>& inertia) {
  return Json{{"mass", inertia.mass}, {"com", list_of(inertia.com())}, {"inertia", to_json(inertia.about_com())}};
}
Json to_json(const VecX<>& v) { return Json(std::vector<double>(v.data(), v.data() + v.size())); }

Json limit_to_json(double limit) { return std::isinf(limit) ? Json(nullptr) : Json(limit); }  // JSON has no infinity

Json coordinate_to_json(const Coordinate& c) {
  return Json{{"lower", limit_to_json(c.lower)},
              {"upper", limit_to_json(c.upper)},
              {"speed_limit", limit_to_json(c.speed_limit)},
              {"effort_limit", limit_to_json(c.effort_limit)},
              {"damping", c.damping},
              {"friction", c.friction},
              {"stiffness", c.stiffness},
              {"rest", c.rest},
              {"rotor_inertia", c.rotor_inertia}};
}

Json body_to_json(const Model& model, int i) {
  const Body& body = model.bodies()[i];
  Json out{{"link", model.link_name(i)},
           {"parent", body.parent == world ? "world" : model.link_name(body.parent)},
           {"joint", model.joint_name(i)},
           {"type", type_text(model, i)}};
  if (body.nv == 1) out["axis"] = list_of(link_axis(model, i));
  out.update(to_json(link_inertia(model, i)));
  for (int k = 0; k < body.nv; ++k) out["coordinates"].push_back(coordinate_to_json(model.coordinates()[body.v + k]));
  return out;
}

Json model_to_json(const Model& model) {
  Json out{{"name", model.name()},
           {"freedoms", model.nv()},
           {"gravity", list_of(model.gravity())},
           {"moving_mass", model.moving_mass()},
           {"fixed_mass", model.fixed_mass()},
           {"at_zero", to_json(whole_at_zero(model))}};
  for (const char* list : {"bodies", "frames", "couplings", "warnings"}) out[list] = Json::array();
  for (int i = 0; i < model.body_count(); ++i) out["bodies"].push_back(body_to_json(model, i));
  for (const Frame& frame : model.frames()) {
    Json row{{"name", frame.name}, {"on", frame.body == world ? "world" : model.link_name(frame.body)}};
    row.update(to_json(pose_on_link(model, frame)));
    out["frames"].push_back(row);
  }
  for (const ModelCoupling& c : model.couplings())
    out["couplings"].push_back(
        {{"joint", c.name}, {"source", c.source_name}, {"multiplier", c.multiplier}, {"offset", c.offset}});
  for (const Warning& warning : model.warnings()) out["warnings"].push_back(to_string(warning));
  return out;
}

Json configuration_to_json(const Model& model, const VecX<>& q) {
  const AtConfiguration facts(model, q);
  Json out{{"q", to_json(q)}, {"coordinates", model.coordinate_names()}};
  for (int i = 0; i < model.nv(); ++i) {
    out["velocities"].push_back(model.velocity_name(i));
    out["mass_matrix"].push_back(to_json(VecX<>(facts.M.row(i))));
  }
  out["gravity_forces"] = to_json(facts.gravity_forces);
  out["potential_energy"] = facts.potential_energy;
  out["mass_centre"] = list_of(facts.mass_centre);
  for (const Frame& frame : model.frames()) {
    Json row{{"name", frame.name}};
    row.update(to_json(facts.where.pose(frame)));
    out["frames"].push_back(row);
  }
  return out;
}

}  // namespace

std::string robot_json(const Model& model, const VecX<>* q) {
  Json out = model_to_json(model);
  if (q) out["at"] = configuration_to_json(model, *q);
  return out.dump(2);
}

}  // namespace trammel
