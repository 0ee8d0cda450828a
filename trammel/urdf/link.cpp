#include "trammel/urdf/link.h"

#include "trammel/urdf/origin.h"

namespace trammel::urdf {
namespace {

Symmetric3<> read_inertia(const Element& inertia) {
  Symmetric3<> I;
  I.xx = inertia.required_number("ixx");
  I.yy = inertia.required_number("iyy");
  I.zz = inertia.required_number("izz");
  I.xy = inertia.required_number("ixy");
  I.xz = inertia.required_number("ixz");
  I.yz = inertia.required_number("iyz");
  return I;
}

void read_inertial(const Element& inertial, Link& out, Faults& faults) {
  Pose<> X_LC;
  faults.attempt([&] { X_LC = read_origin(inertial); });
  faults.attempt([&] { out.mass = inertial.required_child("mass").required_number("value"); });
  faults.attempt([&] { out.inertia = read_inertia(inertial.required_child("inertia")); });
  out.com = X_LC.p;
  // R I Rᵀ rounds even for R = 1: numbers that need no turning are kept as they were written
  if (!X_LC.R.isIdentity(0)) out.inertia = out.inertia.rotated(X_LC.R);
}

}  // namespace

Link read_link(const Element& link, VisualReader& visuals, Faults& faults) {
  Link out;
  out.place = link.place();
  faults.attempt([&] { out.name = link.name(); });
  if (const std::optional<Element> inertial = link.child("inertial")) read_inertial(*inertial, out, faults);
  for (const Element& child : link.children())
    if (child.tag() == "visual") faults.attempt([&] { out.visuals.push_back(visuals.read(child)); });
  return out;
}

}  // namespace trammel::urdf
