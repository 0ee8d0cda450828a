#include <algorithm>

#include <gtest/gtest.h>

#include "support/golden.h"
#include "support/linear_algebra.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/dynamics/passive_forces.h"
#include "trammel/mjcf/mjcf.h"
#include "trammel/model/positions.h"
#include "trammel/motion/dense_equation.h"
#include "trammel/scenario/scenario.h"

// Models in MJCF against what MuJoCo makes of them (tools/golden/mjcf.py).

namespace trammel::test {
namespace {

namespace fs = std::filesystem;
const fs::path own_models = TRAMMEL_SOURCE_DIR "/tests/mjcf/models";
const fs::path others_models = TRAMMEL_SOURCE_DIR "/../shared/models/mjcf";
constexpr double tolerance =
    1e-10;  // of the largest entry: rounding of two engines, and of poses written with 17 digits

double difference(const MatX<>& ours, const MatX<>& theirs) {
  EXPECT_EQ(ours.rows(), theirs.rows());
  EXPECT_EQ(ours.cols(), theirs.cols());
  if (ours.rows() != theirs.rows() || ours.cols() != theirs.cols()) return INFINITY;
  if (theirs.size() == 0) return 0;
  return (ours - theirs).cwiseAbs().maxCoeff() / std::max(1.0, theirs.cwiseAbs().maxCoeff());
}

MatX<> to_matrix(const nlohmann::json& rows, int columns) {
  MatX<> out(rows.size(), columns);
  for (std::size_t i = 0; i < rows.size(); ++i) out.row(static_cast<int>(i)) = to_vector(rows[i]);
  return out;
}

// MuJoCo's order of coordinates and velocities, in ours.
struct Order {
  std::vector<int> q, v;

  Order(const nlohmann::json& golden, const Model& model) {
    for (const auto& joint : golden["joints"]) {
      const Body& body = model.bodies()[model.joint(joint["name"].get<std::string>())];
      EXPECT_EQ(joint["q"].get<std::size_t>(), q.size());
      EXPECT_EQ(joint["v"].get<std::size_t>(), v.size());
      for (int k = 0; k < size_of(body.type).q; ++k) q.push_back(body.q + k);
      for (int k = 0; k < body.nv; ++k) v.push_back(body.v + k);
    }
  }
  static VecX<> ours(const std::vector<int>& order, const VecX<>& theirs) {
    VecX<> out(theirs.size());
    for (int i = 0; i < theirs.size(); ++i) out[order[i]] = theirs[i];
    return out;
  }
  MatX<> columns(const MatX<>& ours) const {
    MatX<> out(ours.rows(), ours.cols());
    for (int i = 0; i < ours.cols(); ++i) out.col(i) = ours.col(v[i]);
    return out;
  }
};

// The projector on the space of the rows.
MatX<> onto_rows(const MatX<>& A, int& rank) {
  if (A.rows() == 0) return MatX<>::Zero(A.cols(), A.cols());
  const RightSingular svd = right_singular(A);
  while (rank < svd.values.size() && svd.values[rank] > 1e-9 * svd.values[0]) ++rank;
  const MatX<> basis = svd.vectors.leftCols(rank);
  return basis * basis.transpose();
}

MatX<> moments_of(const RobotDescription& robot, const nlohmann::json& names, const Model& model) {
  MatX<> out = MatX<>::Zero(names.size(), model.nv());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto motor = std::ranges::find(robot.motors, names[i].get<std::string>(), &DescribedMotor::name);
    EXPECT_NE(motor, robot.motors.end()) << names[i];
    if (motor == robot.motors.end()) continue;
    for (const JointSum::Term& term : motor->along.terms)
      out(static_cast<int>(i), model.bodies()[model.joint(term.joint)].v) += term.factor;
  }
  return out;
}

// MuJoCo's bias has no forces of joints in it, and its passive forces have no friction.
struct Frictionless {
  Model with_springs, bare;

