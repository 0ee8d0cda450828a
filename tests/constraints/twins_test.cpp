// A joint can be left out of the tree and put back as constraints: link 2 then floats, and the rows hold it on link 1.
// Both descriptions of the same mechanism must move alike.
#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include "constraints/dense.h"
#include "support/random_robot.h"
#include "support/worst.h"
#include "trammel/constraints/aligned.h"
#include "trammel/constraints/coincident.h"
#include "trammel/constraints/fixed_angle.h"
#include "trammel/constraints/hinge_closure.h"
#include "trammel/constraints/point_on_line.h"
#include "trammel/constraints/point_on_plane.h"
#include "trammel/constraints/slide_closure.h"
#include "trammel/constraints/weld.h"

namespace trammel {
namespace {

using namespace trammel::test;
using Parts = std::vector<std::unique_ptr<Constraint>>;

/// A joint between F and M, and the constraints that say the same.
struct Twin {
  JointType joint;
  std::function<Parts(const Frame& F, const Frame& M)> close;
};
void PrintTo(const Twin& twin, std::ostream* out) { *out << name_of(twin.joint); }

BodyDirection axis(const Frame& F, int i) { return {F.body, F.X_BF.R.col(i)}; }

template <class... Kinds>
Parts parts(Kinds... kinds) {
  Parts out;
  (out.push_back(std::make_unique<Kinds>(kinds)), ...);
  return out;
}

const Twin twins[] = {
    {JointType::fixed, [](const Frame& F, const Frame& M) { return parts(Weld(F, M)); }},
    {JointType::revolute, [](const Frame& F, const Frame& M) { return parts(HingeClosure(F, M)); }},
    {JointType::prismatic, [](const Frame& F, const Frame& M) { return parts(SlideClosure(F, M)); }},
    {JointType::spherical,
     [](const Frame& F, const Frame& M) { return parts(Coincident(BodyPoint(F), BodyPoint(M))); }},
    {JointType::universal,
     [](const Frame& F, const Frame& M) {
       return parts(Coincident(BodyPoint(F), BodyPoint(M)), FixedAngle(axis(F, 2), axis(M, 0), pi / 2));
     }},
    {JointType::cylindrical,
     [](const Frame& F, const Frame& M) {
       return parts(PointOnLine(BodyPoint(M), BodyPoint(F), F.X_BF.R.col(2)), Aligned(axis(F, 2), axis(M, 2)));
     }},
    {JointType::planar,
     [](const Frame& F, const Frame& M) {
       return parts(PointOnPlane(BodyPoint(M), BodyPoint(F), F.X_BF.R.col(2)), Aligned(axis(M, 2), axis(F, 2)));
     }},
};

class EveryTwin : public testing::TestWithParam<Twin> {};

TEST_P(EveryTwin, AJointLeftOutAndPutBackAsConstraintsMovesTheSame) {
  Random random(7);
  Worst phi("closure"), rate("its rate"), acceleration("acceleration of link 1");
  for (int i = 0; i < 50; ++i) {
    RobotDescription robot;
    robot.links = {random_link(random, "link1"), random_link(random, "link2")};
    Joint base = random_joint(random, JointType::floating, "base", "world", "link1");
    Joint joint = random_joint(random, GetParam().joint, "joint", "link1", "link2");
    joint.axis = Vec3<>::UnitZ(), joint.second_axis = Vec3<>::UnitX();  // link 2's own frame is the joint's
    robot.joints = {base, joint};
    const Model tree = build_model(robot);
    const VecX<> q = random_configuration(random, tree), v = random.vector(tree.nv(), 2);
    const VecX<> vdot = forward_dynamics(tree, q, v, VecX<>::Zero(tree.nv()));

    robot.joints[1] = Joint{};
    robot.joints[1].name = "joint", robot.joints[1].type = JointType::floating;
    robot.joints[1].parent = "world", robot.joints[1].child = "link2";
    const Model cut = build_model(robot);
    Frame F = cut.frame("link1");
    F.X_BF = F.X_BF * joint.at;
    const Parts closure = GetParam().close(F, cut.frame("link2"));

    // the same state: place and velocity of link 2's frame
    Kinematics<> kin(tree);
    kinematics<double>(tree, q, v, kin);
    const Frame& L = tree.frame("link2");
    const Pose<> X = kin.pose(L);
    const BodyPoint origin(L);
    VecX<> q_cut(14), v_cut(12);
    q_cut << q.head(7), X.p, quaternion_from_rotation(X.R);
    v_cut << v.head(6), origin.velocity<double>(kin), X.R.transpose() * angular_velocity(kin, L.body);

    const auto check = [&](std::initializer_list<const Constraint*> list) {
      const DenseRows rows = rows_at(cut, list, q_cut, v_cut);
      phi.see(rows.phi.cwiseAbs().maxCoeff());
      rate.see(rows.rate.cwiseAbs().maxCoeff());
      const VecX<> found = motion_at(cut, list, q_cut, v_cut).vdot.head(6), exact = vdot.head(6);
      acceleration.see((found - exact).norm() / (1 + exact.norm()));
      EXPECT_EQ(rank_of(rows.A), 12 - tree.nv());
    };
    if (closure.size() == 1)
      check({closure[0].get()});
    else
      check({closure[0].get(), closure[1].get()});
  }
  EXPECT_LT(phi.value(), 1e-14);
  EXPECT_LT(rate.value(), 1e-13);
  EXPECT_LT(acceleration.value(), 1e-12);  // A M⁻¹Aᵀ of two bodies has a condition of some hundreds
}

INSTANTIATE_TEST_SUITE_P(Joints, EveryTwin, testing::ValuesIn(twins),
                         [](const auto& test) { return std::string(name_of(test.param.joint)); });

}  // namespace
}  // namespace trammel
