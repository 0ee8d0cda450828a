#include "trammel/model/lent_inertia.h"

#include <gtest/gtest.h>

#include "trammel/model/build_model.h"
#include "trammel/motion/problem.h"
#include "trammel/motion/stages.h"
#include "trammel/urdf/urdf.h"

namespace trammel {
namespace {

// An arm of 2 kg on a hinge; with a hand that nobody weighed: fingers 'first' and 'second'.
std::string arm(const std::string& first_mimic, const std::string& second_mimic, bool with_hand = true) {
  const auto finger = [](const std::string& name, const std::string& parent, const std::string& mimic) {
    return "<link name='" + name + " link'/><joint name='" + name + "' type='continuous'><parent link='" + parent +
           "'/><child link='" + name + " link'/><axis xyz='0 1 0'/><origin xyz='0.3 0 0'/>" + mimic + "</joint>";
  };
  return "<robot name='arm'><link name='base'/><link name='upper'><inertial><mass value='2'/><origin xyz='0.2 0 0.1'/>"
         "<inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/></inertial></link>"
         "<joint name='shoulder' type='continuous'><parent link='base'/><child link='upper'/><axis xyz='0 1 "
         "0'/></joint>" +
         (with_hand ? finger("first", "upper", first_mimic) + finger("second", "first link", second_mimic) : "") +
         "</robot>";
}

VecX<> acceleration(const std::string& urdf, double q_shoulder, double v_shoulder, const VecX<>& per_shoulder) {
  System system(build_model(parse_urdf(urdf, "arm.urdf")));
  system.constrain_couplings();
  const Problem problem = compile(std::move(system));
  Data data(problem);
  solve(State(0, q_shoulder * per_shoulder, v_shoulder * per_shoulder), data);
  EXPECT_EQ(data.motion.status, Status::regular);
  return data.motion.vdot;
}

TEST(LentInertia, LeavesTheMotionAsItIsWhereMimicsLead) {
  const double alone = acceleration(arm("", "", false), 0.4, 2, VecX<>::Ones(1))[0];
  const VecX<> with =
      acceleration(arm("<mimic joint='shoulder' multiplier='-0.5'/>", "<mimic joint='first' multiplier='3'/>"), 0.4, 2,
                   Eigen::Vector3d(1, -0.5, -1.5));
  EXPECT_NEAR(with[0] / alone, 1, 1e-12);
  EXPECT_NEAR(with[1] / alone, -0.5, 1e-12);
  EXPECT_NEAR(with[2] / alone, -1.5, 1e-12);
}

TEST(LentInertia, LeavesAFreeJointWithoutMassWhereItIs) {
  const double alone = acceleration(arm("", "", false), 0.4, 0, VecX<>::Ones(1))[0];
  const VecX<> with = acceleration(arm("", ""), 0.4, 0, Eigen::Vector3d(1, 0, 0));
  EXPECT_NEAR(with[0] / alone, 1, 1e-12);
  EXPECT_EQ(with[1], 0);
  EXPECT_EQ(with[2], 0);
}

TEST(LentInertia, IsNotInTheModelItself) {
  const Model model = build_model(parse_urdf(arm("", ""), "arm.urdf"));
  EXPECT_EQ(std::vector<int>(model.idle_velocities().begin(), model.idle_velocities().end()), (std::vector<int>{1, 2}));
  EXPECT_EQ(model.coordinates()[1].rotor_inertia, 0);
  const VecX<> lent = lent_inertia(model, std::vector<char>(3, 0));
  EXPECT_EQ(lent[0], 0);
  EXPECT_GT(lent[1], 0);
  EXPECT_TRUE(lent_inertia(model.with_added_inertia(lent), std::vector<char>(3, 0)).isZero(0));
}

}  // namespace
}  // namespace trammel
