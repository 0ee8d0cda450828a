#include "trammel/urdf/urdf.h"

#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace trammel {
namespace {

namespace fs = std::filesystem;

RobotDescription parse_robot(const std::string& content) {
  return parse_urdf("<robot name='robot'>\n" + content + "\n</robot>\n", "robot.urdf");
}

TEST(UrdfVisual, OfEveryShapeIsRead) {
  const RobotDescription robot = parse_robot(
      "<link name='a'>"
      "<visual><origin xyz='1 2 3'/><geometry><box size='1 2 3'/></geometry></visual>"
      "<visual><geometry><cylinder radius='1' length='2'/></geometry></visual>"
      "<visual><geometry><capsule radius='3' length='4'/></geometry></visual>"
      "<visual><geometry><sphere radius='5'/></geometry></visual>"
      "<visual><geometry><mesh filename='a.stl' scale='0.001 0.002 -0.003'/></geometry></visual></link>");
  const Link& link = robot.links.at(0);
  ASSERT_EQ(link.visuals.size(), 5u);
  EXPECT_EQ(link.visuals[0].at.p, Vec3<>(1, 2, 3));
  EXPECT_EQ(std::get<Box>(link.visuals[0].shape).size, Vec3<>(1, 2, 3));
  EXPECT_EQ(std::get<Cylinder>(link.visuals[1].shape).length, 2);
  EXPECT_EQ(std::get<Capsule>(link.visuals[2].shape).radius, 3);
  EXPECT_EQ(std::get<Sphere>(link.visuals[3].shape).radius, 5);
  EXPECT_EQ(std::get<Mesh>(link.visuals[4].shape).scale, Vec3<>(0.001, 0.002, -0.003));
}

std::string visual_with(const std::string& material) {
  return "<visual><geometry><sphere radius='1'/></geometry>" + material + "</visual>\n";
}

TEST(UrdfMaterial, MayBeDefinedBeforeOrAfterItsUseOrInAnotherLink) {
  const RobotDescription robot = parse_robot(
      "<material name='red'><color rgba='1 0 0 1'/></material><link name='a'>" + visual_with("<material name='red'/>") +
      visual_with("<material name='green'/>") + visual_with("<material name='blue'/>") + "</link><link name='b'>" +
      visual_with("<material name='blue'><color rgba='0 0 1 0.5'/></material>") +
      visual_with("<material name=''><color rgba='0.1 0.2 0.3 0.4'/></material>") + visual_with("") +
      "</link><material name='green'><color rgba='0 1 0 1'/></material>");
  using Color = std::array<double, 4>;
  const std::vector<Visual>&a = robot.links[0].visuals, &b = robot.links[1].visuals;
  EXPECT_EQ(a[0].color, (Color{1, 0, 0, 1}));
  EXPECT_EQ(a[1].color, (Color{0, 1, 0, 1}));
  EXPECT_EQ(a[2].color, (Color{0, 0, 1, 0.5}));
  EXPECT_EQ(b[0].color, (Color{0, 0, 1, 0.5}));
  EXPECT_EQ(b[1].color, (Color{0.1, 0.2, 0.3, 0.4}));
  EXPECT_EQ(b[2].color, std::nullopt);
  EXPECT_TRUE(robot.warnings.empty());
}

TEST(UrdfMaterial, WithoutColorOrWithOneOutOfRangeIsWarnedOf) {
  const RobotDescription robot = parse_robot(
      "<link name='a'>\n" + visual_with("<material name='pink'/>") + visual_with("<material name='pale'/>") +
      visual_with("<material name='m'><color rgba='255 0 -1 1'/></material>") + "</link>");
  EXPECT_EQ(robot.links[0].visuals[0].color, std::nullopt);
  EXPECT_EQ(robot.links[0].visuals[2].color, (std::array{1.0, 0.0, 0.0, 1.0}));
  ASSERT_EQ(robot.warnings.size(), 2u);
  EXPECT_EQ(robot.warnings[0].place.line, 3);
  EXPECT_EQ(robot.warnings[0].text, "2 visuals have materials whose color is given nowhere (the first is 'pink')");
  EXPECT_EQ(robot.warnings[1].place.line, 5);
  EXPECT_EQ(robot.warnings[1].text, "1 color has parts outside of 0 … 1, which are cut to it");
}

class UrdfMesh : public testing::Test {
 protected:
  // package/meshes/arm.stl and package/robots/urdf/ for the robot
  void SetUp() override {
    fs::create_directories(package_ / "meshes");
    fs::create_directories(package_ / "robots" / "urdf");
    std::ofstream(package_ / "meshes" / "arm.stl") << "solid";
    std::ofstream(package_ / "package.xml") << "<package/>";
  }
  void TearDown() override { fs::remove_all(root_); }

  Mesh mesh(const std::string& filename, const UrdfOptions& options = {}) {
    robot_ = parse_urdf("<robot name='a'><link name='a'><visual><geometry>\n<mesh filename='" + filename +
                            "'/></geometry></visual></link></robot>",
                        (package_ / "robots" / "urdf" / "arm.urdf").string(), options);
    return std::get<Mesh>(robot_.links[0].visuals[0].shape);
  }

