// The start of the SCARA paper, and the errors that its runs end with; the two-link arm's run.
#include <gtest/gtest.h>

#include "errata/residuals.h"
#include "trammel/simulate/simulate.h"

namespace trammel::test {
namespace {

SimulateOptions unstabilised(double duration) {
  SimulateOptions out;
  out.method = &dop8;
  out.step = 0;
  out.duration = duration;
  out.tolerance = {1e-12, 1e-12};
  out.record_every = 0.1;
  out.drift.kind = Drift::none;
  return out;
}

double distance_from_helix(const System& system, const VecX<>& q) {
  Positions<> where(system.model);
  positions<double>(system.model, q, where);
  return (where.pose(system.model.frame("tool")).p - Vec3<>(0, 0.4, 0)).norm();  // (47) at t = 0
}

}  // namespace

std::vector<Residual> scara_runs(const States& states) {
  const System system = scara_on_helix();
  const double degree = std::numbers::pi / 180;
  const VecX<> printed = vector({30 * degree, 55 * degree, 24 * degree, 0}),
               corrected = vector({30 * degree, -55 * degree, 24 * degree, 0});
  const VecX<>& v = states.at("start.v");
  std::vector<Residual> out = {{"1a", distance_from_helix(system, printed), distance_from_helix(system, corrected)}};

  const Simulation short_run = simulate(system, State(0, printed, v), unstabilised(20));
  const Simulation run = simulate(system, State(0, corrected, v), unstabilised(20));
  EXPECT_EQ(short_run.status, RunStatus::step_collapsed);
  EXPECT_NEAR(short_run.end.q[1], 0, 1e-3);  // stretched out
  EXPECT_EQ(run.status, RunStatus::finished);
  out.push_back({"1b", short_run.end.t, run.end.t});

  // un-stabilised, φ(t) = φ(0) + t φ̇(0), (48) and its rate: the largest of 20 s stands at one of the ends
  const double l1 = 0.2, l2 = 0.25, s1 = std::sin(30 * degree), c1 = std::cos(30 * degree),
               s12 = std::sin(-25 * degree), c12 = std::cos(-25 * degree), turn = 0.4 * std::numbers::pi;
  const double phi[] = {-l1 * s1 - l2 * s12, l1 * c1 + l2 * c12 - 0.4, 0};
  const double rate[] = {-l1 * c1 * v[0] - l2 * c12 * (v[0] + v[1]) - 0.05 * turn,
                         -l1 * s1 * v[0] - l2 * s12 * (v[0] + v[1]), v[3] - 0.02};
  const double paper[] = {8e-4, 7e-3, 0.01};
  const char* columns[] = {"phi.circle[0]", "phi.circle[1]", "phi.height"};
  const char* rows[] = {"11a", "11b", "11c"};
  for (int k = 0; k < 3; ++k) {
    const double law = std::max(std::abs(phi[k]), std::abs(phi[k] + 20 * rate[k]));
    out.push_back({rows[k], std::abs(paper[k] - law), std::abs(largest(run.recording[columns[k]]) - law)});
  }
  return out;
}

// (34): nothing is printed; the reconstruction does what the text says: link 1 comes to 90° as link 2 comes to lie level, and
// both return.
std::vector<Residual> two_link(const States&) {
  const System system = two_link_on_line();
  const double third = std::numbers::pi / 3;
  const Simulation run = simulate(system, State(0, vector({third, -2 * third}), VecX<>::Zero(2)), unstabilised(2));
  EXPECT_EQ(run.status, RunStatus::finished);
  const auto at = [&](int row, const char* joint) { return run.recording(row, joint); };
  return {{"34a", no_number,
           std::max(std::abs(at(10, "q.q1") - std::numbers::pi / 2), std::abs(at(10, "q.q1") + at(10, "q.q2")))},
          {"34b", no_number, std::max(std::abs(at(20, "q.q1") - third), std::abs(at(20, "q.q2") + 2 * third))}};
}

}  // namespace trammel::test
