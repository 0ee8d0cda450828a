#include "trammel/constraints/quantity.h"

#include <algorithm>

#include <fmt/core.h>

#include "trammel/constraints/checks.h"

namespace trammel {
namespace {

int slot_in(std::vector<int>& list, int item) {
  const auto found = std::ranges::find(list, item);
  const int slot = static_cast<int>(found - list.begin());
  if (found == list.end()) list.push_back(item);
  return slot;
}

}  // namespace

Quantity Quantity::coordinate(const Model& model, int q) {
  return {Of::coordinate, q, velocity_of_coordinate(model, q), {}, Vec3<>::Zero()};
}

Quantity Quantity::speed(const Model& model, int v) {
  if (v < 0 || v >= model.nv()) throw Error(fmt::format("velocity {}", v), fmt::format("0 to {}", model.nv() - 1));
  return {Of::speed, 0, v, {}, Vec3<>::Zero()};
}

Quantity Quantity::point(const BodyPoint& P, const Vec3<>& axis_W) {
  return {Of::point, 0, 0, P, checked_direction(axis_W, "the axis of a point's coordinate")};
}

Quantity Quantity::point_velocity(const BodyPoint& P, const Vec3<>& axis_W) {
  return {Of::point_velocity, 0, 0, P, checked_direction(axis_W, "the axis of a point's velocity")};
}

Quantity Quantity::direction(const BodyPoint& P, const Vec3<>& d_B, const Vec3<>& axis_W) {
  return {Of::direction,
          0,
          0,
          P,
          checked_direction(axis_W, "the axis of a direction's component"),
          checked_direction(d_B, "a direction")};
}

Quantity Quantity::angular_velocity(const BodyPoint& P, const Vec3<>& axis_W) {
  return {Of::angular_velocity, 0, 0, P, checked_direction(axis_W, "the axis of an angular velocity")};
}

BodyPoint Quantities::point_of_force() const {
  for (const Quantity& x : quantities_)
    if (!x.of_joint() && x.P.body != world) return x.P;
  return {};
}

Quantities::Quantities(std::vector<Quantity> quantities) : quantities_(std::move(quantities)) {
  for (const Quantity& x : quantities_) {
    slots_.push_back(x.of_joint() ? slot_in(velocities_, x.v) : slot_in(bodies_, x.P.body));
    if (x.level() == Level::velocity) level_ = Level::velocity;
  }
}

}  // namespace trammel
