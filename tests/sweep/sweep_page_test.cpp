#include "trammel/sweep/sweep_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/page_data.h"
#include "support/scratch_folder.h"
#include "trammel/base/error.h"
#include "trammel/report/page_template.h"

namespace trammel {
namespace {

using nlohmann::json;
using test::decoded;

// What `trammel sweep` leaves of a grid of two values of x, many words and a measure, a tenth of them without: y = (row + 1)/7.
void write_sweep(const test::ScratchFolder& folder, long rows) {
  json index{{"format", 1},
             {"name", "made up"},
             {"file", "s.yaml"},
             {"scenario", "a.yaml"},
             {"version", "0"},
             {"instructions", ""},
             {"seed", 1},
             {"cases", rows},
             {"grid_points", 2},
             {"draws", rows / 2},
             {"rows", rows},
             {"complete", true},
             {"table", "table.csv"},
             {"counts", {{"finished", rows}}},
             {"made_from", {{"sweep", "</script>"}, {"scenario", ""}, {"set", json::array()}}}};
  const auto column = [](const char* name, const char* kind, const char* values) {
    return json{{"name", name}, {"kind", kind}, {"values", values}};
  };
  index["columns"] = {column("case", "case", "number"), column("x", "varied", "number"),
                      column("status", "status", "text"), column("reason", "reason", "text"),
                      column("y", "measure", "number")};
  index["columns"][1]["vary"]["how"] = "grid";
  index["failures"] = {{{"status", "refused"}, {"reason", ""}, {"count", 1}, {"cases", {rows / 2}}, {"command", ""}}};
  const auto extreme = [](long number) { return json{{{"case", number}, {"value", 0.0}, {"command", ""}}}; };
  index["measures"] = {{{"name", "y"}, {"count", rows}, {"lowest", extreme(1)}, {"highest", extreme(rows - 1)}}};
  index["kept"] = {{"columns", {"u.a, b"}}, {"bands", "bands.csv"}};
  std::string table = "case,x,status,reason,y\n";
  for (long row = 0; row < rows; ++row)
    table += fmt::format("{},{},finished,\"no \"\"{}\"\", or\",{}\n", row, row % 2, row,
                         row % 10 == 0 ? "" : fmt::format("{}", static_cast<double>(row + 1) / 7));
  folder.write("table.csv", table);
  folder.write("sweep.json", index.dump());
  folder.write("bands.csv",
               "column,t,count,min,p5,p25,median,p75,p95,max,mean\n\"u.a, b\",0,2,1,2,3,4,5,6,7,8\n"
               "\"u.a, b\",0.5,1,-1,,,,,,,\n");
}

TEST(SweepPage, HoldsTheRowsOfTheTableToTheLastBit) {
  const test::ScratchFolder folder;
  write_sweep(folder, 500);
  const json page = json::parse(sweep_page_data(folder.path()));
  EXPECT_EQ(page["title"], "made up");
  EXPECT_EQ(page["columns"].size(), 4u);  // the number of the case is apart
  const auto cases = decoded<std::uint32_t>(page["case_numbers"]);
  const auto x = decoded<double>(page["columns"][0]["numbers"]), y = decoded<double>(page["columns"][3]["numbers"]);
  const auto reasons = decoded<std::uint32_t>(page["columns"][2]["codes"]);
  ASSERT_EQ(cases.size(), 500u);
  ASSERT_EQ(y.size(), 500u);
  for (std::size_t row = 0; row < 500; ++row) {
    EXPECT_EQ(cases[row], row);
    EXPECT_EQ(x[row], static_cast<double>(row % 2));
    EXPECT_EQ(page["columns"][2]["words"][reasons[row]], fmt::format("no \"{}\", or", row));
    if (row % 10 == 0)
      EXPECT_TRUE(std::isnan(y[row]));
    else
      EXPECT_EQ(y[row], static_cast<double>(row + 1) / 7);
  }
}

TEST(SweepPage, HasTheBandsOfEachColumn) {
  const test::ScratchFolder folder;
  write_sweep(folder, 10);
  const json bands = json::parse(sweep_page_data(folder.path()))["bands"];
  ASSERT_EQ(bands.size(), 1u);
  EXPECT_EQ(bands[0]["column"], "u.a, b");
  EXPECT_EQ(decoded<double>(bands[0]["t"]), (std::vector<double>{0, 0.5}));
  float expected = 1;
  for (const char* name : {"min", "p5", "p25", "median", "p75", "p95", "max", "mean"}) {
    const auto values = decoded<float>(bands[0][name]);
    ASSERT_EQ(values.size(), 2u);
    EXPECT_EQ(values[0], expected++) << name;
    EXPECT_EQ(std::isnan(values[1]), std::string(name) != "min") << name;
  }
}

TEST(SweepPage, OfALongTableShowsAsManyRowsAsFitChosenWithoutRegardToTheGrid) {
  const test::ScratchFolder folder;
  write_sweep(folder, 20'000);
  const json page = json::parse(sweep_page_data(folder.path(), 5 * 4'000));
  const auto cases = decoded<std::uint32_t>(page["case_numbers"]);
  const auto x = decoded<double>(page["columns"][0]["numbers"]);
  EXPECT_GE(cases.size(), 4'000u);
  EXPECT_LE(cases.size(), 4'003u);
  EXPECT_TRUE(std::ranges::is_sorted(cases));
  for (const std::uint32_t named : {1u, 10'000u, 19'999u}) EXPECT_TRUE(std::ranges::binary_search(cases, named));
  // of 4000 draws of one in two without regard to anything, and of four quarters: six deviations
  double odd = 0;
  std::vector<double> quarter(4);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    odd += x[i];
    ++quarter[cases[i] / 5'000];
    EXPECT_EQ(x[i], cases[i] % 2);
  }
  EXPECT_NEAR(odd, 2'000, 6 * std::sqrt(4'000 * 0.25));
  for (const double count : quarter) EXPECT_NEAR(count, 1'000, 6 * std::sqrt(4'000 * 0.25 * 0.75));
  EXPECT_LE(page["columns"][2]["words"].size(), 1001u);
}

TEST(SweepPage, IsWrittenWhereThereIsASweep) {
  const test::ScratchFolder folder;
  EXPECT_THROW((void)sweep_page_data(folder.path()), Error);
  write_sweep(folder, 10);
  EXPECT_EQ(write_sweep_page(folder.path()), !sweep_page_template().empty());
  if (!sweep_page_template().empty()) {
    const std::string html = test::content(folder.path() / "report.html");
    EXPECT_NE(html.find("\\u003c/script>"), std::string::npos);  // of the sweep's text
    EXPECT_EQ(html.find("<!--TRAMMEL-DATA-->"), std::string::npos);
  }
  folder.write("table.csv", "case,x,status,reason,y\n0,1,finished,,2\n");
  EXPECT_THROW((void)sweep_page_data(folder.path()), Error);
}

}  // namespace
}  // namespace trammel
