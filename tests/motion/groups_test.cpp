#include <gtest/gtest.h>

#include "support/all_formulations.h"
#include "support/closed_mechanisms.h"
#include "support/condition.h"
#include "support/count_allocations.h"
#include "support/worst.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/constraints/point_on_path.h"
#include "trammel/motion/column_groups.h"
#include "trammel/motion/group_qr.h"
#include "trammel/motion/layered_qr.h"
#include "trammel/motion/ledger.h"

namespace trammel {
namespace {

using namespace trammel::test;

TEST(ColumnGroups, ColumnsThatShareARowHangTogetherAndOthersDoNot) {
  const std::vector<ColumnGroup> groups = column_groups({{2, {0, 1, 2}}, {1, {5}}, {0, {2, 5}}, {3, {2, 3}}, {1, {}}});
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].columns, (std::vector<int>{0, 1, 3, 4, 5}));
  EXPECT_EQ(groups[0].rows, (std::vector<int>{0, 1, 3, 2}));  // what the first, the last, and both touch
  EXPECT_EQ(groups[0].patterns, (std::vector<std::uint64_t>{1, 1, 1, 1, 1}));  // too few rows to keep apart
  EXPECT_EQ(groups[1].columns, std::vector<int>{2});
  EXPECT_EQ(groups[1].rows, std::vector<int>{5});
  EXPECT_EQ(groups[2].columns, std::vector<int>{6});
  EXPECT_TRUE(groups[2].rows.empty());
}

TEST(ColumnGroups, ManyRowsComeInBlocksByWhoTouchesThem) {
  Footprint low{2, {}}, high{3, {}};
  for (int i = 0; i < 12; ++i) low.rows.push_back(i);
  for (int i = 10; i < 20; ++i) high.rows.push_back(i);
  const std::vector<ColumnGroup> groups = column_groups({low, high});
  ASSERT_EQ(groups.size(), 1u);
  ASSERT_EQ(groups[0].blocks.size(), 3u);  // of the first, of the second, of both
  EXPECT_EQ(groups[0].blocks[1].begin, 10);
  EXPECT_EQ(groups[0].blocks[2].begin, 18);
  EXPECT_EQ(groups[0].rows[18], 10);
  EXPECT_EQ(groups[0].rows[19], 11);
  EXPECT_EQ(groups[0].patterns, (std::vector<std::uint64_t>{5, 5, 6, 6, 6}));
}

TEST(ColumnGroups, BeyondTheSixtyFourthBlockTheLastOneTakesAll) {
  std::vector<Footprint> footprints{{1, {}}};
  for (int i = 0; i < 100; ++i) {
    footprints.push_back({1, {i}});
    footprints[0].rows.push_back(i);
  }
  const std::vector<ColumnGroup> groups = column_groups(footprints);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].blocks.size(), 64u);
  EXPECT_EQ(groups[0].blocks.back().end - groups[0].blocks.back().begin, 37);
  EXPECT_EQ(groups[0].patterns[0], ~std::uint64_t{0});
  EXPECT_EQ(groups[0].rows.size(), 100u);
}

