#include <filesystem>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include "trammel/mjcf/mjcf.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

RobotDescription with_mesh(const fs::path& file, const std::string& folder, const std::string& mesh,
                           const std::map<std::string, std::string>& packages = {}) {
  return parse_mjcf(fmt::format("<mujoco><compiler meshdir='{}'/><asset><mesh name='m' file='{}'/></asset><worldbody>"
                                "<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><joint/>"
                                "<geom type='mesh' mesh='m' mass='0'/></body></worldbody></mujoco>",
                                folder, mesh),
                    file.string(), packages);
}

std::string path_of(const RobotDescription& robot) {
  for (const auto& link : robot.links)
    for (const Visual& visual : link.visuals)
      if (const auto* mesh = std::get_if<Mesh>(&visual.shape)) return mesh->path;
  return "no mesh";
}

bool told_outside(const RobotDescription& robot) {
  return std::ranges::any_of(robot.warnings, [](const Warning& warning) {
    return warning.text.find("is outside of the robot's folders") != std::string::npos;
  });
}

TEST(MjcfMesh, IsReadInTheRobotsFoldersAndNotOutside) {
  const test::ScratchFolder scratch;
  const fs::path arm = scratch.path() / "arm";
  fs::create_directories(arm / "assets");
  fs::create_directories(arm / "mjcf");
  const std::string own = scratch.write("arm/assets/a.stl", "solid"), secret = scratch.write("secret.stl", "solid");
  EXPECT_EQ(path_of(with_mesh(arm / "arm.xml", "assets", "a.stl")), own);
  EXPECT_EQ(path_of(with_mesh(arm / "mjcf" / "arm.xml", "../assets/", "a.stl")), own);
  EXPECT_EQ(path_of(with_mesh(arm / "arm.xml", (arm / "assets").string(), "a.stl")), own);
  for (const std::string& file : {std::string("../../secret.stl"), secret}) {
    const RobotDescription robot = with_mesh(arm / "arm.xml", "assets", file);
    EXPECT_EQ(path_of(robot), "") << file;
    EXPECT_TRUE(told_outside(robot)) << file;
  }
  EXPECT_EQ(path_of(with_mesh(arm / "arm.xml", "assets", secret, {{"more", scratch.path().string()}})), secret);
}

}  // namespace
}  // namespace trammel
