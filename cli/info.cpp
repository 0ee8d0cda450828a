#include <cmath>
#include <iostream>
#include <vector>

#include <fmt/core.h>

#include "at_configuration.h"
#include "text.h"
#include "trammel/model/build_model.h"
#include "trammel/model/configuration.h"
#include "trammel/model/positions.h"
#include "trammel/urdf/urdf.h"
#include "verbs.h"

namespace trammel::cli {
namespace {

// The frame that the robot's author gave to the link of a body.
const Pose<>& link_pose(const Model& model, int body) { return model.frame(model.link_name(body)).X_BF; }

// The inertia of a body in its author's frame.
Inertia<> link_inertia(const Model& model, int body) {
  return model.bodies()[body].inertia.transformed(link_pose(model, body).inverse());
}

Vec3<> link_axis(const Model& model, int body) { return link_pose(model, body).R.row(2); }

std::string type_text(const Model& model, int body) {
  const Body& b = model.bodies()[body];
  const bool free =
      b.nv > 0 && std::isinf(model.coordinates()[b.v].lower) && std::isinf(model.coordinates()[b.v].upper);
  return b.type == JointType::revolute && free ? "continuous" : std::string(name_of(b.type));
}

std::string limits_text(const Model& model, int body) {
  const Body& b = model.bodies()[body];
  if (b.nv != 1) return "";
  const Coordinate& c = model.coordinates()[b.v];
  if (std::isinf(c.lower) && std::isinf(c.upper)) return "no limits";
  return fmt::format("{:.4g} … {:.4g} {}", c.lower, c.upper, is_angular(b.type, 0) ? "rad" : "m");
}

// How far to indent each body: a chain stays in one column, each branch of a fork moves in by one step.
std::vector<int> branch_depths(const Model& model) {
  std::vector<int> children(model.body_count(), 0), depth(model.body_count(), 0);
  int roots = 0;
  for (const Body& body : model.bodies()) ++(body.parent == world ? roots : children[body.parent]);
  for (int i = 0; i < model.body_count(); ++i) {
    const int parent = model.bodies()[i].parent;
    depth[i] = parent == world ? (roots > 1) : depth[parent] + (children[parent] > 1);
  }
  return depth;
}

// All moving bodies as one, every joint at zero: about the world's origin, along the world's axes.
Inertia<> whole_at_zero(const Model& model) {
  Positions<> at_zero(model);
  positions<double>(model, neutral_configuration(model), at_zero);
  Inertia<> whole;
  for (int i = 0; i < model.body_count(); ++i)
    whole = whole + model.bodies()[i].inertia.transformed(at_zero.bodies[i].X_WB);
  return whole;
}

void print_text(const Model& model) {
  const Inertia<> whole = whole_at_zero(model);
  print("{}: {} bodies, {} freedoms; {:g} kg moving, {:g} kg fixed\n", model.name(), model.body_count(), model.nv(),
        model.moving_mass(), model.fixed_mass());
  print("with every joint at zero: mass centre {} m; inertia about it {} kg·m² (xx yy zz xy xz yz)\n\n",
        text_of(whole.com()), text_of(whole.about_com()));

  print("{:<26}{:<26}{:<12}{:<15}{}\n", "link", "joint", "type", "axis in link", "limits");
  const std::vector<int> depth = branch_depths(model);
  for (int i = 0; i < model.body_count(); ++i)
    print("{:<26}{:<26}{:<12}{:<15}{}\n", std::string(std::min(2 * depth[i], 12), ' ') + model.link_name(i),
          model.joint_name(i), type_text(model, i), model.bodies()[i].nv == 1 ? text_of(link_axis(model, i)) : "",
          limits_text(model, i));

  print("\n{:<26}{:>10}  {:<28} {}\n", "body, in its link's frame", "mass kg", "mass centre m",
        "inertia about it kg·m² (xx yy zz xy xz yz)");
  for (int i = 0; i < model.body_count(); ++i) {
    const Inertia<> inertia = link_inertia(model, i);
    print("{:<26}{:>10.4g}  {:<28} {}\n", model.link_name(i), inertia.mass, text_of(inertia.com()),
          text_of(inertia.about_com()));
  }

  print("\n{:<26}{:<26}{:<28} {}\n", "frame", "on link", "xyz m", "rpy rad");
  for (const Frame& frame : model.frames()) {
    const Pose<> at = frame.body == world ? frame.X_BF : link_pose(model, frame.body).inverse() * frame.X_BF;
    print("{:<26}{:<26}{:<28} {}\n", frame.name, frame.body == world ? "world" : model.link_name(frame.body),
          text_of(at.p), text_of(rpy_from_rotation(at.R)));
  }

  for (const ModelCoupling& c : model.couplings())
    print("\ncoupling: {} = {:g}·{} + {:g}\n", c.name, c.multiplier, c.source_name, c.offset);
  if (!model.warnings().empty()) print("\n");
  for (const Warning& warning : model.warnings()) print("warning: {}\n", to_string(warning));
}

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

Json model_to_json(const Model& model) {
  const Inertia<> whole = whole_at_zero(model);
  Json out{{"name", model.name()},
           {"freedoms", model.nv()},
           {"gravity", to_json(model.gravity())},
           {"moving_mass", model.moving_mass()},
           {"fixed_mass", model.fixed_mass()},
           {"at_zero", to_json(whole)}};
  out["bodies"] = Json::array();
  for (int i = 0; i < model.body_count(); ++i) {
    const Body& body = model.bodies()[i];
    Json row{{"link", model.link_name(i)},
             {"parent", body.parent == world ? "world" : model.link_name(body.parent)},
             {"joint", model.joint_name(i)},
             {"type", type_text(model, i)}};
    if (body.nv == 1) row["axis"] = to_json(link_axis(model, i));
    row.update(to_json(link_inertia(model, i)));
    for (int k = 0; k < body.nv; ++k) row["coordinates"].push_back(coordinate_to_json(model.coordinates()[body.v + k]));
    out["bodies"].push_back(row);
  }
  out["frames"] = Json::array();
  for (const Frame& frame : model.frames()) {
    const bool on_world = frame.body == world;
    Json row{{"name", frame.name}, {"on", on_world ? "world" : model.link_name(frame.body)}};
    row.update(to_json(on_world ? frame.X_BF : link_pose(model, frame.body).inverse() * frame.X_BF));
    out["frames"].push_back(row);
  }
  out["couplings"] = Json::array();
  for (const ModelCoupling& c : model.couplings())
    out["couplings"].push_back(
        {{"joint", c.name}, {"source", c.source_name}, {"multiplier", c.multiplier}, {"offset", c.offset}});
  out["warnings"] = Json::array();
  for (const Warning& warning : model.warnings()) out["warnings"].push_back(to_string(warning));
  return out;
}

struct InfoOptions {
  std::string file;
  std::string at;
  bool json = false;
};

}  // namespace

void add_info(CLI::App& app, Exit& exit) {
  CLI::App* verb = app.add_subcommand("info", "What a robot file holds: tree, joints, masses, frames");
  verb->footer("Example:\n  trammel info robot.urdf --at q1=0.5,q2=-1");
  auto options = std::make_shared<InfoOptions>();
  verb->add_option("FILE", options->file, "a robot as URDF")->required();
  verb->add_option("--at", options->at,
                   "a configuration, as q1=0.3,q2=-1.2 (rad and m; joints not named stand at zero): prints the mass "
                   "matrix, gravity forces, energy and frame poses there");
  verb->add_flag("--json", options->json, "print one JSON object instead of tables");
  verb->callback([options, &exit] {
    const Model model = build_model(read_urdf(options->file));
    const bool at = !options->at.empty();
    if (options->json) {
      Json out = model_to_json(model);
      if (at) out["at"] = configuration_to_json(model, parse_configuration(model, options->at));
      print("{}\n", out.dump(2));
    } else if (at) {
      print_configuration(model, parse_configuration(model, options->at));
    } else {
      print_text(model);
    }
    exit = done;
  });
}

}  // namespace trammel::cli
