#pragma once

#include "support/closed_mechanisms.h"
#include "trammel/constraints/point_on_path.h"

namespace trammel::test {

/// The five-bar with its tip led in the plane and motors at any of its joints.
inline System led_five_bar(const std::vector<std::string>& motors, VecX<>& q) {
  Looped looped = five_bar();
  q = looped.q;
  System& system = looped.system;
  system.constrain("stroke",
                   std::make_shared<PointOnPath>(
                       BodyPoint(system.model.frame("left tip")),
                       [](const Jet& t) { return Vec3<Jet>(t * t * 0.7, t * t * -0.4, Jet(0.0)); },
                       PointOnPath::Axes{true, true, false}),
                   Layer::control);
  for (const std::string& name : motors)
    system.drive({.name = name, .velocity = system.model.bodies()[system.model.joint(name)].v});
  return std::move(looped.system);
}

}  // namespace trammel::test
