#include "command.h"

#include <nlohmann/json.hpp>

namespace trammel::test {
namespace {

const std::string scara = TRAMMEL_SOURCE_DIR "/robots/scara.urdf";

TEST(Info, TellsTreeJointsMassesAndFrames) {
  const Outcome outcome = trammel("info " + scara);
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* text : {"scara: 4 bodies, 4 freedoms; 50.5 kg moving", "q4", "prismatic", "-1 … 1 m", "tool"})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << " in\n" << outcome.out;
}

TEST(Info, PrintsOneJsonObjectAndNothingElse) {
  const Outcome outcome = trammel("info --json " + scara);
  const nlohmann::json info = nlohmann::json::parse(outcome.out);  // throws on anything else
  EXPECT_EQ(info["freedoms"], 4);
  EXPECT_EQ(info["bodies"][3]["type"], "prismatic");
  EXPECT_EQ(info["bodies"][0]["mass"], 20);
  EXPECT_TRUE(info["bodies"][0]["coordinates"][0]["upper"].is_null());
}

TEST(Info, AtAConfigurationGivesThePapersMassMatrix) {
  const Outcome outcome = trammel("info --json --at q1=0.3,q2=-1.1 " + scara);
  const nlohmann::json at = nlohmann::json::parse(outcome.out)["at"];
  // eq. (34) of the SCARA paper: α + β + 2γ cos q2
  EXPECT_NEAR(at["mass_matrix"][0][0], 1.69 + 1.533225 + 2 * 1.15 * std::cos(-1.1), 1e-13);
  EXPECT_NEAR(at["gravity_forces"][3], 0.5 * 9.81, 1e-13);
  const nlohmann::json tool = at["frames"].back();
  EXPECT_EQ(tool["name"], "tool");
  EXPECT_NEAR(tool["xyz"][0], -0.2 * std::sin(0.3) - 0.25 * std::sin(0.3 - 1.1), 1e-15);
  EXPECT_NE(trammel("info --at q1=0.3 " + scara).out.find("potential energy"), std::string::npos);
}

TEST(Info, RefusesBadInputWithOneMessageAndExitCodeOne) {
  expect_refused("info nowhere.urdf", "nowhere.urdf");
  expect_refused("info " TRAMMEL_SOURCE_DIR "/tests/urdf/bad_urdf/mass_negative.urdf", "mass_negative.urdf:");
  expect_refused("info --at q5=1 " + scara, "found coordinate 'q5' in --at, which does not exist; allowed: one of q1");
  expect_refused("info --at q1=fast " + scara, "found 'q1=fast' in --at; allowed: NAME=NUMBER");
  expect_refused("info --at q1 " + scara, "found 'q1' in --at; allowed: NAME=NUMBER");
  expect_refused("info", "FILE is required");
  expect_refused("inof " + scara,
                 "found verb 'inof'; allowed: one of run, sweep, check, torques, compare, reproduce, view, info (did "
                 "you mean 'info'?)");
  expect_refused("", "Subcommands:");
}

TEST(Info, TellsTheLoopsOfMjcfUrdfPlusAndScenariosWithTheirRank) {
  const std::string tests = TRAMMEL_SOURCE_DIR "/tests/";
  const Outcome mjcf = trammel("info " + tests + "mjcf/models/connect_sites.xml");
  EXPECT_NE(mjcf.out.find("constraint: tips (3 rows)"), std::string::npos) << mjcf.out;
  EXPECT_NE(mjcf.out.find("4 freedoms, 2 independent rows: 2 left"), std::string::npos) << mjcf.out;
  const nlohmann::json plus =
      nlohmann::json::parse(trammel("info --json " + tests + "scenario/robots/parallelogram.urdf").out);
  EXPECT_EQ(plus["constraints"][0]["name"], "corner");
  EXPECT_EQ(plus["rank"], 3);
  EXPECT_EQ(plus["redundant_rows"].size(), 3u);  // of six: the hinge closes a loop in a plane
  EXPECT_NE(trammel("info " TRAMMEL_SOURCE_DIR "/examples/03-four-bar.yaml").out.find("constraint: loop (5 rows)"),
            std::string::npos);
}

TEST(Info, HelpShowsAnExample) {
  const Outcome outcome = trammel("info --help");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("trammel info robot.urdf"), std::string::npos);
}

}  // namespace
}  // namespace trammel::test
