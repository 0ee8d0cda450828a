// Maggi's equations of the serial manipulator's paper in its redundant coordinates γ1, α2, α3, χ3 and x, y, z of the
// centres 2, 3 and 4; and what it says about the robot.
#include <gtest/gtest.h>

#include "errata/serial.h"
#include "support/mechanisms.h"
#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/simulate/simulate.h"

namespace trammel::test {
namespace {

constexpr double e_of[] = {0.5, 1, 1}, f_of[] = {0, 0.5, 1};  // e_j and f_j of (19), j = 2, 3, 4

// All 13 coordinates from γ1, α2, α3: χ3, and (19).
VecX<Jet> coordinates(const Serial& robot, const VecX<Jet>& q) {
  VecX<Jet> out(13);
  out.head(3) = q;
  const Jet chi = out[3] = q[1] + q[2];
  for (int j = 0; j < 3; ++j) {
    const Jet reach = cos(q[1]) * (e_of[j] * robot.l2) + cos(chi) * (f_of[j] * robot.l3);
    out[4 + 3 * j] = -sin(q[0]) * reach;
    out[5 + 3 * j] = cos(q[0]) * reach;
    out[6 + 3 * j] = sin(q[1]) * (e_of[j] * robot.l2) + sin(chi) * (f_of[j] * robot.l3);
  }
  return out;
}

// C by differentiating (19): column s has the rates at δθ_s alone.
MatX<> true_complement(const Serial& robot, const VecX<>& q) {
  MatX<> C(13, 3);
  for (int s = 0; s < 3; ++s) {
    const VecX<Jet> rates = coordinates(robot, moving(q, VecX<>::Unit(3, s)));
    for (int r = 0; r < 13; ++r) C(r, s) = rates[r].dx;
  }
  return C;
}

// (20), with the signs of its x rows and the length in its z rows as given.
MatX<> complement(const Serial& robot, const VecX<>& q, double x_sign, double z_length) {
  const double l2 = robot.l2, l3 = robot.l3, sg = std::sin(q[0]), cg = std::cos(q[0]), sa = std::sin(q[1]),
               ca = std::cos(q[1]), sx = std::sin(q[1] + q[2]), cx = std::cos(q[1] + q[2]);
  MatX<> C = MatX<>::Zero(13, 3);
  C.topRows(4) << 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1;
  for (int j = 0; j < 3; ++j) {
    const double e = e_of[j], f = f_of[j];
    C.middleRows(4 + 3 * j, 3) <<  //
        -cg * (e * l2 * ca + f * l3 * cx),
        x_sign * sg * (e * l2 * sa + f * l3 * sx), x_sign * f * l3 * sg * sx,                     //
        -sg * (e * l2 * ca + f * l3 * cx), -cg * (e * l2 * sa + f * l3 * sx), -f * l3 * cg * sx,  //
        0, e * l2 * ca + f * z_length * cx, f * l3 * cx;
  }
  return C;
}

struct Slips {
  bool weight = false, inertia = false, rates = false;
};

// (22) without its torques: what the 13 coordinates need to move so.
VecX<> needed(const Serial& robot, const VecX<>& q, const VecX<>& v, const VecX<>& vdot, const Slips& slips) {
  const VecX<Jet> all = coordinates(robot, moving(q, v, vdot));
  const double Jy = robot.Jy, Jz = robot.Jz, a = all[1].x, chi = all[3].x, w = v[0];
  // Jy sin² + Jz cos², printed (Jy + Jz) sin²
  const auto about_z = [&](double angle) {
    const double s = std::sin(angle), c = std::cos(angle);
    return slips.inertia ? (Jy + Jz) * s * s : Jy * s * s + Jz * c * c;
  };
  const double J = slips.rates ? Jy + Jz : Jy - Jz;  // printed Jy + Jz
  VecX<> out(13);
  out[0] = (about_z(a) + about_z(chi) + robot.Jz1) * vdot[0] + J * std::sin(2 * a) * w * all[1].dx +
           J * std::sin(2 * chi) * w * all[3].dx;
  out[1] = robot.Jx * vdot[1] - J * std::sin(a) * std::cos(a) * w * w;
  out[2] = 0;
  out[3] = robot.Jx * all[3].ddx - J * std::sin(chi) * std::cos(chi) * w * w;
  const double m[] = {robot.m2, robot.m3, robot.m4};
  for (int j = 0; j < 3; ++j) {
    out[4 + 3 * j] = m[j] * all[4 + 3 * j].ddx;
    out[5 + 3 * j] = m[j] * all[5 + 3 * j].ddx;
    out[6 + 3 * j] =
        m[j] * (all[6 + 3 * j].ddx + (slips.weight ? -robot.g : robot.g));  // printed z̈ − g, from + m g z in (21)
  }
  return out;
}

// The constraints of the 13 coordinates, χ3 and (19), as h(q) = 0, (12); and as n(q, q̇) = 0, (13), their rate written out.
VecX<Jet> h(const VecX<Jet>& q) {
  VecX<Jet> out(10);
  out << q[3] - q[1] - q[2], q.tail(9) - coordinates({}, q.head(3)).tail(9);
  return out;
}

VecX<Jet> n(const VecX<Jet>& q, const VecX<Jet>& u) {
  const Serial robot;
  const Jet sg = sin(q[0]), cg = cos(q[0]), sa = sin(q[1]), ca = cos(q[1]), sx = sin(q[1] + q[2]),
            cx = cos(q[1] + q[2]);
  VecX<Jet> out(10);
  out[0] = u[3] - u[1] - u[2];
  for (int j = 0; j < 3; ++j) {
    const double e = e_of[j] * robot.l2, f = f_of[j] * robot.l3;
    const Jet reach = ca * e + cx * f, retreat = sa * u[1] * e + sx * (u[1] + u[2]) * f;
    out[1 + 3 * j] = u[4 + 3 * j] + cg * u[0] * reach - sg * retreat;
    out[2 + 3 * j] = u[5 + 3 * j] + sg * u[0] * reach + cg * retreat;
    out[3 + 3 * j] = u[6 + 3 * j] - (ca * u[1] * e + cx * (u[1] + u[2]) * f);
  }
  return out;
}

// (14) is to be linear in q̈: what multiplies q̈ in the first and second derivative of (12), and q⃛ in the second and
// first of (13).
std::vector<Residual> orders(const VecX<>& q, const VecX<>& v) {
  VecX<> at(13), rate(13);
  const VecX<Jet> all = coordinates({}, moving(q, v));
  for (int r = 0; r < 13; ++r) at[r] = all[r].x, rate[r] = all[r].dx;
  MatX<> h_first(10, 13), h_second(10, 13), n_first(10, 13), n_second(10, 13);
  const VecX<> none = VecX<>::Zero(13);
  const VecX<Jet> h_before = h(moving(at, rate)), n_before = n(moving(at, rate), moving(rate, none));
  for (int i = 0; i < 10; ++i) EXPECT_LT(std::abs(h_before[i].x) + std::abs(n_before[i].x), 1e-14);  // both hold
  for (int k = 0; k < 13; ++k) {
    const VecX<> unit = VecX<>::Unit(13, k);
    const VecX<Jet> by_acceleration = h(moving(at, rate, unit)) - h_before,
                    by_jerk = n(moving(at, rate), moving(rate, none, unit)) - n_before;
    for (int i = 0; i < 10; ++i) {
      h_first(i, k) = by_acceleration[i].dx, h_second(i, k) = by_acceleration[i].ddx;
      n_first(i, k) = by_jerk[i].dx, n_second(i, k) = by_jerk[i].ddx;
    }
  }
  const auto rank = [](const MatX<>& A) { return 1.0 * rank_of(A, 1e-12); };
  return {{"28a", rank(h_first), rank(h_second)}, {"28b", rank(n_second), rank(n_first)}};
}

// The paper's forward run with T1 and without it: where the arm stands in its plane after 3 s.
VecX<> run(double T1) {
  System system(Serial().model());
  system.apply("torques", std::make_shared<FunctionForce>([T1](const Movement<double>& now, VecX<>& tau) {
                 const auto cycloid = [](double u) {
                   return u - std::sin(2 * std::numbers::pi * u) / (2 * std::numbers::pi);
                 };
                 const double bump = now.t < 1 ? cycloid(now.t) : now.t < 2 ? cycloid(2 - now.t) : 0;
                 tau += vector({T1 * bump, 78.48 + 0.5 * bump, 24.525 - 0.2 * bump});
               }));
  SimulateOptions options;
  options.method = &dop8;
  options.duration = 3;
  options.step = 0.05;
  options.tolerance = {1e-12, 1e-12};
  const Simulation out = simulate(system, State(0, VecX<>::Zero(3), VecX<>::Zero(3)), options);
  EXPECT_EQ(out.status, RunStatus::finished);
  return out.end.q;
}

Residual turning_torque(const VecX<>& q, const VecX<>& v) {
  const VecX<> with = run(0.5), without = run(0);
  EXPECT_LT((with - vector({0.0945780588, 2.1073518007, -1.7235511613})).norm(), 1e-8);  // as given elsewhere
  const Model model = Serial().model();
  const VecX<> T = vector({0, 78.48, 24.525}), more = vector({0.5, 78.48, 24.525});
  const VecX<> change = forward_dynamics(model, q, v, more) - forward_dynamics(model, q, v, T);
  return {"32", largest((with - without).tail(2)), largest(change.tail(2))};
}

// The robot with its two wrist joints, about y3 and z4, before the point mass: how many freedoms move mass. A joint that moves
// none is refused in a model, so the two get rotors of 1 kg·m², which are taken from M again.
Residual freedoms(const VecX<>& q) {
  const auto wrist_joint = [](const char* name, const char* parent, const char* child, const Vec3<>& at,
                              const Vec3<>& axis) {
    Joint joint = turning(name, parent, child, at, axis);
    joint.coordinates = {Coordinate{.rotor_inertia = 1}};
    return joint;
  };
  RobotDescription robot = read_urdf(TRAMMEL_SOURCE_DIR "/robots/serial.urdf");
  for (Joint& joint : robot.joints)
    if (joint.name == "tool_mount") joint = wrist_joint("gamma4", "wrist", "tool", Vec3<>::Zero(), z_axis);
  Link wrist;
  wrist.name = "wrist";
  robot.links.push_back(wrist);
  robot.joints.push_back(wrist_joint("beta4", "link3", "wrist", {0, 1, 0}, y_axis));
  const Model model = build_model(robot);
  VecX<> bent(5);
  bent << q, 0.3, -0.4;
  MatX<> M = mass_matrix(model, bent);
  for (int i = 0; i < model.nv(); ++i) M(i, i) -= model.coordinates()[i].rotor_inertia;
  return {"33", 1.0 * model.nv(), 1.0 * (eigenvalues(M).array() > 1e-12).count()};
}

}  // namespace

std::vector<Residual> serial_maggi(const States& states) {
  const VecX<>&q = states.at("serial.q"), &v = states.at("serial.v"), &vdot = states.at("serial.vdot");
  const Serial robot;
  std::vector<Residual> out = orders(q, v);

  const MatX<> C = true_complement(robot, q), C_shorter = true_complement(shorter, q);
  out.push_back(
      {"29a", largest(complement(robot, q, -1, robot.l3) - C), largest(complement(robot, q, 1, robot.l3) - C)});
  out.push_back({"29b", largest(complement(shorter, q, 1, shorter.l2) - C_shorter),
                 largest(complement(shorter, q, 1, shorter.l3) - C_shorter)});

  // (18): T = Cᵀ times what the coordinates need
  const VecX<> truth = inverse_dynamics(robot.model(), q, v, vdot);
  const auto miss = [&](const Slips& slips) {
    return largest(C.transpose() * needed(robot, q, v, vdot, slips) - truth);
  };
  out.push_back({"30", miss({.weight = true}), miss({})});
  out.push_back({"31a", miss({.inertia = true}), miss({})});
  out.push_back({"31b", miss({.rates = true}), miss({})});
  out.push_back(turning_torque(q, v));
  out.push_back(freedoms(q));
  return out;
}

}  // namespace trammel::test
