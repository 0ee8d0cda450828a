#include "trammel/system/misaligned.h"

#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "support/random.h"
#include "support/worst.h"
#include "trammel/constraints/axis_on_path.h"
#include "trammel/constraints/hinge_closure.h"
#include "trammel/constraints/orientation_on_path.h"
#include "trammel/constraints/slide_closure.h"
#include "trammel/constraints/weld.h"
#include "trammel/math/rotation.h"
#include "trammel/model/build_model.h"
#include "trammel/model/configuration.h"

namespace trammel {
namespace {

using namespace trammel::test;

Model free_body_model() {
  RobotDescription robot;
  robot.name = "free body";
  robot.links = {rod("body", 1, 1, x_axis)};
  Joint joint;
  joint.name = "free";
  joint.type = JointType::floating;
  joint.parent = "world";
  joint.child = "body";
  robot.joints.push_back(joint);
  return build_model(robot);
}

TEST(Misaligned, TheTurnBackAlignsWhatWasTurned) {
  System system(free_body_model());
  const Frame F{"world frame", world, {}}, M = system.model.frame("body");
  const Vec3<> z(0, 0, 1);
  const RotationPath still = [](const Jet&) { return Mat3<Jet>(Mat3<>::Identity().cast<Jet>()); };
  const VectorPath up = [](const Jet&) { return Vec3<Jet>(Jet(0.0), Jet(0.0), Jet(2.0)); };
  // by how many axes, and whether the body carries the second frame
  struct Kind {
    std::shared_ptr<const Constraint> law;
    bool all_axes;
    double sign;
  };
  const std::vector<Kind> kinds{{std::make_shared<Weld>(F, M), true, -1},
                                {std::make_shared<Weld>(M, F), true, 1},
                                {std::make_shared<SlideClosure>(F, M), true, -1},
                                {std::make_shared<OrientationOnPath>(M, still), true, -1},
                                {std::make_shared<HingeClosure>(F, M), false, -1},
                                {std::make_shared<HingeClosure>(M, F), false, 1},
                                {std::make_shared<Aligned>(BodyDirection{world, z}, BodyDirection{0, z}), false, -1},
                                {std::make_shared<AxisOnPath>(BodyDirection{0, z}, up), false, -1}};
  Random random(9);
  Worst worst("what the turn back leaves");
  for (int i = 0; i < 200; ++i) {
    // at random, and about half a turn
    const Vec3<> w = i % 4 == 0 ? Vec3<>(random.direction() * (std::numbers::pi - 1e-9 * (i % 8)))
                                : Vec3<>(random.direction() * random.uniform(0, std::numbers::pi));
    VecX<> step = VecX<>::Zero(6);
    step.tail(3) = w;
    const VecX<> q = retract(system.model, neutral_configuration(system.model), step);
    Positions<> where(system.model);
    positions<double>(system.model, q, where);
    const Mat3<> R = exp_so3(w);
    for (const Kind& kind : kinds) {
      const Vec3<> turn = kind.law->misalignment({where, q, 0.0, {}});
      EXPECT_LE(turn.norm(), w.norm() + 1e-7);
      const Mat3<> back = exp_so3(kind.sign * turn) * R;
      worst.see(kind.all_axes ? (back - Mat3<>::Identity()).norm() : (back * z - z).norm());
    }
  }
  EXPECT_LT(worst.value(), 1e-7);
}

TEST(Misaligned, TheOneThatIsTurnedFurthestIsFound) {
  System system(free_body_model());
  const Frame M = system.model.frame("body");
  system.constrain("level", std::make_shared<Aligned>(BodyDirection{world, {0, 0, 1}}, BodyDirection{0, {0, 0, 1}}));
  system.constrain("grip", std::make_shared<Weld>(Frame{"world frame", world, {}}, M));
  const auto found = [&](const Vec3<>& w) {
    VecX<> step = VecX<>::Zero(6);
    step.tail(3) = w;
    const VecX<> q = retract(system.model, neutral_configuration(system.model), step);
    Positions<> where(system.model);
    positions<double>(system.model, q, where);
    return find_misaligned(system, {where, q, 0.0, {}});
  };
  EXPECT_FALSE(found({0, 0, 1.5}));
  const auto about_z = found({0, 0, 1.6});
  ASSERT_TRUE(about_z);
  EXPECT_EQ(about_z->constraint, 1);
  EXPECT_NEAR(about_z->angle, 1.6, 1e-12);
  EXPECT_EQ(found({std::numbers::pi, 0, 0})->text(), "180° (3.142 rad)");
}

}  // namespace
}  // namespace trammel