TEST(GroupQr, ReflectorsOfTheExampleInTheHeaderSkipTheBlockWhereTheirColumnIsZero) {
  const std::vector<ColumnGroup> groups = column_groups({{2, {0, 1, 2, 3}}, {1, {2, 3, 4, 5, 6, 7, 8}}, {1, {9, 10}}});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].columns, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(groups[0].rows, (std::vector<int>{0, 1, 4, 5, 6, 7, 8, 2, 3}));
  EXPECT_EQ(groups[0].patterns, (std::vector<std::uint64_t>{0b101, 0b101, 0b110}));
  EXPECT_EQ(groups[1].rows, (std::vector<int>{9, 10}));

  GroupQr qr(groups[0]);
  for (int c = 0; c < 3; ++c)
    for (int b = 0; b < 3; ++b)
      for (int i = groups[0].blocks[b].begin; i < groups[0].blocks[b].end; ++i)
        if ((groups[0].patterns[c] >> b & 1) != 0) qr.columns()(i, c) = i == c ? 1 : 0.3;
  qr.begin(3);
  qr.factorize(0, PivotThresholds<>({}, qr.largest(0), 0));

  // pivot rows 0, 1 and 4 of Y are the rows 0, 1 and 2 of the group
  const Elimination::Layer layer = qr.elimination().layers[0];
  ASSERT_EQ(layer.steps.size(), 3u);
  std::vector<std::vector<int>> other_rows;
  for (const Elimination::Step& step : layer.steps) {
    other_rows.emplace_back();
    for (const auto& [begin, end] : step.others)
      for (int i = begin; i < end; ++i) other_rows.back().push_back(groups[0].rows[i]);
  }
  EXPECT_EQ(layer.steps[0].row, 0);
  EXPECT_EQ(layer.steps[1].row, 1);
  EXPECT_EQ(layer.steps[2].row, 2);
  EXPECT_EQ(other_rows[0], (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(other_rows[1], (std::vector<int>{2, 3}));
  EXPECT_EQ(other_rows[2], (std::vector<int>{5, 6, 7, 8, 2, 3}));
}

// Groups of every sort in one system, their constraints in mixed order:
//   a five-bar, led by control rows; a chain held twice at its tip (redundant); two pendulums geared together;
//   a tree of two long arms on one trunk, each held by a rod, one arm's tip led; a pendulum without any constraint.
System gathering(Random& random) {
  RobotDescription robot;
  robot.name = "gathering";
  add_five_bar(robot);
  hang_chain(robot, "world", {1, 0, 0}, {y_axis, x_axis, y_axis, x_axis, y_axis}, "held.");
  hang_chain(robot, "world", {2, 0, 0}, {y_axis}, "one.");
  hang_chain(robot, "world", {3, 0, 0}, {x_axis}, "two.");
  hang_chain(robot, "world", {4, 0, 0}, {z_axis, y_axis}, "trunk.");
  hang_chain(robot, "trunk.link2", {0, 0, 0.2}, {x_axis, y_axis, x_axis, z_axis, y_axis, x_axis, y_axis}, "a.");
  hang_chain(robot, "trunk.link2", {0, 0, 0.2}, {y_axis, x_axis, y_axis, z_axis, x_axis, y_axis, x_axis, y_axis}, "b.");
  hang_chain(robot, "world", {5, 0, 0}, {y_axis}, "free.");
  System system(build_model(robot, random.vector(10)));
  const Model& model = system.model;
  const auto tip = [&](const std::string& name) { return BodyPoint(model.frame(name + "tip")); };
  const auto coordinate = [&](const std::string& joint) { return model.bodies()[model.joint(joint)].q; };
  const VectorPath path = [](const Jet& t) { return Vec3<Jet>(0.1 * cos(t), 0.4 + 0.1 * sin(t), Jet(0.0)); };

  system.constrain("rod a", std::make_shared<Distance>(BodyPoint(world, random.vector()), tip("a."), 1));
  system.constrain("lead", std::make_shared<PointOnPath>(tip("left "), path, PointOnPath::Axes{true, true, false}),
                   Layer::control);
  system.constrain("hold", std::make_shared<Coincident>(BodyPoint(world, Vec3<>(1, 0, 0.5)), tip("held.")));
  system.constrain("lead a", std::make_shared<PointOnPath>(tip("a."), path, PointOnPath::Axes{true, false, false}),
                   Layer::control);
  system.constrain(
      "gear", std::make_shared<JointCoupling>(
                  model, std::vector<JointCoupling::Term>{{coordinate("one.q1"), 2}, {coordinate("two.q1"), 1}}, 0.0));
  close_five_bar(system);
  system.constrain("hold again", std::make_shared<Coincident>(BodyPoint(world, Vec3<>(1, 0, 0.5)), tip("held.")));
  system.constrain("rod b", std::make_shared<Distance>(BodyPoint(world, random.vector()), tip("b."), 1));
  return system;
}

TEST(Groups, ApartOrTogetherTheMotionIsThatOfTheDenseFormulations) {
  Random random(41);
  Worst worst("groups against dense formulations, over eps·cond");
  for (int compared = 0; compared < 50;) {
    const System system = gathering(random);
    const VecX<> q = random_configuration(random, system.model), v = random.vector(system.model.nv(), 2);
    Data data(compile(system));
    ASSERT_EQ(data.qr->groups().size(), 4u);
    const std::vector<Answer> answers = all_answers(system, q, v, 0.3);
    const Motion& reference = answers[0].motion;
    if (!comparable(reference)) continue;
    ++compared;
    const double bound = eps * condition(dense_equation(system, q, v, 0.3), reference.rank);
    for (const Answer& answer : answers) {
      EXPECT_EQ(answer.motion.status, Status::redundant) << answer.name;
      EXPECT_EQ(answer.motion.rank, 11) << answer.name;
      worst.see(difference(answer.motion, reference) / bound);
    }
  }
  EXPECT_LT(worst.value(), 100);
}

TEST(Groups, ForcesAndTheirAmbiguitiesStayWithinTheirGroup) {
  Random random(42);
  const System system = gathering(random);
  const VecX<> q = random_configuration(random, system.model), v = random.vector(system.model.nv(), 2);
  Data data(compile(system));
  Motion motion(system.model.nv(), data.problem.asked().rows);
  solve_motion(q, v, 0.3, data, motion);
  ASSERT_EQ(motion.status, Status::redundant);
  VecX<> sum = VecX<>::Zero(system.model.nv());
  for (const ConstraintForce& force : force_ledger(data, data.asked)) {
    sum += force.generalised;
    const bool held = force.name == "hold" || force.name == "hold again";
    EXPECT_EQ(force.uniqueness, held ? Uniqueness::shared : Uniqueness::unique) << force.name;
    EXPECT_EQ(force.shares_with.size(), held ? 1u : 0u) << force.name;
  }
  EXPECT_LT((sum - motion.Qc).norm(), 1e-10 * (1 + motion.Qc.norm()));
}

// A row that is small beside those of another group is rounding, as it would be among them.
TEST(Groups, WhatIsSmallIsDecidedAmongAllGroups) {
  const auto rank = [](bool beside) {
    RobotDescription robot;
    robot.name = "heavy";
    hang_chain(robot, "world", {1, 0, 0}, {y_axis}, "heavy.");
    robot.links.back().mass = 1e24;
    if (beside) add_five_bar(robot);
    System system(build_model(robot, Vec3<>::Zero()));
    if (beside) close_five_bar(system);
    system.constrain("rod", std::make_shared<Distance>(BodyPoint(world, Vec3<>(2, 1, 1)),
                                                       BodyPoint(system.model.frame("heavy.tip")), 1));
    return solve_motion(system, VecX<>::Constant(system.model.nv(), 0.7), VecX<>::Zero(system.model.nv())).rank;
  };
  EXPECT_EQ(rank(false), 1);
  EXPECT_EQ(rank(true), 2);
}

TEST(Groups, SideBySideEachMovesAsItDoesAlone) {
  Random random(43);
  const int count = 7;
  const System alone = five_bars(1), many = five_bars(count);
  Data data(compile(many));
  Motion together(many.model.nv(), data.problem.asked().rows);
  EXPECT_EQ(data.qr->groups().size(), static_cast<std::size_t>(count));
  const VecX<> q = random.vector(4 * count, 3), v = random.vector(4 * count, 2);
  const std::size_t before = allocation_count();
  solve_motion(q, v, 0, data, together);
  EXPECT_EQ(allocation_count() - before, 0u);
  EXPECT_EQ(together.rank, 2 * count);
  const auto part = [&](const VecX<>& x, int i) {
    VecX<> out(4);
    for (const char* joint : {"left", "left elbow", "right", "right elbow"})
      out[alone.model.bodies()[alone.model.joint(std::string("0 ") + joint)].v] =
          x[many.model.bodies()[many.model.joint(std::to_string(i) + " " + joint)].v];
    return out;
  };
  for (int i = 0; i < count; ++i) {
    const Motion single = solve_motion(alone, part(q, i), part(v, i));
    EXPECT_LT((part(together.vdot, i) - single.vdot).norm(), 1e-12 * (1 + single.vdot.norm()));
    EXPECT_LT((part(together.Qc, i) - single.Qc).norm(), 1e-12 * (1 + single.Qc.norm()));
  }
}

}  // namespace
}  // namespace trammel
