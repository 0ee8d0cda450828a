#include "at_configuration.h"

#include <charconv>
#include <sstream>

#include "text.h"
#include "trammel/base/names.h"
#include "trammel/dynamics/energy.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/model/configuration.h"

namespace trammel::cli {
namespace {

// "q1", or "base[0]" … for a joint with several coordinates
std::vector<std::string> coordinate_names(const Model& model) {
  std::vector<std::string> names;
  for (int i = 0; i < model.body_count(); ++i) {
    const int count = size_of(model.bodies()[i].type).q;
    for (int k = 0; k < count; ++k)
      names.push_back(count == 1 ? model.joint_name(i) : fmt::format("{}[{}]", model.joint_name(i), k));
  }
  return names;
}

struct Facts {
  MatX<> M;
  VecX<> gravity_forces;
  double potential_energy;
  Vec3<> mass_centre;
  Positions<> where;

  Facts(const Model& model, const VecX<>& q) : M(mass_matrix(model, q)), gravity_forces(model.nv()), where(model) {
    positions<double>(model, q, where);
    std::vector<Vec6<>> work(model.body_count());
    trammel::gravity_forces<double>(model, where, work, gravity_forces);
    potential_energy = trammel::potential_energy<double>(model, q, where);
    mass_centre = trammel::mass_centre<double>(model, where);
  }
};

}  // namespace

VecX<> parse_configuration(const Model& model, const std::string& text) {
  const std::vector<std::string> names = coordinate_names(model);
  VecX<> q = neutral_configuration(model);
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    const std::size_t equals = item.find('=');
    const std::string name = item.substr(0, equals);
    const auto known = std::ranges::find(names, name);
    if (known == names.end())
      throw Error(fmt::format("coordinate '{}' in --at, which does not exist", name), allowed_names(name, names));
    const std::string value = equals == std::string::npos ? "" : item.substr(equals + 1);
    double number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || !std::isfinite(number))
      throw Error(fmt::format("'{}' in --at", item), "NAME=NUMBER, in rad or m");
    q[known - names.begin()] = number;
  }
  return checked_configuration(model, q);
}

void print_configuration(const Model& model, const VecX<>& q) {
  const Facts facts(model, q);
  print("{}, {} freedoms, at", model.name(), model.nv());
  const std::vector<std::string> names = coordinate_names(model);
  for (int i = 0; i < model.nq(); ++i) print(" {}={:g}", names[i], q[i]);
  print("\n\nmass matrix (kg·m², kg·m or kg) and gravity forces (N·m or N)\n{:<20}", "");
  for (int j = 0; j < model.nv(); ++j) print("{:>14}", model.velocity_name(j));
  print("{:>16}\n", "gravity force");
  for (int i = 0; i < model.nv(); ++i) {
    print("{:<20}", model.velocity_name(i));
    for (int j = 0; j < model.nv(); ++j) print("{:>14.6g}", tidy(facts.M(i, j)));
    print("{:>16.6g}\n", tidy(facts.gravity_forces[i]));
  }
  print("\npotential energy {:.6g} J (gravity from the origin, and springs); mass centre {} m\n",
        facts.potential_energy, text_of(facts.mass_centre));
  print("\n{:<26}{:<34}{}\n", "frame in the world", "xyz m", "rpy rad");
  for (const Frame& frame : model.frames()) {
    const Pose<> X = facts.where.pose(frame);
    print("{:<26}{:<34}{}\n", frame.name, text_of(X.p), text_of(rpy_from_rotation(X.R)));
  }
}

Json configuration_to_json(const Model& model, const VecX<>& q) {
  const Facts facts(model, q);
  Json out{{"q", to_json(q)}, {"coordinates", coordinate_names(model)}};
  for (int i = 0; i < model.nv(); ++i) {
    out["velocities"].push_back(model.velocity_name(i));
    out["mass_matrix"].push_back(to_json(VecX<>(facts.M.row(i))));
  }
  out["gravity_forces"] = to_json(facts.gravity_forces);
  out["potential_energy"] = facts.potential_energy;
  out["mass_centre"] = to_json(facts.mass_centre);
  for (const Frame& frame : model.frames()) {
    Json row{{"name", frame.name}};
    row.update(to_json(facts.where.pose(frame)));
    out["frames"].push_back(row);
  }
  return out;
}

}  // namespace trammel::cli
