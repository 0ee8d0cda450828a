#include "support/textbook.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/mechanisms.h"
#include "support/random_robot.h"
#include "support/seeds.h"
#include "trammel/dynamics/coriolis.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/urdf/urdf.h"

namespace trammel {
namespace {

using namespace trammel::test;

// Eqs. (34)-(36) of the SCARA paper, as printed there.
TextbookDynamics scara_closed_form(const VecX<>& q, const VecX<>& v) {
  const double alpha = 1.69, beta = 1.533225, gamma = 1.15, delta = 0.0201, m4 = 0.5, g = 9.81;
  const double c2 = std::cos(q[1]), s2 = std::sin(q[1]);
  TextbookDynamics out{MatX<>::Zero(4, 4), MatX<>::Zero(4, 4), VecX<>::Zero(4)};
  out.M << alpha + beta + 2 * gamma * c2, beta + gamma * c2, delta, 0,  //
      beta + gamma * c2, beta, delta, 0,                                //
      delta, delta, delta, 0,                                           //
      0, 0, 0, m4;
  out.C(0, 0) = -gamma * s2 * v[1];
  out.C(0, 1) = -gamma * s2 * (v[0] + v[1]);
  out.C(1, 0) = gamma * s2 * v[0];
  out.G[3] = m4 * g;
  return out;
}

struct Recursive {
  MatX<> M, C;
  VecX<> G;
  Recursive(const Model& model, const VecX<>& q, const VecX<>& v) : M(mass_matrix(model, q)), G(model.nv()) {
    Kinematics<> kin(model);
    kinematics<double>(model, q, v, kin);
    C = coriolis_matrix(model, v, kin);
    std::vector<Vec6<>> work(model.body_count());
    gravity_forces<double>(model, kin, work, G);
  }
};

TEST(Textbook, TheScaraEqualsThePapersClosedFormByBothRoutes) {
  Random random(1);
  const Model built = build_model(scara());
  const Model read = build_model(read_urdf(TRAMMEL_SOURCE_DIR "/robots/scara.urdf"));
  for (const Model* model : {&built, &read})
    for (int i = 0, all = cases(100); i < all; ++i) {
      const VecX<> q = random.vector(4, pi), v = random.vector(4, 5);
      const TextbookDynamics paper = scara_closed_form(q, v), textbook = textbook_dynamics(*model, q, v);
      const Recursive recursive(*model, q, v);
      // entries up to 5 and products of them with speeds up to 10
      EXPECT_LT((recursive.M - paper.M).norm() + (textbook.M - paper.M).norm(), 1e-13);
      EXPECT_LT((recursive.C - paper.C).norm() + (textbook.C - paper.C).norm(), 1e-13);
      EXPECT_LT((recursive.G - paper.G).norm() + (textbook.G - paper.G).norm(), 1e-13);
    }
}

RC_GTEST_PROP(Textbook, AgreesWithTheRecursionsOnAnyTreeOfJointsWithOneCoordinate, ()) {
  Random random(*any_seed());
  const JointType types[] = {JointType::revolute, JointType::prismatic, JointType::helical};
  RobotDescription robot = random_robot(random, random.integer(1, 6), types);
  for (Joint& joint : robot.joints) joint.coordinates = {Coordinate{.rotor_inertia = random.uniform(0, 0.2)}};
  const Model model = build_model(robot, random.vector(10));
  const VecX<> q = random.vector(model.nv(), pi), v = random.vector(model.nv(), 3);
  const TextbookDynamics textbook = textbook_dynamics(model, q, v);
  const Recursive recursive(model, q, v);
  RC_ASSERT((recursive.M - textbook.M).norm() < 1e-12 * (1 + textbook.M.norm()));
  RC_ASSERT((recursive.C - textbook.C).norm() < 1e-12 * (1 + textbook.C.norm()) * 10);
  RC_ASSERT((recursive.G - textbook.G).norm() < 1e-12 * (1 + textbook.G.norm()));
}

TEST(Textbook, RefusesJointsWithSeveralCoordinates) {
  Random random(2);
  const JointType types[] = {JointType::spherical};
  const Model model = build_model(random_robot(random, 1, types));
  EXPECT_THROW(textbook_dynamics(model, neutral_configuration(model), VecX<>::Zero(3)), Error);
}

}  // namespace
}  // namespace trammel
