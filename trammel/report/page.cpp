#include "trammel/report/page.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "trammel/figure/thin.h"
#include "trammel/report/page_data.h"

namespace trammel {
namespace {

using Json = nlohmann::ordered_json;

constexpr int most_pieces = 2000;  // of a curve on a page: three points each

Json to_json(const Vec3<>& v) { return Json::array({v[0], v[1], v[2]}); }

struct ShapeToJson {
  const std::map<std::string, MeshFile>& meshes;

  Json operator()(const Box& box) const { return {{"kind", "box"}, {"size", to_json(box.size)}}; }
  Json operator()(const Cylinder& cylinder) const {
    return {{"kind", "cylinder"}, {"radius", cylinder.radius}, {"length", cylinder.length}};
  }
  Json operator()(const Capsule& capsule) const {  // without its caps
    return {{"kind", "cylinder"}, {"radius", capsule.radius}, {"length", capsule.length}};
  }
  Json operator()(const Sphere& sphere) const { return {{"kind", "sphere"}, {"radius", sphere.radius}}; }
  Json operator()(const Mesh& mesh) const {  // of each part, with its own colour
    Json parts = Json::array();
    const auto found = meshes.find(mesh.path);
    if (found == meshes.end()) return parts;
    for (const Triangles& part : found->second.parts) {
      std::vector<float> scaled = part.vertices;
      for (std::size_t i = 0; i < scaled.size(); ++i)
        scaled[i] *= static_cast<float>(mesh.scale[static_cast<int>(i % 3)]);
      parts.push_back({{"kind", "mesh"}, {"vertices", base64(scaled)}, {"triangles", base64(part.corners)}});
      if (part.color) parts.back()["color"] = *part.color;
    }
    return parts;
  }
};

// Its shapes: several where a mesh has parts. A colour that the robot's file gives goes before the mesh's own.
void append_shapes(const Visual& visual, const Scene& scene, Json& out) {
  Json shapes = std::visit(ShapeToJson{scene.meshes}, visual.shape);
  if (!shapes.is_array()) shapes = Json::array({std::move(shapes)});
  const Quaternion<> k = quaternion_from_rotation(visual.at.R);
  for (Json& shape : shapes) {
    shape["p"] = to_json(visual.at.p);
    shape["q"] = Json::array({k[0], k[1], k[2], k[3]});
    if (visual.color) shape["color"] = *visual.color;
    if (!shape.contains("color")) shape["color"] = Json();
    out.push_back(std::move(shape));
  }
}

Json to_json(const Scene& scene) {
  Json bodies = Json::array(), traces = Json::array(), forces = Json::array();
  for (const Scene::Body& body : scene.bodies) {
    Json shapes = Json::array(), points = Json::array();
    for (const Visual& visual : body.visuals) append_shapes(visual, scene, shapes);
    for (const Vec3<>& p : body.points) points.push_back(to_json(p));
    bodies.push_back({{"name", body.name}, {"parent", body.parent}, {"shapes", shapes}, {"points", points}});
  }
  for (const Scene::Trace& trace : scene.traces)
    traces.push_back({{"name", trace.name},
                      {"actual", base64(trace.actual)},
                      {"wanted", trace.wanted.empty() ? Json() : Json(base64(trace.wanted))}});
  for (const Scene::Arrow& arrow : scene.forces)
    forces.push_back({{"name", arrow.name},
                      {"body", arrow.body},
                      {"moment", arrow.is_moment},
                      {"virtual", arrow.is_virtual},
                      {"unique", name_of(arrow.uniqueness)},
                      {"at", base64(arrow.at)},
                      {"vector", base64(arrow.vector)}});
  return {{"planar", scene.normal.has_value()},
          {"normal", to_json(scene.normal.value_or(Vec3<>(0, 0, 1)))},
          {"up", Json::array({0, 0, 1})},
          {"bodies", bodies},
          {"poses", base64(scene.poses)},
          {"traces", traces},
          {"forces", forces}};
}

Json series(const std::string& name, const std::vector<double>& x, const std::vector<float>& y) {
  return {{"name", name}, {"x", base64(x)}, {"y", base64(y)}};
}

// Whether a curve has a point at each of the page's times, so that it follows the playback.
bool is_at(const VecX<>& x, const std::vector<double>& times) {
  return !times.empty() && static_cast<std::size_t>(x.size()) == times.size() &&
         std::equal(times.begin(), times.end(), x.data());
}

Json to_json(const Figure& figure, const std::vector<double>& times) {
  Json curves = Json::array();
  double begin = 0, end = 0;
  for (const Figure::Curve& curve : figure.curves) {
    std::vector<double> x, t;
    std::vector<float> y;
    for (const int i : drawn_points(curve.y, most_pieces)) {
      x.push_back(curve.x[i]);
      if (curve.t.size() > 0) t.push_back(curve.t[i]);
      y.push_back(static_cast<float>(curve.y[i]));
    }
    if (!x.empty()) {
      begin = x.front();
      end = x.back();
    }
    Json one = series(curve.label, x, y);
    if (figure.over_time && is_at(curve.x, times)) {
      y.assign(curve.y.data(), curve.y.data() + curve.y.size());
      one = {{"name", curve.label}, {"y", base64(y)}};
    }
    if (!t.empty() && !figure.over_time) one["t"] = base64(t);
    if (curve.wanted) one["style"] = "theory";
    curves.push_back(std::move(one));
  }
  for (const double limit : figure.limits) {
    Json bound = series("limit", {begin, end}, {static_cast<float>(limit), static_cast<float>(limit)});
    bound["style"] = "limit";
    curves.push_back(std::move(bound));
  }
  return {{"title", figure.title},
          {"unit", figure.y.unit},
          {"log", figure.log_y},
          {"note", figure.note},
          {"x", figure.over_time ? Json()
                                 : Json{{"label", figure.x.symbol}, {"unit", figure.x.unit}, {"equal", figure.equal}}},
          {"series", curves}};
}

Json to_json(const std::vector<Figure>& plots, const std::vector<double>& times = {}) {
  Json out = Json::array();
  for (const Figure& plot : plots) out.push_back(to_json(plot, times));
  return out;
}

Json to_json(const ReportPage& page) {
  Json facts = Json::array(), sections = Json::array();
  for (const ReportPage::Fact& fact : page.facts) facts.push_back({{"label", fact.label}, {"value", fact.value}});
  for (const ReportPage::Section& section : page.sections) {
    Json table;
    if (section.table) table = {{"columns", section.table->columns}, {"rows", section.table->rows}};
    sections.push_back(
        {{"title", section.title}, {"text", section.text}, {"table", table}, {"plots", to_json(section.plots)}});
  }
  return {{"format", 1},
          {"title", page.title},
          {"version", page.version},
          {"file", page.file},
          {"scenario", page.scenario},
          {"command", page.command},
          {"verdict", {{"good", page.good}, {"text", page.verdict}, {"facts", facts}, {"warnings", page.warnings}}},
          {"scene", page.scene ? to_json(*page.scene) : Json()},
          {"t", page.scene ? base64(page.scene->t) : ""},
          {"plots", to_json(page.plots, page.scene ? page.scene->t : std::vector<double>())},
          {"sections", sections}};
}

}  // namespace

std::string to_html(const ReportPage& page, std::string_view page_template) {
  // texts that are no UTF-8 are mended, not thrown at
  return page_with(to_json(page).dump(-1, ' ', false, Json::error_handler_t::replace), page_template);
}

}  // namespace trammel
