#include "trammel/report/page.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/mechanisms.h"
#include "support/page_data.h"
#include "support/scratch_folder.h"
#include "trammel/model/build_model.h"

namespace trammel {
namespace {

using nlohmann::json;
using test::decoded;

constexpr std::string_view bare = "<html><!--TRAMMEL-DATA--></html>";

json data_of(const std::string& html) {
  const std::string open = "<script type=\"application/json\" id=\"trammel-data\">";
  const std::size_t begin = html.find(open) + open.size(), end = html.find("</script>", begin);
  return json::parse(html.substr(begin, end - begin));
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

TEST(Scene, MeshesAreShownScaledAndWhatCannotBeIsTold) {
  const test::ScratchFolder scratch;
  const std::string file = scratch.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  RobotDescription robot = test::arm7();
  robot.links.back().visuals = {{.at = {}, .shape = Mesh{"a.obj", file, Vec3<>(2, 3, 1)}, .color = {}}};
  const System system(build_model(robot));
  ReportPage page;
  page.scene = scene_of(compile(system), Simulation{}, {});
  const json shape = data_of(to_html(page, bare))["scene"]["bodies"].back()["shapes"][0];
  EXPECT_EQ(shape["kind"], "mesh");
  EXPECT_EQ(decoded<float>(shape["vertices"]), (std::vector<float>{0, 0, 0, 2, 0, 0, 0, 3, 0}));
  EXPECT_EQ(decoded<std::uint32_t>(shape["triangles"]), (std::vector<std::uint32_t>{0, 1, 2}));
  scratch.write("a.obj", "v 0 0 0\n");
  page.scene = scene_of(compile(system), Simulation{}, {});
  EXPECT_EQ(page.scene->left_out,
            std::vector<std::string>{"a mesh is left out of the picture, 'a.obj': it has no triangles"});
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
