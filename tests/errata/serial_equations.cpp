// Eq. (7) of the serial manipulator's paper: the velocity terms and weights V, each misprint by itself.
#include <gtest/gtest.h>

#include "errata/serial.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"

namespace trammel::test {
namespace {

enum Slip { none, m3_rate, m4_length, m3_half, m4_sign, elbow_half, elbow_bracket };

// V with one of the slips, term by term in the paper's order; the comments show what is printed.
Vec3<> V(const Serial& robot, const VecX<>& q, const VecX<>& v, Slip slip) {
  const double l2 = robot.l2, l3 = robot.l3, m2 = robot.m2, m3 = robot.m3, m4 = robot.m4, J = robot.Jy - robot.Jz,
               g = robot.g;
  const double w = v[0], a = v[1], e = v[2], s2 = std::sin(q[1]), c2 = std::cos(q[1]), s3 = std::sin(q[2]),
               s23 = std::sin(q[1] + q[2]), c23 = std::cos(q[1] + q[2]), s223 = std::sin(2 * q[1] + q[2]);

  const double rate = slip == m3_rate ? (a + e) : 1;            // −ℓ2ℓ3 cos(α2+α3)(α̇2+α̇3) sin α2 α̇2
  const double length = slip == m4_length ? l2 * l2 : l3 * l3;  // −2ℓ2² sin(α2+α3) cos(α2+α3)(α̇2+α̇3)
  const double V1 = -m2 * l2 * l2 / 2 * s2 * c2 * w * a + 2 * J * s2 * c2 * w * a + 2 * J * s23 * c23 * (a + e) * w +
                    m3 *
                        (-2 * l2 * l2 * s2 * c2 * a - l3 * l3 / 2 * s23 * c23 * (a + e) - l2 * l3 * s23 * (a + e) * c2 -
                         l2 * l3 * c23 * rate * s2 * a) *
                        w +
                    m4 *
                        (-2 * l2 * l2 * s2 * c2 * a - 2 * length * s23 * c23 * (a + e) -
                         2 * l2 * l3 * s23 * (a + e) * c2 - 2 * l2 * l3 * c23 * s2 * a) *
                        w;

  const double half = slip == m3_half ? 1 : 0.5;  // + ℓ2ℓ3 sin(2α2+α3) in −m3[…]γ̇1²
  const double sign = slip == m4_sign ? -1 : 1;   // −m4[−ℓ2² sin α2 cos α2 − …]γ̇1²
  const double V2 = -m3 * l2 * l3 * s3 * (a + e / 2) * e - m4 * l2 * l3 * s3 * (2 * a + e) * e -
                    (-m2 * l2 * l2 / 4 * s2 * c2 + J * s2 * c2 -
                     m3 * (l2 * l2 * s2 * c2 + l3 * l3 / 4 * s23 * c23 + half * l2 * l3 * s223) + J * s23 * c23 +
                     sign * m4 * (-l2 * l2 * s2 * c2 - l2 * l3 * s223 - l3 * l3 * s23 * c23)) *
                        w * w +
                    m2 * g * l2 / 2 * c2 + m3 * g * (l2 * c2 + l3 / 2 * c23) + m4 * g * (l2 * c2 + l3 * c23);

  const double elbow = slip == elbow_half ? 1 : 0.5;  // + ℓ2ℓ3 sin α3 (α̇2+α̇3) α̇2 in −m3[…]
  // −m4[−ℓ2ℓ3 … − ℓ3² …]γ̇1² − ℓ2ℓ3 sin α3 (α̇2+α̇3) α̇2 ]: the bracket behind γ̇1² leaves the last term without −m4
  const double last = slip == elbow_bracket ? -1 : m4;
  const double V3 =
      -m3 * l2 * l3 / 2 * s3 * a * e - m4 * l2 * l3 * s3 * a * e -
      (-m3 * (l3 * l3 / 4 * s23 * c23 * w * w + l2 * l3 / 2 * s23 * c2 * w * w + elbow * l2 * l3 * s3 * (a + e) * a) +
       J * s23 * c23 * w * w) -
      m4 * (-l2 * l3 * s23 * c2 - l3 * l3 * s23 * c23) * w * w + last * l2 * l3 * s3 * (a + e) * a +
      m3 * g * l3 / 2 * c23 + m4 * g * l3 * c23;
  return {V1, V2, V3};
}

}  // namespace

std::vector<Residual> serial_equations(const States& states) {
  const VecX<>&q = states.at("serial.q"), &v = states.at("serial.v");
  const auto residual = [&](const char* row, Slip slip, const Serial& robot = {}) {
    const Vec3<> truth = inverse_dynamics(robot.model(), q, v, VecX<>::Zero(3));
    return Residual{row, largest(V(robot, q, v, slip) - truth), largest(V(robot, q, v, none) - truth)};
  };
  return {residual("23", m3_rate), residual("24", m4_length, shorter), residual("25", m3_half),
          residual("26", m4_sign), residual("27a", elbow_half),        residual("27b", elbow_bracket)};
}

}  // namespace trammel::test
