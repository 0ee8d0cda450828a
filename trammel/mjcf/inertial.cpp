#include "trammel/mjcf/inertial.h"

#include <algorithm>

#include <fmt/core.h>
#include <Eigen/Eigenvalues>

namespace trammel::mjcf {
namespace {

void read_inertial(const Element& inertial, const Settings& settings, Link& out) {
  const Item item(inertial);
  out.mass = inertial.required_number("mass");
  if (out.mass < 0) inertial.refuse("mass", "0 or more");
  const Pose<> at{read_rotation(item, settings).value_or(Mat3<>::Identity()), inertial.required_vector("pos")};
  out.com = at.p;
  const auto full = item.numbers("fullinertia", 6, 6);
  const auto diagonal = item.vector("diaginertia");
  if (full && diagonal)
    throw Error(inertial.place(), fmt::format("both fullinertia and diaginertia of {}", inertial.description()), "one");
  if (full && read_rotation(item, settings))
    throw Error(inertial.place(), fmt::format("both fullinertia and an orientation of {}", inertial.description()),
                "fullinertia along the axes of the body");
  // M(1,1), M(2,2), M(3,3), M(1,2), M(1,3), M(2,3)
  if (full)
    out.inertia = {{(*full)[0], (*full)[1], (*full)[2]}, {(*full)[3], (*full)[4], (*full)[5]}};
  else if (diagonal)
    out.inertia = moments_about(at.R, *diagonal);
  else if (out.mass > 0)
    throw Error(inertial.place(), fmt::format("no diaginertia of {}", inertial.description()),
                "diaginertia or fullinertia");
}

// About the axes along which the inertia is diagonal, in no certain order.
template <class Change>
void change_moments(Link& link, Change&& change) {
  const Eigen::SelfAdjointEigenSolver<Mat3<>> axes(link.inertia.matrix());
  Vec3<> moments = axes.eigenvalues();
  if (change(moments)) link.inertia = moments_about(axes.eigenvectors(), moments);
}

}  // namespace

void put_inertia(const Element& body, const std::vector<Geom>& geoms, Source& source, const Settings& settings,
                 Remarks& remarks, Link& out) {
  std::optional<Element> inertial;
  for (const Element& child : source.children(body))
    if (child.tag() == "inertial") {
      if (inertial) throw Error(child.place(), fmt::format("a second {}", child.description()), "one <inertial>");
      inertial = child;
    }
  const std::string& from_geoms = settings.inertia_from_geom;
  if (inertial) read_inertial(*inertial, settings, out);
  if (from_geoms == "true" || (from_geoms == "auto" && !inertial)) {
    Inertia<> sum;
    for (const Geom& geom : geoms) {
      if (!geom.weighed)
        remarks.add(body.place(), {"mass of a mesh is not counted: its body wants an <inertial>",
                                   "masses of meshes are not counted: their bodies want an <inertial>"});
      if (geom.inertia) sum = sum + *geom.inertia;
    }
    if (sum.mass > 0 || !inertial) {
      out.mass = sum.mass;
      out.com = sum.com();
      out.inertia = sum.about_com();
    }
  }
  out.mass = std::max(out.mass, settings.bound_mass);
  if (settings.bound_inertia > 0)
    change_moments(out, [&](Vec3<>& moments) {
      moments = moments.cwiseMax(settings.bound_inertia);
      return true;
    });
  if (settings.balance_inertia)
    change_moments(out, [](Vec3<>& moments) {
      if (2 * moments.maxCoeff() <= moments.sum()) return false;
      moments.setConstant(moments.mean());
      return true;
    });
}

void set_total_mass(const Settings& settings, RobotDescription& out) {
  if (!(settings.total_mass > 0)) return;
  double mass = 0;
  for (const Link& link : out.links) mass += link.mass;
  if (!(mass > 0)) return;
  for (Link& link : out.links) {
    link.mass *= settings.total_mass / mass;
    link.inertia = link.inertia * (settings.total_mass / mass);
  }
}

}  // namespace trammel::mjcf