  const fs::path root_ = fs::path(testing::TempDir()) / fmt::format("trammel_mesh_{}", ::getpid());
  const fs::path package_ = root_ / "arm_description";
  RobotDescription robot_;
};

TEST_F(UrdfMesh, IsFoundBesideTheFileOrInAPackageAboveItOrByItsAbsolutePath) {
  const std::string path = (package_ / "meshes" / "arm.stl").string();
  const std::vector<std::string> names{"../../meshes/arm.stl",
                                       "package://arm_description/meshes/arm.stl",
                                       "package:///meshes/arm.stl",
                                       "model://arm_description/meshes/arm.stl",
                                       "file://" + path,
                                       path};
  for (const std::string& name : names) {
    const Mesh found = mesh(name);
    EXPECT_EQ(found.file, name);
    EXPECT_EQ(found.path, path) << name;
    EXPECT_TRUE(robot_.warnings.empty()) << name;
  }
}

TEST_F(UrdfMesh, IsFoundInThePackagesThatTheCallerOrRosNames) {
  const fs::path other = root_ / "elsewhere" / "hand_files";
  fs::create_directories(other);
  std::ofstream(other / "hand.stl") << "solid";
  const std::string path = (other / "hand.stl").string();
  EXPECT_EQ(mesh("package://hand_files/hand.stl").path, "");
  EXPECT_EQ(mesh("package://hand/hand.stl", {.strict = false, .packages = {{"hand", other.string()}}}).path, path);
  ::setenv("ROS_PACKAGE_PATH", ("/nowhere:" + other.parent_path().string()).c_str(), 1);
  EXPECT_EQ(mesh("package://hand_files/hand.stl").path, path);
  ::setenv("ROS_PACKAGE_PATH", other.c_str(), 1);
  EXPECT_EQ(mesh("package://hand_files/hand.stl").path, path);
  ::unsetenv("ROS_PACKAGE_PATH");
}

TEST_F(UrdfMesh, OutsideOfTheFoldersThatTheUserNamedIsNotRead) {
  std::ofstream(root_ / "secret.stl") << "solid";
  fs::create_symlink(root_ / "secret.stl", package_ / "meshes" / "link.stl");
  for (const std::string& name : {std::string("../../../secret.stl"), "file://" + (root_ / "secret.stl").string(),
                                  std::string("package://arm_description/../secret.stl"),
                                  std::string("package://arm_description/meshes/link.stl"),
                                  std::string("package:///secret.stl"), std::string("../../meshes/link.stl")}) {
    EXPECT_EQ(mesh(name).path, "") << name;
    ASSERT_EQ(robot_.warnings.size(), 1u) << name;
    EXPECT_EQ(robot_.warnings[0].text, "1 mesh file is outside of the robot's folders, and is not read (" + name + ")");
  }
}

TEST_F(UrdfMesh, IsFoundInTheFoldersOfARobotThatWasCopiedWithoutPackageXml) {
  fs::remove(package_ / "package.xml");
  std::ofstream(root_ / "secret.stl") << "solid";
  const auto found = [&](const fs::path& robot, const std::string& filename) {
    const std::string text = "<robot name='a'><link name='a'><visual><geometry><mesh filename='" + filename +
                             "'/></geometry></visual></link></robot>";
    return std::get<Mesh>(parse_urdf(text, robot.string()).links[0].visuals[0].shape).path;
  };
  const std::string path = (package_ / "meshes" / "arm.stl").string();
  EXPECT_EQ(found(package_ / "robots" / "urdf" / "arm.urdf", "../../meshes/arm.stl"), path);
  EXPECT_EQ(found(package_ / "robots" / "urdf" / "arm.urdf", "../../../secret.stl"), "");
  EXPECT_EQ(found(package_ / "robots" / "arm.urdf", "../meshes/arm.stl"), path);
  fs::create_directories(package_ / "panda");
  EXPECT_EQ(found(package_ / "panda" / "arm.urdf", "../meshes/arm.stl"), path);
  EXPECT_EQ(found(package_ / "panda" / "arm.urdf", "../../secret.stl"), "");
  EXPECT_EQ(found(package_ / "arm.urdf", "../secret.stl"), "");
}

TEST_F(UrdfMesh, ThatIsAPipeOrADeviceIsNotFound) {
  ASSERT_EQ(::mkfifo((package_ / "meshes" / "pipe.stl").c_str(), 0600), 0);
  EXPECT_EQ(mesh("../../meshes/pipe.stl").path, "");
  EXPECT_EQ(mesh("file:///dev/zero").path, "");
}

TEST_F(UrdfMesh, ThatIsMissingIsAWarning) {
  for (const std::string name :
       {"arm.stl", "package://arm_description/arm.stl", "http://example.org/arm.stl", "", "."}) {
    EXPECT_EQ(mesh(name).path, "") << name;
    ASSERT_EQ(robot_.warnings.size(), 1u) << name;
    EXPECT_EQ(robot_.warnings[0].place.line, 2);
    EXPECT_EQ(robot_.warnings[0].text, "1 mesh file was not found (" + name + ")");
  }
}

}  // namespace
}  // namespace trammel
