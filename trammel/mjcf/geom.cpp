#include "trammel/mjcf/geom.h"

#include <cmath>
#include <filesystem>
#include <numbers>

#include <fmt/core.h>

#include "trammel/xml/words.h"

namespace trammel::mjcf {
namespace {

using std::numbers::pi;

// The sizes of a shape: what stands for its half lengths, and its volume and moments about the middle for a mass of 1.
struct Shape {
  double volume = 0;                // m³
  Vec3<> moments = Vec3<>::Zero();  // m²
};

Shape box(const Vec3<>& h) {
  return {8 * h[0] * h[1] * h[2],
          Vec3<>(h[1] * h[1] + h[2] * h[2], h[0] * h[0] + h[2] * h[2], h[0] * h[0] + h[1] * h[1]) / 3};
}
Shape ellipsoid(const Vec3<>& r) {
  return {4 * pi / 3 * r[0] * r[1] * r[2],
          Vec3<>(r[1] * r[1] + r[2] * r[2], r[0] * r[0] + r[2] * r[2], r[0] * r[0] + r[1] * r[1]) / 5};
}
Shape cylinder(double r, double half) {
  const double across = (3 * r * r + 4 * half * half) / 12;
  return {2 * pi * r * r * half, Vec3<>(across, across, r * r / 2)};
}

// A cylinder of length h between two halves of a sphere, whose share of the volume is 4 r / (4 r + 3 h).
Shape capsule(double r, double half) {
  const double h = 2 * half, ball = 4 * r / (4 * r + 3 * h), rod = 1 - ball;
  const double across = rod * (3 * r * r + h * h) / 12 + ball * (0.4 * r * r + h * (3 * r + 2 * h) / 8);
  return {pi * r * r * (4 * r / 3 + h), Vec3<>(across, across, rod * r * r / 2 + ball * 0.4 * r * r)};
}

const std::vector<std::string> types{"sphere", "capsule", "ellipsoid", "cylinder", "box",
                                     "plane",  "hfield",  "mesh",      "sdf"};

// How many sizes a shape has; of those between two points the last one is their distance.
std::size_t size_count(const std::string& type) {
  return type == "sphere" ? 1 : type == "capsule" || type == "cylinder" ? 2 : 3;
}

Vec3<> read_sizes(const Item& geom, const std::string& type, const std::optional<std::vector<double>>& fromto) {
  const bool round = type == "capsule" || type == "cylinder";
  const std::size_t count = size_count(type), fewest = fromto ? 1 : count;
  const auto given = geom.numbers("size", 1, 3);
  if (!given || given->size() < fewest)
    geom.refuse("size", fmt::format("{} size{} of a {}", fewest, fewest == 1 ? "" : "s", type));
  Vec3<> out = Vec3<>::Zero();
  for (std::size_t i = 0; i < std::min<std::size_t>(given->size(), 3); ++i) out[static_cast<int>(i)] = (*given)[i];
  if (fromto) {
    if (!round) out[1] = out[0];  // as thick both ways, whatever else is given
    const Vec3<> from((*fromto)[0], (*fromto)[1], (*fromto)[2]), to((*fromto)[3], (*fromto)[4], (*fromto)[5]);
    out[round ? 1 : 2] = (to - from).norm() / 2;
  }
  for (std::size_t i = 0; i < count; ++i)
    if (!(out[static_cast<int>(i)] > 0)) geom.refuse("size", "sizes above 0");
  return out;
}

Shape shape_of(const std::string& type, const Vec3<>& s) {
  if (type == "sphere") return ellipsoid(Vec3<>::Constant(s[0]));
  if (type == "ellipsoid") return ellipsoid(s);
  if (type == "box") return box(s);
  return type == "capsule" ? capsule(s[0], s[1]) : cylinder(s[0], s[1]);
}

std::optional<decltype(Visual::shape)> drawn(const std::string& type, const Vec3<>& s) {
  if (type == "sphere") return Sphere{s[0]};
  if (type == "box") return Box{2 * s};
  if (type == "capsule") return Capsule{s[0], 2 * s[1]};
  if (type == "cylinder") return Cylinder{s[0], 2 * s[1]};
  return std::nullopt;
}

std::optional<std::array<double, 4>> color_of(const Item& geom, const Assets& assets) {
  if (const auto rgba = geom.numbers("rgba", 4, 4)) return std::array{(*rgba)[0], (*rgba)[1], (*rgba)[2], (*rgba)[3]};
  const auto material = assets.colors.find(geom.text("material").value_or(""));
  return material == assets.colors.end() ? std::nullopt : std::optional(material->second);
}

}  // namespace

Symmetric3<> moments_about(const Mat3<>& R, const Vec3<>& moments) {
  return Symmetric3<>{{moments[0], moments[1], moments[2]}, {0, 0, 0}}.rotated(R);
}

Pose<> pose_from_to(const Item& item, std::span<const double> fromto) {
  const Vec3<> from(fromto[0], fromto[1], fromto[2]), to(fromto[3], fromto[4], fromto[5]), along = from - to;
  if (!(along.norm() > 1e-14)) item.refuse("fromto", "two different points");
  return {least_rotation_to(along.normalized()), (from + to) / 2};
}

Geom read_geom(const Item& geom, const Assets& assets, const Settings& settings) {
  Geom out;
  const bool is_mesh = geom.has("mesh");
  const std::string type = geom.word("type", types, is_mesh ? "mesh" : "sphere");
  const double mass = geom.number("mass", -1), density = geom.number("density", 1000);
  const int group = static_cast<int>(geom.number("group", 0));
  if (geom.has("mass")) geom.not_negative("mass", 0);
  geom.not_negative("density", 0);
  const auto fromto = geom.numbers("fromto", 6, 6);
  const Pose<> at = fromto ? pose_from_to(geom, *fromto) : read_pose(geom, settings);
  const bool counts = group >= settings.inertia_groups[0] && group <= settings.inertia_groups[1];
  const bool has_mass = counts && (mass >= 0 ? mass > 0 : density > 0);
  if (type == "plane" || type == "hfield") return out;
  Visual visual{.at = at, .shape = Sphere{}, .color = color_of(geom, assets)};
  if (is_mesh || type == "sdf" || type == "mesh") {
    const auto mesh = assets.meshes.find(geom.text("mesh").value_or(""));
    if (type == "mesh" && mesh == assets.meshes.end()) geom.refuse("mesh", "the name of a mesh in <asset>");
    out.weighed = !has_mass;
    if (mesh != assets.meshes.end()) visual.shape = mesh->second;
    if (mesh != assets.meshes.end() && group <= 2) out.visual = visual;
    return out;
  }
  const Vec3<> sizes = read_sizes(geom, type, fromto);
  if (const auto shape = drawn(type, sizes); shape && group <= 2) {
    visual.shape = *shape;
    out.visual = visual;
  }
  if (!has_mass) return out;
  if (geom.boolean("shellinertia", false)) geom.refuse("shellinertia", "false: shells have no known inertia here");
  const Shape shape = shape_of(type, sizes);
  const double kg = mass > 0 ? mass : density * shape.volume;
  out.inertia = Inertia<>::from_com(kg, at.p, moments_about(at.R, shape.moments * kg));
  return out;
}

Assets read_assets(const Element& root, const Defaults& defaults, const Settings& settings, Source& source,
                   xml::MeshFinder& finder, Remarks& remarks) {
  Assets out;
  const std::filesystem::path folder = settings.mesh_folder;
  for (const Element& section : source.children(root)) {
    if (section.tag() != "asset") continue;
    for (const Element& element : source.children(section)) {
      if (element.tag() == "mesh") {
        const Item item = defaults.of(element, "", "mesh");
        Mesh mesh{.file = item.text("file").value_or(""), .path = ""};
        mesh.scale = item.vector("scale").value_or(Vec3<>::Ones());
        const std::string name = item.text("name").value_or(std::filesystem::path(mesh.file).stem().string());
        mesh.path = finder.find((folder / mesh.file).string(), element.place(), remarks);
        out.meshes.emplace(name, mesh);
      }
      if (element.tag() == "material") {
        const Item item = defaults.of(element, "", "material");
        if (const auto rgba = item.numbers("rgba", 4, 4))
          out.colors.emplace(item.text("name").value_or(""),
                             std::array{(*rgba)[0], (*rgba)[1], (*rgba)[2], (*rgba)[3]});
      }
    }
  }
  return out;
}

}  // namespace trammel::mjcf
