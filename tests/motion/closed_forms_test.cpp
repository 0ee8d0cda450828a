// Accelerations and constraint forces of systems that have a closed form, at states along their motion.
#include <gtest/gtest.h>

#include "constraints/free_body.h"
#include "motion/planar_body.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/constraints/distance.h"
#include "trammel/constraints/knife_edge.h"
#include "trammel/motion/ledger.h"
#include "trammel/system/forces.h"

namespace trammel {
namespace {

using namespace trammel::test;

// The motion of a system with one constraint of one row, and the row's multiplier.
struct OneRow {
  Motion motion;
  double lambda;
};
OneRow solve_one_row(const System& system, const VecX<>& q, const VecX<>& v) {
  Data data(compile(system));
  Motion motion(system.model.nv(), data.problem.asked().rows);
  solve_motion(q, v, 0, data, motion);
  EXPECT_EQ(motion.status, Status::regular);
  return {motion, force_ledger(data, data.asked)[0].multipliers[0]};
}

VecX<> triple(double x, double y, double z) { return Vec3<>(x, y, z); }

TEST(KnifeEdge, OnAnInclineItDoesNotSlideDownButAlongACycloid) {
  // x = A sin²ωt, y = A (ωt − sin(2ωt)/2), A = g sin α/2ω², heading ωt; the blade is pushed by 2 m g sin α sin ωt
  const double m = 1.7, J = 0.3, g = 9.81, alpha = pi / 6, omega = 1, A = g * std::sin(alpha) / (2 * omega * omega);
  EXPECT_NEAR(A * std::pow(std::sin(1), 2), 1.7365500583159334, 1e-15);
  EXPECT_NEAR(A * (1 - std::sin(2) / 2), 1.3374740303550078, 1e-15);
  // the plane tilted in the world: its x points down the slope
  const Pose<> slope{rotation_from_rpy({0, alpha, 0}), Vec3<>(0.3, -0.2, 1)};
  System system(build_model(planar_body(m, J, Vec3<>::Zero(), slope)));
  system.constrain("blade", std::make_shared<KnifeEdge>(BodyPoint(system.model.frame("body")), Vec3<>::UnitY()));
  Worst worst("knife edge on an incline");
  for (double t = 0; t < 7; t += 0.3) {
    const double s = std::sin(omega * t), s2 = std::sin(2 * omega * t), c2 = std::cos(2 * omega * t);
    const VecX<> q = triple(A * s * s, A * (omega * t - s2 / 2), omega * t);
    const VecX<> v = triple(A * omega * s2, A * omega * (1 - c2), omega);
    const OneRow now = solve_one_row(system, q, v);
    worst.see((now.motion.vdot - 2 * A * omega * omega * triple(c2, s2, 0)).norm() / g);
    worst.see(std::abs(now.lambda - 2 * m * g * std::sin(alpha) * s) / (m * g));
  }
  EXPECT_LT(worst.value(), 50 * eps);
}

TEST(KnifeEdge, TheChaplyginSleighSpeedsUpAsItStopsTurning) {
  // u̇ = a ω², ω̇ = −(m a/(J + m a²)) u ω; the blade is pushed by m (u ω + a ω̇)
  Random random(17);
  Worst worst("Chaplygin sleigh");
  for (int i = 0, all = cases(200); i < all; ++i) {
    const double m = random.uniform(0.5, 2), J = random.uniform(0.2, 2), a = random.uniform(-1, 1);
    System system(build_model(planar_body(m, J, {a, 0, 0})));
    system.constrain("blade", std::make_shared<KnifeEdge>(BodyPoint(system.model.frame("body")), Vec3<>::UnitY()));
    const double u = random.uniform(-3, 3), w = random.uniform(-3, 3), heading = random.uniform(-pi, pi);
    const double c = std::cos(heading), s = std::sin(heading);
    const OneRow now =
        solve_one_row(system, triple(random.uniform(-1, 1), random.uniform(-1, 1), heading), triple(u * c, u * s, w));
    const double udot = a * w * w, wdot = -m * a / (J + m * a * a) * u * w, size = 1 + u * u + w * w;
    worst.see((now.motion.vdot - triple(udot * c - u * w * s, udot * s + u * w * c, wdot)).norm() / size);
    worst.see(std::abs(now.lambda - m * (u * w + a * wdot)) / (m * size));
  }
  EXPECT_LT(worst.value(), 100 * eps);
}

// Two bodies on a rod of length d along e, their common mass centre at (1, 0, 0) on a circular orbit, all turning with it.
// Units of the orbit: its radius, n and the central body's attraction are 1.
struct Tethered {
  Vec3<> relative;  // acceleration of the upper body relative to the lower one
  double tension;
};
Tethered tethered(double low, double high, double d, const Vec3<>& e) {
  Robot lower, upper;
  lower.name = "low", lower.description = free_body(low, {1, 1, 1});
  upper.name = "high", upper.description = free_body(high, {1, 1, 1});
  System system(build_model({lower, upper}, Vec3<>::Zero()));
  const Model& model = system.model;
  const Body &l = model.bodies()[model.joint("low.free")], &h = model.bodies()[model.joint("high.free")];
  system.constrain(
      "rod", std::make_shared<Distance>(BodyPoint(model.frame("low.body")), BodyPoint(model.frame("high.body")), d));
  system.apply("attraction", std::make_shared<FunctionForce>([=](const Movement<double>& now, VecX<>& tau) {
                 const Vec3<> p = now.q.segment<3>(l.q), s = now.q.segment<3>(h.q);
                 tau.segment<3>(l.v) -= low * p / std::pow(p.norm(), 3);
                 tau.segment<3>(h.v) -= high * s / std::pow(s.norm(), 3);
               }));
  VecX<> q(14), v(12);
  const auto place = [&](const Body& body, double along) {
    const Vec3<> p = Vec3<>::UnitX() + along * e;
    q.segment(body.q, 7) = free_coordinates(p, Mat3<>::Identity());
    v.segment(body.v, 6) = free_velocities(Mat3<>::Identity(), cross<double>(Vec3<>::UnitZ(), p), Vec3<>::Zero());
  };
  place(l, -d * high / (low + high));
  place(h, d * low / (low + high));
  const OneRow now = solve_one_row(system, q, v);
  return {now.motion.vdot.segment<3>(h.v) - now.motion.vdot.segment<3>(l.v), -now.lambda};
}

TEST(Tether, HangingRadiallyItIsUnderThreeTimesReducedMassTimesLength) {
  // exactly μ (d + 1/r₁² − 1/r₂²), and so 3 μ d (1 + (m₂ − m₁)/(m₁ + m₂) d + …)
  const double low = 3, high = 1, mu = low * high / (low + high);
  Worst worst("tension, times d/eps");
  for (const double d : {1e-2, 1e-3, 1e-4}) {
    const double r1 = 1 - d * high / (low + high), r2 = 1 + d * low / (low + high);
    const double tension = tethered(low, high, d, Vec3<>::UnitX()).tension;
    worst.see(std::abs(tension / (mu * (d + 1 / (r1 * r1) - 1 / (r2 * r2))) - 1) * d / eps);
    EXPECT_NEAR((tension / (3 * mu * d) - 1) / d, (high - low) / (high + low), 5 * d + 10 * eps / (d * d));
  }
  EXPECT_LT(worst.value(), 20);  // the attractions nearly cancel: 1 against 3 d
}

TEST(Tether, LibratesAtRootThreeInTheOrbitsPlaneAndAtTwoAcrossIt) {
  // θ̈ = −3 sin θ cos θ in the plane; φ̈ + sin φ cos φ = −3 sin φ cos φ across it
  for (const double d : {1e-2, 1e-4})
    for (const double angle : {-1.2, -0.4, 0.01, 0.7}) {
      const double c = std::cos(angle), s = std::sin(angle);
      const Tethered in = tethered(2, 1, d, {c, s, 0}), across = tethered(2, 1, d, {c, 0, s});
      EXPECT_NEAR(in.relative.dot(Vec3<>(-s, c, 0)) / d, -3 * s * c, 2 * d);
      EXPECT_NEAR(across.relative.dot(Vec3<>(-s, 0, c)) / d, -3 * s * c, 2 * d);
    }
}

}  // namespace
}  // namespace trammel
