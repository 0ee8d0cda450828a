// Andrews' squeezer: seven bodies, three loops, a stiff spring and accelerations of 10⁴ rad/s². Data and the solution in
// quadruple precision: IVP Test Set, andrews.F 1.2 (2006), Bari.
#include <gtest/gtest.h>

#include "support/closed_mechanisms.h"
#include "support/worst.h"
#include "trammel/assembly/assemble.h"
#include "trammel/simulate/simulate.h"
#include "trammel/system/forces.h"

namespace trammel {
namespace {

using namespace trammel::test;

constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.0705, m6 = 0.00706, m7 = 0.05498;
constexpr double i1 = 2.194e-06, i2 = 4.41e-07, i3 = 5.255e-06, i4 = 5.667e-07, i5 = 1.169e-05, i6 = 5.667e-07,
                 i7 = 1.912e-05;
constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072, c0 = 4530,
                 l0 = 0.07785, mom = 0.033;
constexpr double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092, ss = 0.035, sa = 0.01874,
                 sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449,
                 zf = 0.02, zt = 0.04, fa = 0.01421;

// β, θ, γ, φ, δ, ω, ε
const VecX<> andrews_start = (VecX<>(7) << -0.0617138900142764496358948458001, 0, 0.455279819163070380255912382449,
                              0.222668390165885884674473185609, 0.487364979543842550225598953530,
                              -0.222668390165885884674473185609, 1.23054744454982119249735015568)
                                 .finished();
constexpr double beta_end = 1.581077119515370710e+01, gamma_end = 4.082224011964580486e-02,
                 delta_end = 5.244099658799540694e-01, beta_speed_end = 1.139920302259106064e+03;

// As the test set prints it: M, f and g.
MatrixSystem by_matrices() {
  MatrixSystem out;
  out.coordinates = {"beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"};
  out.mass = [](const VecX<>& q, double, MatX<>& M) {
    const double theta = q[1], phi = q[3], omega = q[5];
    M.setZero();
    M(0, 0) = m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * std::cos(theta) + da * da) + i1 + i2;
    M(0, 1) = M(1, 0) = m2 * (da * da - da * rr * std::cos(theta)) + i2;
    M(1, 1) = m2 * da * da + i2;
    M(2, 2) = m3 * (sa * sa + sb * sb) + i3;
    M(3, 3) = m4 * (e - ea) * (e - ea) + i4;
    M(3, 4) = M(4, 3) = m4 * ((e - ea) * (e - ea) + zt * (e - ea) * std::sin(phi)) + i4;
    M(4, 4) =
        m4 * (zt * zt + 2 * zt * (e - ea) * std::sin(phi) + (e - ea) * (e - ea)) + m5 * (ta * ta + tb * tb) + i4 + i5;
    M(5, 5) = m6 * (zf - fa) * (zf - fa) + i6;
    M(5, 6) = M(6, 5) = m6 * ((zf - fa) * (zf - fa) - u * (zf - fa) * std::sin(omega)) + i6;
    M(6, 6) =
        m6 * ((zf - fa) * (zf - fa) - 2 * u * (zf - fa) * std::sin(omega) + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7;
  };
  out.forces = [](const VecX<>& q, const VecX<>& v, double, VecX<>& f) {
    const double gamma = q[2], xd = sd * std::cos(gamma) + sc * std::sin(gamma) + xb,
                 yd = sd * std::sin(gamma) - sc * std::cos(gamma) + yb, L = std::hypot(xd - xc, yd - yc),
                 F = -c0 * (L - l0) / L, Fx = F * (xd - xc), Fy = F * (yd - yc);
    f << mom - m2 * da * rr * v[1] * (v[1] + 2 * v[0]) * std::sin(q[1]), m2 * da * rr * v[0] * v[0] * std::sin(q[1]),
        Fx * (sc * std::cos(gamma) - sd * std::sin(gamma)) + Fy * (sd * std::cos(gamma) + sc * std::sin(gamma)),
        m4 * zt * (e - ea) * v[4] * v[4] * std::cos(q[3]),
        -m4 * zt * (e - ea) * v[3] * (v[3] + 2 * v[4]) * std::cos(q[3]),
        -m6 * u * (zf - fa) * v[6] * v[6] * std::cos(q[5]),
        m6 * u * (zf - fa) * v[5] * (v[5] + 2 * v[6]) * std::cos(q[5]);
  };
  out.constraints.push_back({"loops", 6, Level::position,
                             [](const VecX<Jet>& q, const VecX<Jet>&, const Jet&, Eigen::Ref<VecX<Jet>> g) {
                               const Jet b = q[0], bt = q[0] + q[1], ga = q[2], pd = q[3] + q[4], de = q[4],
                                         oe = q[5] + q[6], ep = q[6];
                               const Jet x = cos(b) * rr - cos(bt) * d, y = sin(b) * rr - sin(bt) * d;
                               g[0] = x - sin(ga) * ss - xb;
                               g[1] = y + cos(ga) * ss - yb;
                               g[2] = x - sin(pd) * e - cos(de) * zt - xa;
                               g[3] = y + cos(pd) * e - sin(de) * zt - ya;
                               g[4] = x - cos(oe) * zf - sin(ep) * u - xa;
                               g[5] = y - sin(oe) * zf + cos(ep) * u - ya;
                             },
                             Layer::physical});
  return out;
}

Link planar_link(const std::string& name, double mass, double x, double y, double about_com) {
  Link link;
  link.name = name;
  link.mass = mass;
  link.com = {x, y, 0};
  link.inertia = {about_com / 2, about_com / 2, about_com};
  return link;
}

// As bodies on joints, their common point joined.
System as_mechanism() {
  RobotDescription robot;
  robot.name = "squeezer";
  robot.links = {planar_link("K1", m1, ra, 0, i1),  planar_link("K2", m2, -da, 0, i2),
                 planar_link("K3", m3, sa, sb, i3), planar_link("K4", m4, 0, -(e - ea), i4),
                 planar_link("K5", m5, ta, tb, i5), planar_link("K6", m6, zf - fa, 0, i6),
                 planar_link("K7", m7, ua, ub, i7)};
  robot.joints = {
      turning("beta", "world", "K1", {0, 0, 0}, z_axis),    turning("theta", "K1", "K2", {rr, 0, 0}, z_axis),
      turning("gamma", "world", "K3", {xb, yb, 0}, z_axis), turning("delta", "world", "K5", {xa, ya, 0}, z_axis),
      turning("phi", "K5", "K4", {zt, 0, 0}, z_axis),       turning("epsilon", "world", "K7", {xa, ya, 0}, z_axis),
      turning("omega", "K7", "K6", {0, -u, 0}, z_axis)};
  const auto frame = [&](const char* name, const char* link, double x, double y) {
    robot.frames.push_back({name, link, {Mat3<>::Identity(), Vec3<>(x, y, 0)}, {}});
  };
  frame("end2", "K2", -d, 0);
  frame("end3", "K3", 0, -ss);
  frame("end4", "K4", 0, -e);
  frame("end6", "K6", zf, 0);
  frame("D", "K3", sd, -sc);
  System system(build_model(robot, Vec3<>::Zero()));
  for (const char* end : {"end3", "end4", "end6"})
    system.constrain(
        end, std::make_shared<Coincident>(BodyPoint(system.model.frame("end2")), BodyPoint(system.model.frame(end)),
                                          world, Mat3<>::Identity().leftCols(2)));
  system.apply("spring", std::make_shared<SpringDamper>(BodyPoint(world, Vec3<>(xc, yc, 0)),
                                                        BodyPoint(system.model.frame("D")), c0, 0, l0));
  system.apply("motor", std::make_shared<JointForce>(system.model, system.model.bodies()[system.model.joint("beta")].v,
                                                     BoundExpression(system.model, parse_expression("0.033", {}))));
  return system;
}

SimulateOptions options() {
  SimulateOptions out;
  out.duration = 0.03;
  out.method = &dop8;
  out.step = 0;
  out.tolerance = {1e-13, 1e-13};
  out.record_every = 0.001;
  return out;
}

TEST(Andrews, ByItsMatricesEndsWhereTheQuadrupleSolutionDoes) {
  const MatrixSystem system = by_matrices();
  const Simulation run = simulate(system, State(0, andrews_start, VecX<>::Zero(7)), options());
  ASSERT_EQ(run.status, RunStatus::finished) << run.what;
  std::printf("matrices: beta %.1e, gamma %.1e, delta %.1e off; beta's speed %.1e off; %ld steps; |phi| %.1e\n",
              std::abs(run.end.q[0] - beta_end), std::abs(run.end.q[2] - gamma_end), std::abs(run.end.q[4] - delta_end),
              std::abs(run.end.v[0] - beta_speed_end), run.steps, run.worst_phi);
  EXPECT_NEAR(run.end.q[0], beta_end, 1e-9);
  EXPECT_NEAR(run.end.q[2], gamma_end, 1e-9);
  EXPECT_NEAR(run.end.q[4], delta_end, 1e-9);
}

TEST(Andrews, AsAMechanismOfSevenBodiesEndsThereToo) {
  const System system = as_mechanism();
  const auto q_of = [&](const char* name) { return system.model.bodies()[system.model.joint(name)].q; };
  VecX<> q(7);
  const char* names[] = {"beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"};
  for (int i = 0; i < 7; ++i) q[q_of(names[i])] = andrews_start[i];
  ASSERT_LT(position_errors(system, q, 0).norm(), 1e-15);  // the published start closes the loops
  const Simulation run = simulate(system, State(0, q, VecX<>::Zero(7)), options());
  ASSERT_EQ(run.status, RunStatus::finished) << run.what;
  const VecX<> end = run.end.q;
  std::printf("mechanism: beta %.1e, gamma %.1e, delta %.1e off; %ld steps; |phi| %.1e; energy balance %.1e J\n",
              std::abs(end[q_of("beta")] - beta_end), std::abs(end[q_of("gamma")] - gamma_end),
              std::abs(end[q_of("delta")] - delta_end), run.steps, run.worst_phi,
              (run.recording["energy"] - run.recording["work"]).maxCoeff() -
                  (run.recording["energy"] - run.recording["work"]).minCoeff());
  EXPECT_NEAR(end[q_of("beta")], beta_end, 1e-9);
  EXPECT_NEAR(end[q_of("gamma")], gamma_end, 1e-9);
  EXPECT_NEAR(end[q_of("delta")], delta_end, 1e-9);
}

}  // namespace
}  // namespace trammel
