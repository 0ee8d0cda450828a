#include "trammel/model/configuration.h"

#include <cmath>

#include <fmt/core.h>

#include "trammel/model/check_description.h"

namespace trammel {

VecX<> neutral_configuration(const Model& model) {
  VecX<> q(model.nq());
  for (const Body& body : model.bodies()) set_neutral(body.type, q.data() + body.q);
  return q;
}

VecX<> retract(const Model& model, const VecX<>& q, const VecX<>& step) {
  VecX<> out(model.nq());
  retract(model, q, step, out);
  return out;
}

void retract(const Model& model, const VecX<>& q, const VecX<>& step, VecX<>& out) {
  for (const Body& body : model.bodies())
    retract(body.type, q.data() + body.q, step.data() + body.v, out.data() + body.q);
}

VecX<> difference(const Model& model, const VecX<>& q0, const VecX<>& q1) {
  VecX<> step(model.nv());
  for (const Body& body : model.bodies())
    difference(body.type, q0.data() + body.q, q1.data() + body.q, step.data() + body.v);
  return step;
}

VecX<> coordinate_rates(const Model& model, const VecX<>& q, const VecX<>& v) {
  VecX<> qdot(model.nq());
  for (const Body& body : model.bodies())
    coordinate_rates(body.type, q.data() + body.q, v.data() + body.v, qdot.data() + body.q);
  return qdot;
}

VecX<Jet> coordinate_jets(const Model& model, const VecX<>& q, const VecX<>& v, const VecX<>& vdot) {
  const VecX<> qdot = coordinate_rates(model, q, v);
  VecX<> qddot(model.nq());
  for (const Body& body : model.bodies())
    coordinate_accelerations(body.type, q.data() + body.q, v.data() + body.v, vdot.data() + body.v,
                             qddot.data() + body.q);
  VecX<Jet> out(model.nq());
  for (int i = 0; i < model.nq(); ++i) out[i] = {q[i], qdot[i], qddot[i]};
  return out;
}

VecX<> checked_configuration(const Model& model, VecX<> q) {
  if (q.size() != model.nq())
    throw Error(fmt::format("{} coordinates for model '{}'", q.size(), model.name()), fmt::format("{}", model.nq()));
  for (const double x : q) {
    if (std::abs(x) <= largest_length) continue;
    if (!q.allFinite()) throw Error("a coordinate that is not finite", "finite numbers");
    throw Error(fmt::format("a coordinate {:g}, too large to compute with", x),
                fmt::format("up to {:g}", largest_length));
  }
  if (model.nq() == model.nv()) return q;  // no quaternions
  for (int i = 0; i < model.body_count(); ++i) {
    const Body& body = model.bodies()[i];
    if (rates_are_velocities(body.type)) continue;
    auto quaternion = q.segment<4>(body.q + size_of(body.type).q - 4);
    const Quaternion<> given = quaternion;
    if (!normalize(body.type, q.data() + body.q) || (given - quaternion).norm() > 1e-6)
      throw Error(fmt::format("a quaternion of joint '{}' that has not unit length", model.joint_name(i)),
                  "w² + x² + y² + z² = 1");
  }
  return q;
}

}  // namespace trammel
