#pragma once

#include <optional>

#include "trammel/mjcf/item.h"
#include "trammel/model/description.h"
#include "trammel/xml/mesh_finder.h"

namespace trammel::mjcf {

/// Files of meshes and colors of materials, by the names that geoms call them.
struct Assets {
  std::map<std::string, Mesh> meshes;
  std::map<std::string, std::array<double, 4>> colors;
};
Assets read_assets(const Element& root, const Defaults& defaults, const Settings& settings, Source& source,
                   xml::MeshFinder& finder, Remarks& remarks);

/// A geom, which may be drawn, and which may have mass.
struct Geom {
  std::optional<Visual> visual;
  std::optional<Inertia<>> inertia;  // in the body's frame; none where it has no mass
  bool weighed = true;               // whether its mass is known; that of meshes is not
};

/// Primitive shapes have the inertia of MuJoCo: the mass, or density (1000 kg/m³ unless given) times volume. Those of <compiler
/// inertiagrouprange> count. Drawn are geoms of the groups 0 to 2, as MuJoCo's own viewer does.
Geom read_geom(const Item& geom, const Assets& assets, const Settings& settings);

/// Where a fromto capsule, cylinder, box, ellipsoid or site stands: in the middle, its z axis from the second point to the first.
Pose<> pose_from_to(const Item& item, std::span<const double> fromto);

/// A symmetric matrix from the moments about the axes of R.
Symmetric3<> moments_about(const Mat3<>& R, const Vec3<>& moments);

}  // namespace trammel::mjcf
