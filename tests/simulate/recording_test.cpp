#include "trammel/simulate/recording.h"

#include <fstream>
#include <sstream>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "trammel/base/error.h"
#include "trammel/constraints/joint_speed.h"
#include "trammel/constraints/point_on_path.h"
#include "trammel/constraints/weld.h"
#include "trammel/model/build_model.h"
#include "trammel/motion/diagnosis.h"
#include "trammel/simulate/simulate.h"
#include "trammel/system/forces.h"

namespace trammel {
namespace {

TEST(Recording, KeepsWhatItHasWhereItsRoomGrows) {
  Recording out({Column::of(ColumnKind::time), Column::of(ColumnKind::coordinate, "a")}, 2);
  for (int i = 0; i < 37; ++i) {
    Eigen::Ref<VecX<>> row = out.add_row();
    row << i, 100 - i;
  }
  ASSERT_EQ(out.rows(), 37);
  for (int i = 0; i < 37; ++i) {
    EXPECT_EQ(out(i, "t"), i);
    EXPECT_EQ(out(i, 1), 100 - i);
  }
}

TEST(Recording, NamesTheNearestColumnWhereOneIsNotThere) {
  const Recording out({Column::of(ColumnKind::time), Column::of(ColumnKind::coordinate, "shoulder")}, 1);
  try {
    (void)out.column("q.sholder");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("q.shoulder"), std::string::npos) << error.what();
  }
}

TEST(Recording, HasTheRankAndTheNearnessToSingularThatADiagnosisFinds) {
  System system(build_model(test::arm7()));
  const VectorPath path = [](const Jet& t) { return Vec3<Jet>(Jet(0.3) + 0.1 * t, Jet(0.2), Jet(0.4)); };
  const BodyPoint tool(system.model.frames().back());
  system.constrain("path", std::make_shared<PointOnPath>(tool, path), Layer::control);
  system.constrain("again", std::make_shared<PointOnPath>(tool, path), Layer::control);  // redundant
  SimulateOptions options;
  options.duration = 0.05;
  options.drift.kind = Drift::none;
  for (const bool driven : {false, true}) {
    for (int i = 0; driven && i < 7; ++i) system.drive({.name = fmt::format("motor {}", i), .velocity = i});
    const Simulation run = simulate(system, State(0, VecX<>::Constant(7, 0.3), VecX<>::Constant(7, 0.1)), options);
    ASSERT_EQ(run.status, RunStatus::finished) << run.what;
    for (int row = 0; row < run.recording.rows(); ++row) {
      VecX<> q(7), v(7);
      for (int i = 0; i < 7; ++i) {
        q[i] = run.recording(row, 1 + i);
        v[i] = run.recording(row, 8 + i);
      }
      const Diagnosis found = diagnose(system, q, v, run.recording(row, 0));
      EXPECT_EQ(run.recording(row, "rank"), found.rank);
      EXPECT_EQ(found.rank, 3);
      EXPECT_NEAR(run.recording(row, "pivot"), found.weakest_pivot, 1e-9);
    }
  }
}

TEST(Recording, AStateIsItsTimeCoordinatesAndVelocities) {
  Recording recording(
      {Column::of(ColumnKind::time), Column::of(ColumnKind::coordinate, "a"), Column::of(ColumnKind::coordinate, "b"),
       Column::of(ColumnKind::velocity, "a"), Column::of(ColumnKind::energy)},
      2);
  recording.add_row() << 0.5, 1, 2, 3, 9;
  recording.add_row() << 0.6, 4, 5, 6, 9;
  const State at = recording.state(1);
  EXPECT_EQ(at.t, 0.6);
  EXPECT_EQ(at.q, VecX<>(Eigen::Vector2d(4, 5)));
  EXPECT_EQ(at.v, VecX<>(VecX<>::Constant(1, 6)));
}

TEST(ColumnTable, EveryFamilyStandsInTheDocumentation) {
  std::ifstream file(TRAMMEL_SOURCE_DIR "/docs/scenario.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string docs = text.str().substr(text.str().find("## What is recorded"));
  for (const std::string_view family : ColumnTable::families())
    EXPECT_NE(docs.find("`" + std::string(family) + "`"), std::string::npos) << family;
}

const Column& named(const std::vector<Column>& columns, const std::string& name) {
  const auto found = std::ranges::find(columns, name, &Column::name);
  EXPECT_NE(found, columns.end()) << name;
  return *found;
}

TEST(ColumnTable, UnitsAreThoseOfTheJointAndOfTheRow) {
  using namespace trammel::test;
  RobotDescription robot;
  robot.name = "turns and slides";
  robot.links = {rod("a", 1, 1, x_axis), rod("b", 1, 1, x_axis), rod("c", 1, 1, x_axis)};
  robot.joints = {turning("hinge", "world", "a", Vec3<>::Zero(), z_axis), turning("slide", "a", "b", {1, 0, 0}, x_axis),
                  turning("base", "world", "c", Vec3<>::Zero(), z_axis)};
  robot.joints[1].type = JointType::prismatic;
  robot.joints[2].type = JointType::floating;
  System system(build_model(robot));
  system.constrain("grip", std::make_shared<Weld>(system.model.frame("b"), system.model.frame("c")));
  system.constrain("speed", std::make_shared<JointSpeed>(system.model, 0, 2.0));
  const std::vector<Column> columns =
      ColumnTable(compile(system), {.frames = {"b"}, .angles = true, .reactions = {system.model.joint_name(0)}})
          .columns();

  EXPECT_EQ(named(columns, "t").unit, "s");
  EXPECT_EQ(named(columns, "q.hinge").unit, "rad");
  EXPECT_EQ(named(columns, "q.slide").unit, "m");
  EXPECT_EQ(named(columns, "q.base[1]").unit, "m");
  EXPECT_EQ(named(columns, "q.base[4]").unit, "rad, m");  // a quaternion's: that of all coordinates
  EXPECT_EQ(named(columns, "v.slide").unit, "m/s");
  EXPECT_EQ(named(columns, "v.base[4]").unit, "rad/s");
  EXPECT_EQ(named(columns, "vdot.hinge").unit, "rad/s²");
  EXPECT_EQ(named(columns, "Qc.hinge").unit, "N·m");
  EXPECT_EQ(named(columns, "Qc.slide").unit, "N");
  EXPECT_EQ(named(columns, "phi.grip[0]").unit, "m");
  EXPECT_EQ(named(columns, "phi.grip[5]").unit, "rad");
  EXPECT_EQ(named(columns, "lambda.grip[2]").unit, "N");
  EXPECT_EQ(named(columns, "lambda.grip[4]").unit, "N·m");
  EXPECT_EQ(named(columns, "phidot.speed").unit, "rad/s");
  EXPECT_EQ(named(columns, "b.y").unit, "m");
  EXPECT_EQ(named(columns, "reaction.hinge.fz").unit, "N");
  EXPECT_EQ(named(columns, "reaction.hinge.nx").unit, "N·m");
}

TEST(ColumnTable, NoTwoColumnsHaveOneName) {
  using namespace trammel::test;
  RobotDescription robot;
  robot.links = {rod("work", 1, 1, x_axis)};
  robot.joints = {turning("x", "world", "work", Vec3<>::Zero(), z_axis)};
  System system(build_model(robot));
  system.apply("x", std::make_shared<FunctionForce>([](const Movement<double>&, VecX<>&) {}));
  const std::vector<Column> columns = ColumnTable(compile(system), {.frames = {"work"}}).columns();
  EXPECT_EQ(named(columns, "work.x").kind, ColumnKind::position);
  EXPECT_EQ(named(columns, "work.x (work)").kind, ColumnKind::channel_work);
}

// Where a kind cannot tell, the unit is that of all such columns.
TEST(ColumnTable, AQuaternionHasTheUnitOfItsFamily) {
  EXPECT_EQ(Column::of(ColumnKind::coordinate, "ball[0]").unit, "rad, m");
}

// A rod that swings about y, its link along x: at the angle q it hangs by its bearing with m (g and the acceleration of its centre).
TEST(Recording, HasReactionsAlongTheAxesOfTheWorldOrOfTheOuterLink) {
  using namespace trammel::test;
  constexpr double m = 2, L = 1.2, g = 9.81;
  RobotDescription robot;
  robot.links = {rod("bar", m, L, x_axis)};
  robot.joints = {turning("pivot", "world", "bar", Vec3<>(0.1, 0.2, 0.3), Vec3<>::UnitY())};
  const System system(build_model(robot));
  SimulateOptions options;
  options.duration = 0.4;
  options.reactions = {"pivot"};
  const State start(0, VecX<>::Constant(1, 0.3), VecX<>::Constant(1, 1.5));
  const Recording in_world = simulate(system, start, options).recording;
  options.reaction_axes = ReactionAxes::of_joint;
  const Recording in_joint = simulate(system, start, options).recording;
  ASSERT_GT(in_world.rows(), 10);
  for (int row = 0; row < in_world.rows(); ++row) {
    const double q = in_world(row, "q.pivot"), v = in_world(row, "v.pivot"), vdot = in_world(row, "vdot.pivot");
    // positive turns about y lead x down: along the rod −v² L/2, across it, along −z of the link, v̇ L/2
    const double along = -m * v * v * L / 2 - m * g * std::sin(q), across = m * g * std::cos(q) - m * vdot * L / 2;
    EXPECT_NEAR(in_joint(row, "reaction.pivot.fx"), along, 1e-11);
    EXPECT_NEAR(in_joint(row, "reaction.pivot.fy"), 0, 1e-12);
    EXPECT_NEAR(in_joint(row, "reaction.pivot.fz"), across, 1e-11);
    EXPECT_NEAR(in_world(row, "reaction.pivot.fx"), along * std::cos(q) + across * std::sin(q), 1e-11);
    EXPECT_NEAR(in_world(row, "reaction.pivot.fz"), -along * std::sin(q) + across * std::cos(q), 1e-11);
    for (const char* moment : {"nx", "ny", "nz"})
      EXPECT_NEAR(in_world(row, std::string("reaction.pivot.") + moment), 0, 1e-12) << moment;
  }
}

}  // namespace
}  // namespace trammel
