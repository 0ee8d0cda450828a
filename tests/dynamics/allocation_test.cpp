#include <gtest/gtest.h>

#include "support/count_allocations.h"
#include "support/describe.h"
#include "trammel/dynamics/branch.h"
#include "trammel/dynamics/energy.h"
#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/dynamics/frame_motion.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/dynamics/passive_forces.h"

namespace trammel {
namespace {

using namespace trammel::test;

class Allocations : public testing::TestWithParam<RobotDescription> {};

TEST_P(Allocations, NoneOnceTheRoomIsThere) {
  const Model model = build_model(GetParam());
  Random random(1);
  const VecX<> q = random_configuration(random, model), v = random.vector(model.nv(), 3),
               u = random.vector(model.nv(), 3);
  TreeWorkspace<> work(model);
  WorldInertias<> carried(model);
  BodyVectors<> accelerations(model.body_count());
  VecX<> out(model.nv());
  MatX<> M(model.nv(), model.nv());
  RowMatX Y(model.nv(), 3);
  Eigen::Matrix<double, 6, Eigen::Dynamic> J(6, model.nv());
  const int touched[] = {0, model.body_count() - 1};
  const Branch branch(model, touched);
  const RowMatX W = RowMatX::Ones(6 * std::size(touched), padded_to_packs(3));
  const double weight[] = {1, 1, 1};
  PassedWrenches<> passed(6 * branch.runs.size(), 8);
  const Frame& frame = model.frames().back();

  const std::size_t before = allocation_count();
  const int singular = forward_dynamics<double>(model, q, v, u, work, out);
  newton_euler<double>(model, work.kin, work.inertias, u, accelerations, work.vectors, out);
  bias_forces<double>(model, work.kin, work.inertias, work.vectors, out);
  gravity_forces<double>(model, work.kin, work.vectors, out);
  passive_forces<double>(model, q, v, out);
  mass_matrix<double>(model, work.kin, work.inertias, carried, M);
  frame_jacobian<double>(model, work.kin, frame, J);
  apply_L<double>(model, work.kin, work.factor, u, work.vectors, out);
  apply_L_inverse_to_wrenches<double>(work.kin, work.factor, branch, W, weight, passed, Y);
  const double energy = kinetic_energy<double>(model, v, work.kin) + potential_energy<double>(model, q, work.kin) +
                        momentum<double>(model, work.kin).sum() + mass_centre<double>(model, work.kin).sum() +
                        frame_velocity<double>(work.kin, frame).sum() +
                        frame_bias_acceleration<double>(work.kin, frame).sum();
  EXPECT_EQ(allocation_count() - before, 0u);
  EXPECT_EQ(singular, -1);
  EXPECT_TRUE(std::isfinite(energy));
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, Allocations, testing::ValuesIn(golden_mechanisms()),
                         [](const auto& test) { return test.param.name; });

TEST(AllocationCount, SeesWhatACallThatMakesItsOwnRoomAllocates) {
  const Model model = build_model(arm7());
  const VecX<> q = neutral_configuration(model);
  const std::size_t before = allocation_count();
  const MatX<> M = mass_matrix(model, q);
  EXPECT_EQ(allocation_count() - before, 7u);  // two vectors of positions, sines, cosines, two of inertias, and M
  EXPECT_EQ(M.rows(), 7);
}

}  // namespace
}  // namespace trammel
