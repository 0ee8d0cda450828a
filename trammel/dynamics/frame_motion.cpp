#include "trammel/dynamics/frame_motion.h"

#include "trammel/math/jet.h"

namespace trammel {
namespace {

// from the body's origin to the frame's, along the world's axes
template <class Scalar>
Vec3<Scalar> arm_to(const Positions<Scalar>& where, const Frame& frame) {
  return where.bodies[frame.body].X_WB.R * frame.X_BF.p.template cast<Scalar>();
}

}  // namespace

template <class Scalar>
Vec6<Scalar> frame_velocity(const Kinematics<Scalar>& kin, const Frame& frame) {
  if (frame.body == world) return Vec6<Scalar>::Zero();
  return motion_at(kin.motion[frame.body].V, arm_to<Scalar>(kin, frame));
}

template <class Scalar>
Vec6<Scalar> frame_bias_acceleration(const Kinematics<Scalar>& kin, const Frame& frame) {
  if (frame.body == world) return Vec6<Scalar>::Zero();
  // v̇ + ω̇ × arm + ω × (ω × arm)
  const Vec3<Scalar> arm = arm_to<Scalar>(kin, frame), w = kin.motion[frame.body].V.template head<3>();
  Vec6<Scalar> out = motion_at(kin.motion[frame.body].abias, arm);
  out.template tail<3>() += cross<Scalar>(w, cross(w, arm));
  return out;
}

template <class Scalar>
void frame_jacobian(const Model& model, const Positions<Scalar>& where, const Frame& frame,
                    Eigen::Matrix<Scalar, 6, Eigen::Dynamic>& out) {
  out.setZero();
  if (frame.body == world) return;
  Vec3<Scalar> arm = arm_to(where, frame);
  for (int i = frame.body; i != world; i = model.bodies()[i].parent) {
    const Body& body = model.bodies()[i];
    for (int c = body.v; c < body.v + body.nv; ++c) out.col(c) = motion_at(where.S[c], arm);
    arm += where.bodies[i].r;
  }
}

#define INSTANTIATE(Scalar)                                                               \
  template Vec6<Scalar> frame_velocity(const Kinematics<Scalar>&, const Frame&);          \
  template Vec6<Scalar> frame_bias_acceleration(const Kinematics<Scalar>&, const Frame&); \
  template void frame_jacobian(const Model&, const Positions<Scalar>&, const Frame&,      \
                               Eigen::Matrix<Scalar, 6, Eigen::Dynamic>&);
INSTANTIATE(double)
INSTANTIATE(Jet)
#undef INSTANTIATE

}  // namespace trammel
