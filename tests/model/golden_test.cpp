#include <gtest/gtest.h>

#include "support/golden.h"
#include "support/worst.h"
#include "trammel/model/positions.h"

namespace trammel {
namespace {

using namespace trammel::test;

// Other people's robots, as Pinocchio's and MuJoCo's own URDF readers see them.
class OthersRobots : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(others_robot(GetParam()))) GTEST_SKIP() << others_robot(GetParam()) << " is not here";
  }
};

TEST_P(OthersRobots, HaveTheMassesInertiasAndFramesThatAnotherReaderSees) {
  const std::string name = robot_name(GetParam());
  const nlohmann::json golden = read_golden(name);
  const std::filesystem::path file = others_robot(GetParam());
  ASSERT_EQ(fnv1a(read_text(file)), golden["model"]["hash"]) << "the golden file was made from another robot";
  const Model model = build_model(read_urdf(file.string()));
  ASSERT_EQ(model.nv(), to_vector(golden["states"][0]["v"]).size());

  Worst masses(name + " masses and inertias, relative");
  masses.see(std::abs(model.moving_mass() / golden["moving_mass"].get<double>() - 1));
  masses.see(std::abs((model.moving_mass() + model.fixed_mass()) / golden["total_mass"].get<double>() - 1));
  for (const auto& expected : golden["bodies"]) {
    const int i = model.joint(expected["joint"].get<std::string>());
    const Inertia<> ours = model.bodies()[i].inertia.transformed(model.frame(model.link_name(i)).X_BF.inverse());
    const VecX<> I = to_vector(expected["inertia"]);
    const Inertia<> theirs =
        Inertia<>::from_com(expected["mass"], to_vector(expected["com"]), {{I[0], I[1], I[2]}, {I[3], I[4], I[5]}});
    masses.see((ours.matrix() - theirs.matrix()).norm() / std::max(theirs.matrix().norm(), 1e-300));
  }
  EXPECT_LT(masses.value(), 1e-12);

  Worst poses(name + " frame poses (m, and entries of R)");
  const CoordinateMap map(golden, model);
  Positions<> where(model);
  const std::size_t named_by_us = std::ranges::count(model.frames(), "world", &Frame::name);
  const std::size_t links = model.frames().size() - named_by_us;
  const std::size_t posed = links > 50 ? 5 : 20;  // the states in which the golden file has every link
  std::size_t compared = 0;
  for (std::size_t s = 0; s < 20; ++s) {
    positions<double>(model, map.our_q(golden["states"][s]["q"]), where);
    for (const auto& expected : golden["states"][s]["frames"]) {
      const Pose<> X = where.pose(model.frame(expected["name"].get<std::string>()));
      poses.see((X.R - to_rotation(expected["R"])).cwiseAbs().maxCoeff());
      poses.see((X.p - to_vector(expected["p"])).cwiseAbs().maxCoeff());
      if (s < posed) ++compared;
    }
  }
  EXPECT_LT(poses.value(), 1e-12);
  EXPECT_GE(compared, posed * links);  // every link of the file was looked at
}

INSTANTIATE_TEST_SUITE_P(Robots, OthersRobots, testing::ValuesIn(others_robots),
                         [](const auto& test) { return robot_name(test.param); });

}  // namespace
}  // namespace trammel
