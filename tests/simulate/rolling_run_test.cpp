// A disc that rolls: one row at position level and two at velocity level, on a body that turns by a quaternion.
#include <gtest/gtest.h>

#include "constraints/free_body.h"
#include "support/random.h"
#include "trammel/constraints/rolling.h"
#include "trammel/simulate/simulate.h"

namespace trammel {
namespace {

using namespace trammel::test;

TEST(RollingRun, ADiscThatLeansInwardRollsRoundAndRoundAndItsRowsHold) {
  // leaning inward by α, centre on a circle of radius b: Ω² = m g r sin α / (cos α (m r b + J b/r + I sin α))
  const Vec3<> up = Vec3<>::UnitZ();
  const double m = 1.3, r = 0.5, b = 2, alpha = 0.2, J = m * r * r / 2, I = J / 2, Omega = 0.81081426256993249;
  System system(build_model(free_body(m, {I, I, J})));
  system.constrain("roll", std::make_shared<RollingDisc>(BodyPoint(0, Vec3<>::Zero()), up, r, BodyPoint(), up));
  const Vec3<> axis(std::cos(alpha), 0, std::sin(alpha));
  const Mat3<> R = frame_with_z(axis);
  const Vec3<> w = Omega * up - (Omega * b / r + Omega * std::sin(alpha)) * axis;
  const State start(0, free_coordinates({b, 0, r * std::cos(alpha)}, R),
                    free_velocities(R, Vec3<>(0, Omega * b, 0), w));
  SimulateOptions options;
  options.method = &dop8;
  options.step = 0;
  options.tolerance = {1e-12, 1e-12};
  options.duration = 2 * pi / Omega;
  options.record_every = options.duration / 8;
  const Simulation run = simulate(system, start, options);
  ASSERT_EQ(run.status, RunStatus::finished) << run.what;
  // after a turn the centre is back, and at every eighth it stands on the circle
  EXPECT_LT((run.end.q.head(3) - start.q.head(3)).norm(), 1e-9);
  for (int row = 0; row < 9; ++row) {
    const double angle = 2 * pi * row / 8;
    EXPECT_NEAR(run.recording(row, "q.free[0]"), b * std::cos(angle), 1e-9);
    EXPECT_NEAR(run.recording(row, "q.free[1]"), b * std::sin(angle), 1e-9);
    EXPECT_NEAR(run.recording(row, "lambda.roll[0]"), m * 9.81, 1e-7);
  }
  EXPECT_LT(run.worst_phi, 1e-14);
  EXPECT_LT(run.worst_rate, 1e-13);
  const VecX<> energy = run.recording["energy"];
  EXPECT_LT((energy.array() - energy[0]).abs().maxCoeff(), 1e-10);
}

}  // namespace
}  // namespace trammel
