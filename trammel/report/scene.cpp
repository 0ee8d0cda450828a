#include "trammel/report/scene.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>

#include <fmt/core.h>

#include "trammel/constraints/point_on_path.h"
#include "trammel/constraints/rolling.h"
#include "trammel/motion/force_stage.h"
#include "trammel/motion/stages.h"
#include "trammel/report/thin_meshes.h"

namespace trammel {
namespace {

std::vector<Scene::Body> bodies_of(const Model& model) {
  std::vector<Scene::Body> out;
  for (int i = 0; i < model.body_count(); ++i) out.push_back({model.link_name(i), model.bodies()[i].parent});
  const auto fixed = [](const BodyVisual& shape) { return shape.body == world; };
  if (std::ranges::any_of(model.visuals(), fixed)) out.push_back({"world", world});  // the last, for its shapes
  for (const BodyVisual& shape : model.visuals())
    (shape.body == world ? out.back() : out[shape.body]).visuals.push_back(shape.visual);
  for (const Frame& frame : model.frames())
    if (frame.body != world) out[frame.body].points.push_back(frame.X_BF.p);
  for (const Body& body : model.bodies())
    if (body.parent != world) out[body.parent].points.push_back(body.X_PF.p);
  return out;
}

// Wheels and balls whose constraints know a radius, on bodies that have no shape of their own: a disc is drawn a twentieth of its radius
// thick.
void show_wheels(const System& system, std::vector<Scene::Body>& out) {
  std::vector<bool> has_shape;
  for (const Scene::Body& body : out) has_shape.push_back(!body.visuals.empty());
  for (const NamedConstraint& constraint : system.constraints) {
    const auto* const wheel = dynamic_cast<const Rolling*>(constraint.law.get());
    if (wheel == nullptr || wheel->centre().body == world || has_shape[wheel->centre().body]) continue;
    Visual visual{
        .at = {frame_with_z(wheel->axis_B()), wheel->centre().p_BP}, .shape = Sphere{wheel->tyre()}, .color = {}};
    if (wheel->rim() > 0)
      visual.shape =
          Cylinder{wheel->rim() + wheel->tyre(), wheel->tyre() > 0 ? 2 * wheel->tyre() : 0.05 * wheel->rim()};
    out[wheel->centre().body].visuals.push_back(visual);
  }
}

// Each file once, thinned; what cannot be shown is said in one line.
void read_meshes(std::size_t most_triangles, Scene& out) {
  const std::size_t most_read = can_thin_meshes() ? 2'000'000 : most_triangles;  // of one file, and of all
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  std::map<std::string, ShownPart> shown;  // by the path: how often, how large
  std::vector<std::string> left_out;
  std::size_t read = 0;
  for (const Scene::Body& body : out.bodies)
    for (const Visual& visual : body.visuals) {
      const auto* mesh = std::get_if<Mesh>(&visual.shape);
      if (!mesh || mesh->path.empty()) continue;
      ShownPart& use = shown.try_emplace(mesh->path, ShownPart{nullptr, 0, 0}).first->second;
      ++use.times;
      use.scale = std::max(use.scale, mesh->scale.cwiseAbs().maxCoeff());
      if (out.meshes.contains(mesh->path)) continue;
      MeshFile file = std::chrono::steady_clock::now() > end ? MeshFile{{}, "reading the meshes takes too long"}
                                                             : read_mesh_file(mesh->path, most_read - read);
      read += file.count();
      if (!file.problem.empty()) left_out.push_back(fmt::format("'{}': {}", mesh->file, file.problem));
      out.meshes.emplace(mesh->path, std::move(file));
    }
  std::vector<ShownPart> parts;
  for (auto& [path, file] : out.meshes)
    for (Triangles& part : file.parts) parts.push_back({&part, shown.at(path).times, shown.at(path).scale});
  thin_meshes(parts, most_triangles);
  if (left_out.size() == 1) out.left_out.push_back("a mesh is left out of the picture, " + left_out.front());
  if (left_out.size() > 1)
    out.left_out.push_back(
        fmt::format("{} meshes are left out of the picture, the first is {}", left_out.size(), left_out.front()));
}

std::vector<int> rows_shown(int rows, int most) {
  std::vector<int> out;
  const int count = std::min(rows, most);
  for (int i = 0; i < count; ++i)
    out.push_back(count == 1 ? 0 : static_cast<int>(static_cast<long>(rows - 1) * i / (count - 1)));
  return out;
}

void append(const Vec3<>& v, std::vector<float>& out) {
  for (const double x : v) out.push_back(static_cast<float>(x));
}

void append(const Pose<>& X, std::vector<float>& out) {
  append(X.p, out);
  for (const double k : quaternion_from_rotation(X.R)) out.push_back(static_cast<float>(k));
}

// The constraints that lead a frame's origin; none unless they lead it along two axes at least, which make a path.
std::vector<const PointOnPath*> leaders_of(const System& system, const Frame& frame) {
  std::vector<const PointOnPath*> out;
  int axes = 0;
  for (const NamedConstraint& constraint : system.constraints) {
    const auto* path = dynamic_cast<const PointOnPath*>(constraint.law.get());
    if (!path || path->point().body != frame.body || path->point().p_BP != frame.X_BF.p) continue;
    out.push_back(path);
    axes += path->rows();
  }
  return axes >= 2 ? out : std::vector<const PointOnPath*>();
}

// The plane in which all bodies move between these moments: turns about its normal, and ways across it.
std::optional<Vec3<>> plane_of(const std::vector<std::vector<Pose<>>>& moments) {
  constexpr double still = 1e-6;  // rad, m
  std::optional<Vec3<>> normal;
  std::vector<Vec3<>> turns, ways;
  for (const std::vector<Pose<>>& moment : moments)
    for (std::size_t i = 0; i < moment.size(); ++i) {
      const Quaternion<> turn = quaternion_from_rotation(moment[i].R * moments[0][i].R.transpose());
      if (turn.tail<3>().norm() > still) turns.push_back(turn.tail<3>().normalized());
      ways.push_back(moment[i].p - moments[0][i].p);
    }
  if (turns.empty()) return {};
  normal = turns.front();
  const bool turn_about_it =
      std::ranges::all_of(turns, [&](const Vec3<>& n) { return cross<double>(n, *normal).norm() < 1e-4; });
  const bool stay_in_it = std::ranges::all_of(ways, [&](const Vec3<>& d) { return std::abs(d.dot(*normal)) < still; });
  if (!turn_about_it || !stay_in_it) return {};
  int largest = 0;
  normal->cwiseAbs().maxCoeff(&largest);
  return (*normal)[largest] < 0 ? Vec3<>(-*normal) : *normal;
}

// The arrows of constraint i of problem.held(): its force unless it holds orientations alone, and its moment unless that is rounding
// beside the force.
void append_arrows(const Problem& problem, int i, const std::vector<std::vector<WrenchAtPoint>>& at_rows,
                   Uniqueness uniqueness, std::vector<Scene::Arrow>& out) {
  const NamedConstraint& constraint = problem.system().constraints[problem.held().constraints[i]];
  const int body = at_rows.front()[i].body;
  if (body == world) return;
  Scene::Arrow force{.name = constraint.name,
                     .body = problem.system().model.link_name(body),
                     .is_virtual = constraint.layer == Layer::control,
                     .uniqueness = uniqueness};
  Scene::Arrow moment = force;
  moment.is_moment = true;
  bool has_force = false, has_moment = false;
  for (int k = 0; k < constraint.law->rows(); ++k) has_force |= constraint.law->unit(k) != "rad";
  for (const std::vector<WrenchAtPoint>& wrenches : at_rows) {
    const WrenchAtPoint& wrench = wrenches[i];
    append(wrench.p_W, force.at);
    append(wrench.force, force.vector);
    append(wrench.moment, moment.vector);
    has_moment |= wrench.moment.norm() > 1e-9 * problem.moment_length() * wrench.force.norm();
  }
  moment.at = force.at;
  if (has_force) out.push_back(std::move(force));
  if (has_moment) out.push_back(std::move(moment));
}

}  // namespace

std::vector<WrenchAtPoint> recorded_wrenches(const Recording& recording, int row, Data& data) {
  const RowSet& held = data.problem.held();
  const VecX<> lambda = recording.multipliers(row);
  assert(lambda.size() == held.rows);
  data.set_inputs(recording.inputs(row));
  evaluate_rows(recording.state(row), data);
  std::vector<WrenchAtPoint> out;
  for (std::size_t i = 0; i < held.constraints.size(); ++i)
    out.push_back(wrench_at_point(data, held, static_cast<int>(i), lambda));
  return out;
}

Scene scene_of(const Problem& problem, const Simulation& run, const std::vector<std::string>& frames, int most_rows,
               std::size_t most_triangles) {
  const Recording& recording = run.recording;
  const System& system = problem.system();
  const Model& model = system.model;
  Scene out;
  out.bodies = bodies_of(model);
  show_wheels(problem.system(), out.bodies);
  read_meshes(most_triangles, out);
  std::vector<std::vector<const PointOnPath*>> leaders;
  for (const std::string& frame : frames) {
    out.traces.push_back({frame, {}});
    leaders.push_back(leaders_of(system, model.frame(frame)));
  }
  Data data(problem);
  std::vector<std::vector<WrenchAtPoint>> wrenches;
  std::vector<std::vector<Pose<>>> moments;
  for (const int row : rows_shown(recording.rows(), most_rows)) {
    wrenches.push_back(recorded_wrenches(recording, row, data));
    const State& at = data.at;
    const Positions<>& where = data.tree.kin;
    out.t.push_back(at.t);
    std::vector<Pose<>> moment;
    for (int i = 0; i < model.body_count(); ++i) {
      moment.push_back(where.bodies[i].X_WB);
      append(moment.back(), out.poses);
    }
    if (out.bodies.size() > moment.size()) append(Pose<>(), out.poses);  // of the world
    if (out.t.size() % 50 == 1) moments.push_back(std::move(moment));
    for (std::size_t i = 0; i < frames.size(); ++i) {
      Vec3<> p_WP = where.pose(model.frame(frames[i])).p;
      append(p_WP, out.traces[i].actual);
      for (const PointOnPath* path : leaders[i]) p_WP += path->way_to_path({where, at.q, at.t});
      if (!leaders[i].empty()) append(p_WP, out.traces[i].wanted);
    }
  }
  if (!moments.empty()) out.normal = plane_of(moments);
  if (wrenches.empty()) return out;
  for (std::size_t i = 0; i < wrenches.front().size(); ++i)
    append_arrows(problem, static_cast<int>(i), wrenches, run.peaks.constraints[i].uniqueness, out.forces);
  return out;
}

}  // namespace trammel
