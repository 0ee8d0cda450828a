#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/report/robot.h"
#include "trammel/report/robot_facts.h"

namespace trammel {
namespace {

using namespace robot;

// A text that grows line by line.
class Lines {
 public:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Arguments>(arguments)...);
  }
  std::string text() const { return text_; }

 private:
  std::string text_;
};

// Adding 0 makes −0 a plain 0; what rounding leaves below 1e-15 is shown as 0 too.
double tidy(double x) { return std::abs(x) < 1e-15 ? 0.0 : x; }

std::string text_of(const Vec3<>& v) { return fmt::format("{:.6g} {:.6g} {:.6g}", tidy(v[0]), tidy(v[1]), tidy(v[2])); }
std::string text_of(const Symmetric3<>& I) {
  return fmt::format("{:.4g} {:.4g} {:.4g} {:.4g} {:.4g} {:.4g}", tidy(I.xx), tidy(I.yy), tidy(I.zz), tidy(I.xy),
                     tidy(I.xz), tidy(I.yz));
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

std::size_t indent_of(int depth) { return std::min(2 * depth, 12); }

// Of columns of names: those of links, indented in the tree, of joints and of frames fit in.
int name_width(const Model& model) {
  std::size_t longest = 24;
  const std::vector<int> depth = branch_depths(model);
  for (int i = 0; i < model.body_count(); ++i)
    longest = std::max({longest, indent_of(depth[i]) + model.link_name(i).size(), model.joint_name(i).size()});
  for (const Frame& frame : model.frames()) longest = std::max(longest, frame.name.size());
  return static_cast<int>(longest) + 2;
}

}  // namespace

std::string robot_text(const Model& model) {
  Lines out;
  const int width = name_width(model);
  const Inertia<> whole = whole_at_zero(model);
  out.add("{}: {} bodies, {} freedoms; {:g} kg moving, {:g} kg fixed\n", model.name(), model.body_count(), model.nv(),
          model.moving_mass(), model.fixed_mass());
  out.add("with every joint at zero: mass centre {} m; inertia about it {} kg·m² (xx yy zz xy xz yz)\n\n",
          text_of(whole.com()), text_of(whole.about_com()));

  out.add("{:<{}}{:<{}}{:<12}{:<15}{}\n", "link", width, "joint", width, "type", "axis in link", "limits");
  const std::vector<int> depth = branch_depths(model);
  for (int i = 0; i < model.body_count(); ++i)
    out.add("{:<{}}{:<{}}{:<12}{:<15}{}\n", std::string(indent_of(depth[i]), ' ') + model.link_name(i), width,
            model.joint_name(i), width, type_text(model, i),
            model.bodies()[i].nv == 1 ? text_of(link_axis(model, i)) : "", limits_text(model, i));

  out.add("\n{:<{}}{:>10}  {:<28} {}\n", "body, in its link's frame", width, "mass kg", "mass centre m",
          "inertia about it kg·m² (xx yy zz xy xz yz)");
  for (int i = 0; i < model.body_count(); ++i) {
    const Inertia<> inertia = link_inertia(model, i);
    out.add("{:<{}}{:>10.4g}  {:<28} {}\n", model.link_name(i), width, inertia.mass, text_of(inertia.com()),
            text_of(inertia.about_com()));
  }

  out.add("\n{:<{}}{:<{}}{:<28} {}\n", "frame", width, "on link", width, "xyz m", "rpy rad");
  for (const Frame& frame : model.frames()) {
    const Pose<> at = pose_on_link(model, frame);
    out.add("{:<{}}{:<{}}{:<28} {}\n", frame.name, width, frame.body == world ? "world" : model.link_name(frame.body),
            width, text_of(at.p), text_of(rpy_from_rotation(at.R)));
  }

  for (const ModelCoupling& c : model.couplings())
    out.add("\ncoupling: {} = {:g}·{} + {:g}\n", c.name, c.multiplier, c.source_name, c.offset);
  if (!model.warnings().empty()) out.add("\n");
  for (const Warning& warning : model.warnings()) out.add("warning: {}\n", to_string(warning));
  return out.text();
}

std::string robot_text(const Model& model, const VecX<>& q) {
  Lines out;
  const AtConfiguration facts(model, q);
  out.add("{}, {} freedoms, at", model.name(), model.nv());
  const std::vector<std::string> names = model.coordinate_names();
  for (int i = 0; i < model.nq(); ++i) out.add(" {}={:g}", names[i], q[i]);
  out.add("\n\nmass matrix (kg·m², kg·m or kg) and gravity forces (N·m or N)\n{:<20}", "");
  for (int j = 0; j < model.nv(); ++j) out.add("{:>14}", model.velocity_name(j));
  out.add("{:>16}\n", "gravity force");
  for (int i = 0; i < model.nv(); ++i) {
    out.add("{:<20}", model.velocity_name(i));
    for (int j = 0; j < model.nv(); ++j) out.add("{:>14.6g}", tidy(facts.M(i, j)));
    out.add("{:>16.6g}\n", tidy(facts.gravity_forces[i]));
  }
  out.add("\npotential energy {:.6g} J (gravity from the origin, and springs); mass centre {} m\n",
          facts.potential_energy, text_of(facts.mass_centre));
  out.add("\n{:<{}}{:<34}{}\n", "frame in the world", name_width(model), "xyz m", "rpy rad");
  for (const Frame& frame : model.frames()) {
    const Pose<> X = facts.where.pose(frame);
    out.add("{:<{}}{:<34}{}\n", frame.name, name_width(model), text_of(X.p), text_of(rpy_from_rotation(X.R)));
  }
  return out.text();
}

}  // namespace trammel
