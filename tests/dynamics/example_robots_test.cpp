#include <set>

#include <gtest/gtest.h>

#include "support/golden.h"
#include "support/worst.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/model/positions.h"

// Every URDF of the package example-robot-data, as Pinocchio has it (tests/golden/example_robots.json).

namespace trammel {
namespace {

using namespace trammel::test;

// |ours − theirs| over the largest entry of theirs, or over `least` if that is larger.
double relative(const VecX<>& ours, const VecX<>& theirs, double least = 1e-300) {
  return ours.size() == 0 ? 0 : (ours - theirs).cwiseAbs().maxCoeff() / std::max(theirs.cwiseAbs().maxCoeff(), least);
}

// A golden vector, by their joints, in the order of our velocities.
VecX<> our_order(const nlohmann::json& theirs, const nlohmann::json& joints, const Model& model) {
  VecX<> out(model.nv());
  for (std::size_t i = 0; i < joints.size(); ++i)
    out[model.bodies()[model.joint(joints[i].get<std::string>())].v] = theirs[i].get<double>();
  return out;
}

struct WorstByRobots {
  Worst matrix{"example robots: mass matrix times a vector"}, gravity{"example robots: gravity forces"},
      poses{"example robots: places of points of links, m"};
};

void compare(const Model& model, const nlohmann::json& robot, WorstByRobots& worst) {
  const nlohmann::json& joints = robot["joints"];
  ASSERT_EQ(static_cast<std::size_t>(model.nv()), joints.size());
  TreeWorkspace<> work(model);
  VecX<> gravity(model.nv());
  for (const nlohmann::json& state : robot["states"]) {
    const VecX<> q = our_order(state["q"], joints, model);
    const MatX<> M = mass_matrix(model, q);
    for (std::size_t k = 0; k < state["Mw"].size(); ++k)
      worst.matrix.see(relative(M * our_order(state["w"][k], joints, model), our_order(state["Mw"][k], joints, model)));
    kinematics<double>(model, q, VecX<>::Zero(model.nv()), work.kin);
    gravity_forces<double>(model, work.kin, work.vectors, gravity);
    // where hardly any weight acts on a joint, the scale is that of the robot's weight over a millimetre
    if (model.nv() > 0)
      worst.gravity.see(relative(gravity, our_order(state["gravity"], joints, model), 9.81e-3 * model.moving_mass()));
    const Vec3<> point = to_vector(state["point"]);
    for (std::size_t i = 0; i < robot["links"].size(); ++i) {
      const Vec3<> theirs = to_vector(state["at"][i]);
      const Vec3<> ours = work.kin.pose(model.frame(robot["links"][i].get<std::string>())) * point;
      worst.poses.see((ours - theirs).cwiseAbs().maxCoeff());
    }
  }
}

TEST(ExampleRobots, ThatPinocchioReadsAreTheSameHere) {
  const std::filesystem::path folder = TRAMMEL_ROBOT_DATA;
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not here";
  const nlohmann::json golden = read_golden("example_robots");
  WorstByRobots worst;
  for (const nlohmann::json& robot : golden["robots"]) {
    SCOPED_TRACE(robot["file"]);
    const std::filesystem::path file = folder / robot["file"].get<std::string>();
    ASSERT_EQ(fnv1a(read_text(file)), robot["hash"]) << "the golden file was made from another robot";
    ASSERT_EQ(robot["states"].size(), 5u);
    ASSERT_NO_THROW(compare(without_passive_forces(read_urdf(file.string())), robot, worst));
  }
  EXPECT_LT(worst.matrix.value(), 1e-11);
  EXPECT_LT(worst.gravity.value(), 1e-11);
  EXPECT_LT(worst.poses.value(), 1e-11);
}

TEST(ExampleRobots, AreAllInTheGoldenFile) {
  const std::filesystem::path folder = TRAMMEL_ROBOT_DATA;
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not here";
  const nlohmann::json golden = read_golden("example_robots");
  std::set<std::string> here, there;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".urdf") here.insert(entry.path().lexically_relative(folder).string());
  for (const nlohmann::json& robot : golden["robots"]) there.insert(robot["file"]);
  for (const nlohmann::json& file : golden["refused"]) there.insert(file);
  EXPECT_EQ(here, there);
  EXPECT_EQ(golden["robots"].size(), 68u);
}

}  // namespace
}  // namespace trammel