  explicit Frictionless(RobotDescription robot) : with_springs(build(robot, false)), bare(build(robot, true)) {}
  static Model build(RobotDescription robot, bool bare) {
    for (Joint& joint : robot.joints)
      for (Coordinate& c : joint.coordinates) {
        c.friction = 0;
        if (bare) c.stiffness = c.damping = 0;
      }
    return build_model(robot, *robot.gravity);
  }
};

void compare(const fs::path& file) {
  const nlohmann::json golden = read_golden("mjcf/" + file.stem().string());
  ASSERT_EQ(golden["model"]["hash"], fnv1a(read_text(file))) << "another file than the golden one was made from";
  const RobotDescription robot = read_mjcf(file.string());
  const Scenario scenario = read_scenario_text("{robot: " + file.string() + "}", "s.yaml");
  const Model& model = scenario.system.model;
  const Frictionless frictionless(robot);
  const Order order(golden, model);
  ASSERT_EQ(static_cast<int>(order.v.size()), model.nv());
  double worst = 0;
  for (const auto& at : golden["configurations"]) {
    const VecX<> q = Order::ours(order.q, to_vector(at["qpos"])), v = Order::ours(order.v, to_vector(at["qvel"]));
    const int nv = model.nv();
    MatX<> M(nv, nv);
    for (int i = 0; i < nv; ++i)
      for (int j = 0; j <= i; ++j) M(i, j) = M(j, i) = at["M"][i][j].get<double>();
    const auto note = [&](const char* what, double off) {
      EXPECT_LT(off, tolerance) << what;
      worst = std::max(worst, off);
    };
    note("M", difference(order.columns(order.columns(mass_matrix(model, q)).transpose()), M));
    note("bias", difference(order.columns(inverse_dynamics(frictionless.bare, q, v, VecX<>::Zero(nv)).transpose()),
                            to_vector(at["bias"]).transpose()));
    VecX<> passive = VecX<>::Zero(nv);
    passive_forces<double>(frictionless.with_springs, q, v, passive);
    note("passive forces", difference(order.columns(passive.transpose()), to_vector(at["passive"]).transpose()));

    Positions<> where(model);
    positions<double>(model, q, where);
    for (const auto& [name, pose] : at["sites"].items()) {
      const Pose<> ours = where.pose(model.frame(name));
      note("site", difference(ours.p, to_vector(pose["p"])));
      note("site", difference(ours.R, to_rotation(pose["R"])));
    }
    int rank = 0, their_rank = 0;
    const MatX<> ours = onto_rows(order.columns(dense_equation(scenario.system, q, v).A), rank);
    const MatX<> theirs = onto_rows(to_matrix(at["equalities"], nv), their_rank);
    EXPECT_EQ(rank, their_rank);
    note("row space", difference(ours, theirs));
    note("moments",
         difference(order.columns(moments_of(robot, golden["actuators"], model)), to_matrix(at["moments"], nv)));
  }
  std::printf("%-20s worst difference %.1e\n", file.stem().c_str(), worst);
}

TEST(Mjcf, ModelsOfOneFeatureEachAreMuJoCos) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(own_models)) {
    if (entry.path().stem().string().starts_with("include_")) continue;  // parts of another
    SCOPED_TRACE(entry.path().stem());
    compare(entry.path());
    ++count;
  }
  EXPECT_GE(count, 25);
}

TEST(Mjcf, PublishedModelsAreMuJoCos) {
  if (!fs::exists(others_models)) GTEST_SKIP() << "no folder shared/models beside this clone";
  for (const char* file :
       {"robotiq_2f85/2f85.xml", "ufactory_xarm7/hand.xml", "ufactory_xarm7/xarm7.xml", "pal_talos/talos.xml"}) {
    SCOPED_TRACE(file);
    compare(others_models / file);
  }
}

// Of every start in the file, by name.
void run_from_every_start(const fs::path& file, double duration) {
  const RobotDescription robot = read_mjcf(file.string());
  std::vector<std::string> starts{""};
  for (const DescribedStart& start : robot.starts)
    if (!start.usual) starts.push_back(start.name);
  for (const std::string& start : starts) {
    SCOPED_TRACE(file.stem().string() + " from '" + start + "'");
    const Scenario scenario = read_scenario_text(
        // little gravity: the coordinates of what falls freely for 5 s under 9.81 m/s² round to 1e-14 m
        fmt::format("{{robot: {}, gravity: [0.1, 0, -0.1], initial: {{{}}}, simulate: {{duration: {}, limits: ignore, "
                    "tolerance: 1e-7}}}}",
                    file.string(), start.empty() ? "" : fmt::format("from: \"{}\"", start), duration),
        "s.yaml");
    ASSERT_TRUE(!scenario.assembly || scenario.assembly->closed()) << scenario.assembly->text();
    const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
    EXPECT_EQ(run.status, RunStatus::finished) << run.what;
    EXPECT_LT(run.worst_phi, 1e-13);
  }
}

TEST(Mjcf, StartsAssembleAndStayClosed) {
  for (const char* name : {"connect_bodies", "connect_sites", "weld_bodies", "weld_sites", "joint_polynomial",
                           "tendon_equality", "inactive_equality", "servos"})
    run_from_every_start(own_models / (std::string(name) + ".xml"), 5);
}

TEST(Mjcf, StartsOfPublishedModelsAssembleAndStayClosed) {
  if (!fs::exists(others_models)) GTEST_SKIP() << "no folder shared/models beside this clone";
  for (const char* file : {"robotiq_2f85/2f85.xml", "ufactory_xarm7/hand.xml"})
    run_from_every_start(others_models / file, 5);
}

}  // namespace
}  // namespace trammel::test
