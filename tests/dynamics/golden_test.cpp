#include <gtest/gtest.h>

#include "support/describe.h"
#include "support/golden.h"
#include "support/worst.h"
#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/dynamics/frame_motion.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"

namespace trammel {
namespace {

using namespace trammel::test;

// |ours − theirs| over the largest entry of theirs.
double relative(const auto& ours, const auto& theirs) {
  return (ours - theirs).cwiseAbs().maxCoeff() / std::max(theirs.cwiseAbs().maxCoeff(), 1e-300);
}

struct WorstErrors {
  explicit WorstErrors(const std::string& robot)
      : matrix(robot + " mass matrix"),
        bias(robot + " bias and gravity forces"),
        inverse(robot + " inverse dynamics"),
        forward(robot + " forward dynamics"),
        forward_by_condition(robot + " forward dynamics / (eps cond M)"),
        frames(robot + " frame poses, velocities, Jacobians"),
        accelerations(robot + " frame bias accelerations") {}
  Worst matrix, bias, inverse, forward, forward_by_condition, frames, accelerations;
};

void compare_dynamics(const Model& model, const nlohmann::json& golden, const nlohmann::json& state,
                      const CoordinateMap& map, TreeWorkspace<>& work, WorstErrors& worst) {
  const VecX<> q = map.our_q(state["q"]), v = map.our_v(state["v"]);
  kinematics<double>(model, q, v, work.kin);
  world_inertias<double>(model, work.kin, work.inertias);

  const MatX<> M = mass_matrix(model, q);
  for (std::size_t k = 0; k < golden["w"].size(); ++k)
    worst.matrix.see(relative(M * map.our_v(golden["w"][k]), map.our_v(state["Mw"][k])));
  if (state.contains("M"))
    for (int i = 0; i < model.nv(); ++i) {
      const VecX<> row = map.our_v(state["M"][i]);
      worst.matrix.see((M.row(map.v[i]).transpose() - row).cwiseAbs().maxCoeff() / M.cwiseAbs().maxCoeff());
    }

  VecX<> out(model.nv());
  std::vector<Vec6<>> accelerations(model.body_count());
  bias_forces<double>(model, work.kin, work.inertias, work.vectors, out);
  worst.bias.see(relative(out, map.our_v(state["bias"])));
  gravity_forces<double>(model, work.kin, work.vectors, out);
  // where gravity does no work at all (a horizontal axis of nothing) the bias sets the scale
  worst.bias.see((out - map.our_v(state["gravity"])).cwiseAbs().maxCoeff() /
                 map.our_v(state["bias"]).cwiseAbs().maxCoeff());
  newton_euler<double>(model, work.kin, work.inertias, map.our_v(state["vdot"]), accelerations, work.vectors, out);
  worst.inverse.see(relative(out, map.our_v(state["inverse"])));
  ASSERT_EQ(forward_dynamics<double>(model, q, v, map.our_v(state["tau"]), work, out), -1);
  const double error = relative(out, map.our_v(state["forward"]));
  worst.forward.see(error);
  worst.forward_by_condition.see(error / (eps * state["cond_M"].get<double>()));
}

void compare_frames(const Model& model, const nlohmann::json& golden, const nlohmann::json& state,
                    const CoordinateMap& map, const Kinematics<>& kin, WorstErrors& worst) {
  Eigen::Matrix<double, 6, Eigen::Dynamic> J(6, model.nv());
  for (const auto& expected : state["frames"]) {
    const Frame& frame = model.frame(expected["name"].get<std::string>());
    const Pose<> X = kin.pose(frame);
    worst.frames.see((X.R - to_rotation(expected["R"])).cwiseAbs().maxCoeff());
    worst.frames.see((X.p - to_vector(expected["p"])).cwiseAbs().maxCoeff() / std::max(1.0, X.p.norm()));
    if (!expected.contains("V") || frame.body == world) continue;
    worst.frames.see(relative(frame_velocity(kin, frame), to_vector(expected["V"])));
    worst.accelerations.see(relative(frame_bias_acceleration(kin, frame), to_vector(expected["abias"])));
    frame_jacobian<double>(model, kin, frame, J);
    for (std::size_t k = 0; k < golden["w"].size(); ++k)
      worst.frames.see(relative(J * map.our_v(golden["w"][k]), to_vector(expected["Jw"][k])));
  }
}

void compare(const Model& model, const nlohmann::json& golden) {
  const CoordinateMap map(golden, model);
  TreeWorkspace<> work(model);
  WorstErrors worst(golden["model"]["name"]);
  ASSERT_EQ(golden["states"].size(), 50u);
  for (const auto& state : golden["states"]) {
    compare_dynamics(model, golden, state, map, work, worst);
    compare_frames(model, golden, state, map, work.kin, worst);
  }
  EXPECT_LT(worst.matrix.value(), 1e-11);
  EXPECT_LT(worst.bias.value(), 1e-11);
  EXPECT_LT(worst.inverse.value(), 1e-11);
  EXPECT_LT(worst.frames.value(), 1e-11);
  EXPECT_LT(worst.accelerations.value(), 1e-11);
  // solving with M loses cond(M) of the digits whatever the algorithm: theirs has lost them too
  EXPECT_LT(worst.forward_by_condition.value(), 100);
}

class OthersRobots : public testing::TestWithParam<const char*> {};

TEST_P(OthersRobots, MoveAsInPinocchioAndMuJoCo) {
  const std::filesystem::path file = others_robot(GetParam());
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not here";
  const nlohmann::json golden = read_golden(robot_name(GetParam()));
  ASSERT_EQ(fnv1a(read_text(file)), golden["model"]["hash"]) << "the golden file was made from another robot";
  compare(without_passive_forces(read_urdf(file.string())), golden);
}

INSTANTIATE_TEST_SUITE_P(Robots, OthersRobots, testing::ValuesIn(others_robots),
                         [](const auto& test) { return robot_name(test.param); });

// Numbers that were computed twice differ by rounding; everything else must be the same.
void expect_same(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b, const std::string& where) {
  if (a.is_number() && b.is_number()) {
    EXPECT_NEAR(a.get<double>(), b.get<double>(), 1e-14) << where;
  } else if (a.is_structured() && b.is_structured()) {
    ASSERT_EQ(a.size(), b.size()) << where;
    const auto flat_a = a.flatten(), flat_b = b.flatten();
    ASSERT_EQ(flat_a.size(), flat_b.size()) << where;
    for (const auto& [key, value] : flat_a.items())
      if (!value.is_structured()) expect_same(value, flat_b.at(key), where + key);
  } else {
    EXPECT_EQ(a, b) << where;
  }
}

class Mechanisms : public testing::TestWithParam<RobotDescription> {};

TEST_P(Mechanisms, MoveAsInPinocchioAndMuJoCo) {
  const Model model = build_model(GetParam());
  const nlohmann::json golden = read_golden(GetParam().name);
  const auto description =
      std::filesystem::path(TRAMMEL_SOURCE_DIR) / "tests/golden/models" / (GetParam().name + ".json");
  const std::string text = read_text(description);
  ASSERT_EQ(fnv1a(text), golden["model"]["hash"]) << "the golden file was made from another description";
  expect_same(nlohmann::ordered_json::parse(text), describe(model), GetParam().name);
  compare(model, golden);
}

INSTANTIATE_TEST_SUITE_P(Golden, Mechanisms, testing::ValuesIn(golden_mechanisms()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace trammel
