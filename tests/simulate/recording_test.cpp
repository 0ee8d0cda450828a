#include "trammel/simulate/recording.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "trammel/base/error.h"
#include "trammel/constraints/point_on_path.h"
#include "trammel/model/build_model.h"
#include "trammel/motion/diagnosis.h"
#include "trammel/simulate/simulate.h"

namespace trammel {
namespace {

TEST(Recording, KeepsWhatItHasWhereItsRoomGrows) {
  Recording out({Column::of(ColumnKind::time), Column::of(ColumnKind::coordinate, "a")}, 2);
  for (int i = 0; i < 37; ++i) {
    Eigen::Ref<VecX<>> row = out.add_row();
    row << i, 100 - i;
  }
  ASSERT_EQ(out.rows(), 37);
  for (int i = 0; i < 37; ++i) {
    EXPECT_EQ(out(i, "t"), i);
    EXPECT_EQ(out(i, 1), 100 - i);
  }
}

TEST(Recording, NamesTheNearestColumnWhereOneIsNotThere) {
  const Recording out({Column::of(ColumnKind::time), Column::of(ColumnKind::coordinate, "shoulder")}, 1);
  try {
    (void)out.column("q.sholder");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("q.shoulder"), std::string::npos) << error.what();
  }
}

TEST(Recording, HasTheRankAndTheNearnessToSingularThatADiagnosisFinds) {
  System system(build_model(test::arm7()));
  const VectorPath path = [](const Jet& t) { return Vec3<Jet>(Jet(0.3) + 0.1 * t, Jet(0.2), Jet(0.4)); };
  const BodyPoint tool(system.model.frames().back());
  system.constrain("path", std::make_shared<PointOnPath>(tool, path), Layer::control);
  system.constrain("again", std::make_shared<PointOnPath>(tool, path), Layer::control);  // redundant
  SimulateOptions options;
  options.duration = 0.05;
  options.drift.kind = Drift::none;
  for (const bool driven : {false, true}) {
    for (int i = 0; driven && i < 7; ++i) system.drive({.name = fmt::format("motor {}", i), .velocity = i});
    const Simulation run = simulate(system, State(0, VecX<>::Constant(7, 0.3), VecX<>::Constant(7, 0.1)), options);
    ASSERT_EQ(run.status, RunStatus::finished) << run.what;
    for (int row = 0; row < run.recording.rows(); ++row) {
      VecX<> q(7), v(7);
      for (int i = 0; i < 7; ++i) {
        q[i] = run.recording(row, 1 + i);
        v[i] = run.recording(row, 8 + i);
      }
      const Diagnosis found = diagnose(system, q, v, run.recording(row, 0));
      EXPECT_EQ(run.recording(row, "rank"), found.rank);
      EXPECT_EQ(found.rank, 3);
      EXPECT_NEAR(run.recording(row, "pivot"), found.weakest_pivot, 1e-9);
    }
  }
}

TEST(Recording, AStateIsItsTimeCoordinatesAndVelocities) {
  Recording recording(
      {Column::of(ColumnKind::time), Column::of(ColumnKind::coordinate, "a"), Column::of(ColumnKind::coordinate, "b"),
       Column::of(ColumnKind::velocity, "a"), Column::of(ColumnKind::energy)},
      2);
  recording.add_row() << 0.5, 1, 2, 3, 9;
  recording.add_row() << 0.6, 4, 5, 6, 9;
  const State at = recording.state(1);
  EXPECT_EQ(at.t, 0.6);
  EXPECT_EQ(at.q, VecX<>(Eigen::Vector2d(4, 5)));
  EXPECT_EQ(at.v, VecX<>(VecX<>::Constant(1, 6)));
}

}  // namespace
}  // namespace trammel
