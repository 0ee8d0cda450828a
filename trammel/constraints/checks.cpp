#include "trammel/constraints/checks.h"

#include <fmt/core.h>

namespace trammel {

Vec3<> checked_direction(const Vec3<>& d, const std::string& whose) {
  const double length = d.norm();
  if (!(length > 1e-9) || !std::isfinite(length))
    throw Error(fmt::format("{} ({:g}, {:g}, {:g})", whose, d[0], d[1], d[2]), "a direction, of any length but zero");
  return d / length;
}

BodyDirection checked_direction(const BodyDirection& d, const std::string& whose) {
  return {d.body, checked_direction(d.d_B, whose)};
}

double checked_positive(double x, const std::string& whose) {
  if (!(x > 0) || !std::isfinite(x)) throw Error(fmt::format("{} {:g}", whose, x), "above 0");
  return x;
}

int velocity_of_coordinate(const Model& model, int q) {
  for (int i = 0; i < model.body_count(); ++i) {
    const Body& body = model.bodies()[i];
    const int k = q - body.q;
    if (k < 0 || k >= size_of(body.type).q) continue;
    if (k >= body.nv || drives_quaternion(body.type, k))
      throw Error(fmt::format("coordinate {} of joint '{}', a component of a quaternion", k, model.joint_name(i)),
                  "a coordinate whose rate is a velocity");
    return body.v + k;
  }
  throw Error(fmt::format("coordinate {}", q), fmt::format("0 to {}", model.nq() - 1));
}

}  // namespace trammel
