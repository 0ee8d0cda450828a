#include "trammel/report/scene.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/closed_mechanisms.h"
#include "support/mechanisms.h"
#include "trammel/constraints/distance.h"
#include "trammel/constraints/orientation_on_path.h"
#include "trammel/constraints/point_on_path.h"
#include "trammel/constraints/weld.h"
#include "trammel/scenario/scenario.h"
#include "trammel/simulate/simulate.h"

namespace trammel {
namespace {

TEST(Scene, HasThePosesOfTheRecording) {
  const System system(build_model(test::arm7()));
  SimulateOptions options;
  options.duration = 0.2;
  const Simulation run = simulate(system, State(0, VecX<>::Constant(7, 0.3), VecX<>::Constant(7, 0.5)), options);
  const Scene scene = scene_of(compile(system), run, {}, 1000);
  ASSERT_EQ(scene.t.size(), static_cast<std::size_t>(run.recording.rows()));
  ASSERT_EQ(scene.poses.size(), scene.t.size() * 7 * 7);
  EXPECT_FALSE(scene.normal.has_value());
  Positions<> where(system.model);
  for (const int row : {0, 7, 20}) {
    positions<double>(system.model, run.recording.state(row).q, where);
    for (int body = 0; body < 7; ++body) {
      const float* pose = scene.poses.data() + (row * 7 + body) * 7;
      const Pose<>& X = where.bodies[body].X_WB;
      EXPECT_LT((Vec3<>(pose[0], pose[1], pose[2]) - X.p).norm(), 1e-6);
      EXPECT_LT((rotation_from_quaternion<double>({pose[3], pose[4], pose[5], pose[6]}) - X.R).norm(), 1e-6);
    }
  }
}

TEST(Scene, WheelsAndBallsAreDrawnWhereTheirBodiesHaveNoShape) {
  const Scenario scenario = read_scenario_text(R"yaml(
bodies: {disc: {mass: 1, inertia: [0.01, 0.01, 0.02]}, ball: {mass: 1, inertia: [1, 1, 1]}, dark: {mass: 1, inertia: [1, 1, 1], shape: {sphere: 0.1}}}
joints:
  - {name: a, floating: true, from: world, to: disc, at: {rpy: [90 deg, 0, 0]}}
  - {name: b, floating: true, from: world, to: ball}
  - {name: c, floating: true, from: world, to: dark}
constraints:
  - {name: wheel, rolls: disc, radius: 0.2, tyre: 0.05, axis: z, on: {plane: {}}}
  - {name: first, rolls: ball, radius: 0.3, shape: sphere, on: {plane: {}}}
  - {name: second, rolls: dark, radius: 0.3, shape: sphere, on: {plane: {}}}
initial: {q: {a: [0, 0.2, 0, 1, 0, 0, 0], b: [1, 0, 0.3, 1, 0, 0, 0], c: [2, 0, 0.3, 1, 0, 0, 0]}}
simulate: {duration: 0.01 s}
)yaml",
                                               "test.yaml");
  const Problem problem = scenario.problem();
  const Scene scene = scene_of(problem, simulate(problem, scenario.start, scenario.simulate), {});
  ASSERT_EQ(scene.bodies.size(), 3u);
  for (const Scene::Body& body : scene.bodies) ASSERT_EQ(body.visuals.size(), 1u) << body.name;
  const auto shown = [&](const char* name) -> const Visual& {
    return std::ranges::find(scene.bodies, name, &Scene::Body::name)->visuals[0];
  };
  EXPECT_DOUBLE_EQ(std::get<Cylinder>(shown("disc").shape).radius, 0.2);
  EXPECT_DOUBLE_EQ(std::get<Cylinder>(shown("disc").shape).length, 0.1);
  EXPECT_DOUBLE_EQ(std::get<Sphere>(shown("ball").shape).radius, 0.3);
  EXPECT_DOUBLE_EQ(std::get<Sphere>(shown("dark").shape).radius, 0.1);
}

// The five-bar, its left tip led as a control constraint.
System led_five_bar(VecX<>& q) {
  test::Looped looped = test::five_bar();
  q = looped.q;
  Positions<> where(looped.system.model);
  positions<double>(looped.system.model, q, where);
  const BodyPoint pen(looped.system.model.frame("left tip"));
  const Vec3<> tip = pen.position(where);
  const VectorPath path = [tip](const Jet& t) {
    return Vec3<Jet>(tip.x() + 0.05 * t * t, tip.y() - 0.03 * t * t, Jet(tip.z()));
  };
  looped.system.constrain("stroke", std::make_shared<PointOnPath>(pen, path, PointOnPath::Axes{true, true, false}),
                          Layer::control);
  return looped.system;
}

TEST(Scene, ArrowsOfControlRowsAreVirtualAndThoseThatMotorsTrackHaveNone) {
  VecX<> q;
  System system = led_five_bar(q);
  SimulateOptions options;
  options.duration = 0.1;
  const auto arrows = [&] {
    const Simulation run = simulate(system, State(0, q, VecX<>::Zero(4)), options);
    return scene_of(compile(system, motion_options(options)), run, {}).forces;
  };
  const std::vector<Scene::Arrow> ideal = arrows();
  ASSERT_EQ(ideal.size(), 2u);
  EXPECT_FALSE(ideal[0].is_virtual);
  EXPECT_EQ(ideal[1].name, "stroke");
  EXPECT_TRUE(ideal[1].is_virtual);
  EXPECT_EQ(ideal[1].body, system.model.link_name(system.model.frame("left tip").body));
  for (const char* name : {"left", "right"})
    system.drive({.name = name, .velocity = system.model.bodies()[system.model.joint(name)].v});
  const std::vector<Scene::Arrow> driven = arrows();
  ASSERT_EQ(driven.size(), 1u);
  EXPECT_EQ(driven[0].name, ideal[0].name);
  EXPECT_NE(driven[0].vector, ideal[0].vector);
}

// Two five-bars, the second with two pins side by side, which a loose rank tolerance takes for one.
TEST(Scene, ForcesAreSharedAsTheRunsRankToleranceSays) {
  for (const double tolerance : {1e-4, 1e-12}) {
    System system = test::five_bars(2);
    const Vec3<> beside(1e-6, 0, 0);
    const Frame &left = system.model.frame("1 left tip"), &right = system.model.frame("1 right tip");
    system.constrain("second pin", std::make_shared<Coincident>(BodyPoint(left.body, left.X_BF.p + beside),
                                                                BodyPoint(right.body, right.X_BF.p + beside), world,
                                                                Mat3<>(Mat3<>::Identity()).leftCols(2)));
    const VecX<> one = test::five_bar().q;
    SimulateOptions options;
    options.duration = 0.01;
    options.drift.kind = Drift::none;
    options.rank.relative = tolerance;
    const State start(0, (VecX<>(8) << one, one).finished(), VecX<>::Zero(8));
    const Simulation run = simulate(system, start, options);
    const Scene scene = scene_of(compile(system, motion_options(options)), run, {});
    ASSERT_EQ(scene.forces.size(), 3u);
    EXPECT_EQ(scene.forces[0].uniqueness, Uniqueness::unique);
    for (const int i : {1, 2})
      EXPECT_EQ(scene.forces[i].uniqueness == Uniqueness::unique, tolerance < 1e-6)
          << name_of(scene.forces[i].uniqueness);
  }
}

TEST(Scene, AMomentHasAnArrowOfItsOwnUnlessItIsRounding) {
  System system(build_model(test::arm7()));
  const Frame& tool = system.model.frames().back();
  const VecX<> q = VecX<>::Constant(7, 0.3);
  Positions<> where(system.model);
  positions<double>(system.model, q, where);
  const Frame wall{"", world, where.pose(tool)};
  const Mat3<> R = wall.X_BF.R;
  SimulateOptions options;
  options.duration = 0.02;
  const auto moments_of = [&](std::shared_ptr<const Constraint> law) {
    System held = system;
    held.constrain("grip", std::move(law));
    const Simulation run = simulate(held, State(0, q, VecX<>::Zero(7)), options);
    std::string out;
    for (const Scene::Arrow& arrow : scene_of(compile(held, motion_options(options)), run, {}).forces)
      out += arrow.is_moment ? "moment " : "force ";
    return out;
  };
  EXPECT_EQ(moments_of(std::make_shared<Weld>(wall, tool)), "force moment ");
  EXPECT_EQ(moments_of(std::make_shared<Coincident>(BodyPoint(wall), BodyPoint(tool))), "force ");
  EXPECT_EQ(moments_of(std::make_shared<OrientationOnPath>(tool, [R](const Jet&) { return Mat3<Jet>(R.cast<Jet>()); })),
            "moment ");
}

// An arm that a rope of its own length holds is stretched out all the time.
TEST(Scene, AForceThatIsSingularHasNoVector) {
  RobotDescription robot;
  robot.links = {test::rod("upper", 1, 1, test::x_axis), test::rod("lower", 1, 1, test::x_axis)};
  robot.joints = {test::turning("a", "world", "upper", Vec3<>::Zero(), test::z_axis),
                  test::turning("b", "upper", "lower", {1, 0, 0}, test::z_axis)};
  System system(build_model(robot));
  system.constrain("rope",
                   std::make_shared<Distance>(BodyPoint(world, Vec3<>::Zero()), BodyPoint(1, Vec3<>(1, 0, 0)), 2));
  SimulateOptions options;
  options.duration = 0.05;
  const Simulation run = simulate(system, State(0, Eigen::Vector2d(0.3, 0), Eigen::Vector2d(0.2, 0)), options);
  const Scene scene = scene_of(compile(system, motion_options(options)), run, {});
  ASSERT_EQ(scene.forces.size(), 1u);
  EXPECT_TRUE(std::ranges::all_of(scene.forces[0].vector, [](float x) { return std::isnan(x); }));
  EXPECT_TRUE(std::ranges::all_of(scene.forces[0].at, [](float x) { return std::isfinite(x); }));
}

TEST(Scene, HasTheWantedPathOfAFrameThatIsLed) {
  System system(build_model(test::arm7()));
  const Frame& tool = system.model.frames().back();
  const VectorPath path = [](const Jet& t) { return Vec3<Jet>(Jet(0.3) + 0.1 * t, Jet(0.2), Jet(0.4)); };
  system.constrain("xy", std::make_shared<PointOnPath>(BodyPoint(tool), path, PointOnPath::Axes{true, true, false}),
                   Layer::control);
  SimulateOptions options;
  options.duration = 0.1;
  options.drift.kind = Drift::none;
  options.frames = {tool.name};
  const Simulation run = simulate(system, State(0, VecX<>::Constant(7, 0.3), VecX<>::Zero(7)), options);
  const Scene scene = scene_of(compile(system), run, options.frames);
  ASSERT_EQ(scene.traces[0].wanted.size(), 3 * scene.t.size());
  for (std::size_t row = 0; row < scene.t.size(); ++row) {
    EXPECT_NEAR(scene.traces[0].wanted[3 * row], 0.3 + 0.1 * scene.t[row], 1e-6);
    EXPECT_NEAR(scene.traces[0].wanted[3 * row + 1], 0.2, 1e-6);
    EXPECT_EQ(scene.traces[0].wanted[3 * row + 2], scene.traces[0].actual[3 * row + 2]);  // which is free
  }
}

}  // namespace
}  // namespace trammel
