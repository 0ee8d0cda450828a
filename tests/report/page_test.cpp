#include "trammel/report/page.h"

#include <cstring>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/closed_mechanisms.h"
#include "support/mechanisms.h"
#include "support/scratch_folder.h"
#include "trammel/constraints/point_on_path.h"
#include "trammel/model/build_model.h"
#include "trammel/model/positions.h"
#include "trammel/simulate/simulate.h"

namespace trammel {
namespace {

using nlohmann::json;

constexpr std::string_view bare = "<html><!--TRAMMEL-DATA--></html>";

json data_of(const std::string& html) {
  const std::string open = "<script type=\"application/json\" id=\"trammel-data\">";
  const std::size_t begin = html.find(open) + open.size(), end = html.find("</script>", begin);
  return json::parse(html.substr(begin, end - begin));
}

template <class Number>
std::vector<Number> decoded(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    if ((count += 6) < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255u);
  }
  std::vector<Number> out(bytes.size() / sizeof(Number));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(Number));
  return out;
}

TEST(ReportPage, CannotBeMadeToHoldMarkup) {
  const std::string evil = "</script><img src=x onerror=alert(1)>\xff";
  ReportPage page{evil, evil, evil, evil, evil, true, evil};
  page.facts = {{evil, evil}};
  page.warnings = {evil};
  page.sections = {{evil, evil, ReportPage::Table{{evil}, {{evil}}}, {}}};
  page.plots = {Figure{.title = evil,
                       .x = {evil, evil},
                       .y = {evil, evil},
                       .curves = {{evil, VecX<>::Ones(2), VecX<>::Ones(2)}},
                       .over_time = false,
                       .note = evil}};
  const std::string html = to_html(page, bare);
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_EQ(html.find("</script>"), html.rfind("</script>"));
  EXPECT_TRUE(data_of(html)["title"].get<std::string>().starts_with("</script><img src=x onerror=alert(1)>"));
}

TEST(ReportPage, HasEveryPeakOfALongCurve) {
  VecX<> t = VecX<>::LinSpaced(100'000, 0, 10), y = VecX<>::Zero(100'000);
  y[54'321] = 7;
  y[77'777] = -3;
  ReportPage page;
  page.plots = {Figure{.title = "", .y = {"q", "rad, m"}, .curves = {{"spikes", t, y}}}};
  EXPECT_EQ(data_of(to_html(page, bare))["plots"][0]["unit"], "rad, m");
  const json series = data_of(to_html(page, bare))["plots"][0]["series"][0];
  const std::vector<float> drawn = decoded<float>(series["y"]);
  const std::vector<double> at = decoded<double>(series["x"]);
  EXPECT_LT(drawn.size(), 7000u);
  EXPECT_EQ(*std::ranges::max_element(drawn), 7);
  EXPECT_EQ(*std::ranges::min_element(drawn), -3);
  EXPECT_TRUE(std::ranges::is_sorted(at));
  EXPECT_EQ(at.front(), 0);
  EXPECT_EQ(at.back(), 10);
}

TEST(Scene, HasThePosesOfTheRecording) {
  const System system(build_model(test::arm7()));
  SimulateOptions options;
  options.duration = 0.2;
  const Simulation run = simulate(system, State(0, VecX<>::Constant(7, 0.3), VecX<>::Constant(7, 0.5)), options);
  const Scene scene = scene_of(compile(system), run.recording, {}, 1000);
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

// The arrow of a pin is its multipliers, as the run has recorded them: with its motors and its stabilisation.
TEST(Scene, ArrowsAreTheForcesOfTheRun) {
  for (const bool driven : {false, true}) {
    test::Looped looped = test::five_bar();
    System& system = looped.system;
    Positions<> where(system.model);
    positions<double>(system.model, looped.q, where);
    const Vec3<> tip = where.pose(system.model.frame("left tip")).p;
    const VectorPath path = [tip](const Jet& t) {
      return Vec3<Jet>(tip.x() + 0.05 * t, tip.y() - 0.03 * t, Jet(tip.z()));
    };
    system.constrain("stroke",
                     std::make_shared<PointOnPath>(BodyPoint(system.model.frame("left tip")), path,
                                                   PointOnPath::Axes{true, true, false}),
                     Layer::control);
    if (driven)
      for (const char* name : {"left", "right"})
        system.drive({.name = name, .velocity = system.model.bodies()[system.model.joint(name)].v, .limit = 3});
    SimulateOptions options;
    options.duration = 0.3;
    options.drift = {Drift::baumgarte, {20, 100}};
    const Simulation run = simulate(system, State(0, looped.q, VecX<>::Zero(4)), options);
    ASSERT_EQ(run.status, RunStatus::finished) << run.what;
    const Scene scene = scene_of(compile(system, motion_options(options)), run.recording, {});
    ASSERT_EQ(scene.forces.size(), 1u);
    ASSERT_EQ(scene.t.size(), static_cast<std::size_t>(run.recording.rows()));
    for (std::size_t row = 0; row < scene.t.size(); ++row) {
      const float* force = scene.forces[0].force.data() + 3 * row;
      const Vec3<> drawn(force[0], force[1], force[2]);
      double recorded = 0;
      for (const std::string& name : run.recording.names_of(ColumnKind::multiplier))
        if (name.starts_with("lambda." + scene.forces[0].name))
          recorded = std::hypot(recorded, run.recording(static_cast<int>(row), name));
      EXPECT_NEAR(drawn.norm(), recorded, 1e-5 * (1 + recorded)) << driven << " at " << scene.t[row];
    }
  }
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
  const Scene scene = scene_of(compile(system), run.recording, options.frames);
  ASSERT_EQ(scene.traces[0].wanted.size(), 3 * scene.t.size());
  for (std::size_t row = 0; row < scene.t.size(); ++row) {
    EXPECT_NEAR(scene.traces[0].wanted[3 * row], 0.3 + 0.1 * scene.t[row], 1e-6);
    EXPECT_NEAR(scene.traces[0].wanted[3 * row + 1], 0.2, 1e-6);
    EXPECT_EQ(scene.traces[0].wanted[3 * row + 2], scene.traces[0].actual[3 * row + 2]);  // which is free
  }
}

TEST(Scene, MeshesAreShownScaledUntilThereAreTooMany) {
  const test::ScratchFolder scratch;
  const std::string file = scratch.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  RobotDescription robot = test::arm7();
  robot.links.back().visuals = {{.at = {}, .shape = Mesh{"a.obj", file, Vec3<>(2, 3, 1)}, .color = {}}};
  const System system(build_model(robot));
  ReportPage page;
  page.scene = scene_of(compile(system), Recording({Column::of(ColumnKind::time)}, 1), {});
  const json shape = data_of(to_html(page, bare))["scene"]["bodies"].back()["shapes"][0];
  EXPECT_EQ(shape["kind"], "mesh");
  EXPECT_EQ(decoded<float>(shape["vertices"]), (std::vector<float>{0, 0, 0, 2, 0, 0, 0, 3, 0}));
  EXPECT_EQ(decoded<std::uint32_t>(shape["triangles"]), (std::vector<std::uint32_t>{0, 1, 2}));
  page.scene = scene_of(compile(system), Recording({Column::of(ColumnKind::time)}, 1), {}, 3000, 0);
  EXPECT_EQ(page.scene->left_out,
            std::vector<std::string>{"mesh 'a.obj' is left out of the picture: it has more than 0 triangles"});
  EXPECT_TRUE(data_of(to_html(page, bare))["scene"]["bodies"].back()["shapes"].empty());
}

TEST(ReportPage, APathOfManyPointsKnowsWhenItIsWhere) {
  const VecX<> t = VecX<>::LinSpaced(50'000, 0, 10);
  ReportPage page;
  page.plots = {Figure{.title = "",
                       .x = {"tool.x", "m"},
                       .curves = {{"tool.y", t.array().cos(), t.array().sin(), false, t}},
                       .over_time = false,
                       .equal = true}};
  const json plot = data_of(to_html(page, bare))["plots"][0], series = plot["series"][0];
  EXPECT_EQ(plot["x"]["label"], "tool.x");
  EXPECT_EQ(plot["x"]["unit"], "m");
  const std::vector<double> x = decoded<double>(series["x"]), times = decoded<double>(series["t"]);
  ASSERT_EQ(x.size(), times.size());
  EXPECT_LT(x.size(), 7000u);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_DOUBLE_EQ(x[i], std::cos(times[i]));
}

}  // namespace
}  // namespace trammel
