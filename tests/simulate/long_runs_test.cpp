// Runs that must stay on their constraints for a long time. TRAMMEL_LONG_STEPS sets how many steps; make soak asks for a
// million.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/closed_mechanisms.h"
#include "support/worst.h"
#include "trammel/assembly/assemble.h"
#include "trammel/simulate/simulate.h"

namespace trammel {
namespace {

using namespace trammel::test;

long long_steps() {
  const char* asked = std::getenv("TRAMMEL_LONG_STEPS");
  return asked ? std::atol(asked) : 20000;
}

// Where a planar chain ends and how fast, from absolute angles and their rates: no code of the library's.
struct End {
  double x, y, vx, vy;
};
End chain_end(double x, double y, std::initializer_list<std::array<double, 3>> links) {
  End out{x, y, 0, 0};
  double angle = 0, rate = 0;
  for (const auto& [length, turn, turn_rate] : links) {
    angle += turn;
    rate += turn_rate;
    out.x += length * std::cos(angle);
    out.y += length * std::sin(angle);
    out.vx -= length * std::sin(angle) * rate;
    out.vy += length * std::cos(angle) * rate;
  }
  return out;
}

struct Gap {
  double place = 0, speed = 0;
  void see(const End& a, const End& b) {
    place = std::max(place, std::hypot(a.x - b.x, a.y - b.y));
    speed = std::max(speed, std::hypot(a.vx - b.vx, a.vy - b.vy));
  }
};

Gap four_bar_gap(const Recording& rec) {
  Gap out;
  for (int i = 0; i < rec.rows(); ++i)
    out.see(chain_end(0, 0,
                      {{0.3, rec(i, "angle.q0"), rec(i, "v.q0")},
                       {0.8, rec(i, "angle.q1"), rec(i, "v.q1")},
                       {0.7, rec(i, "angle.q2"), rec(i, "v.q2")}}),
            {1, 0, 0, 0});
  return out;
}

// The corners of the platform, as the first arm carries it and as the other arms reach for it.
Gap three_rrr_gap(const Recording& rec) {
  Gap out;
  for (int i = 0; i < rec.rows(); ++i)
    for (const int arm : {1, 2}) {
      const double at = pi / 2 + 2 * pi / 3 * arm;
      const std::string name(1, static_cast<char>('a' + arm));
      const Vec3<> corner(0.15 * std::cos(at), 0.15 * std::sin(at) - 0.15, 0);
      const double length = std::hypot(corner.x(), corner.y()), turn = std::atan2(corner.y(), corner.x());
      const End carried = chain_end(0, 0.5,
                                    {{0.3, rec(i, "angle.a1"), rec(i, "v.a1")},
                                     {0.35, rec(i, "angle.a2"), rec(i, "v.a2")},
                                     {length, rec(i, "angle.platform") + turn, rec(i, "v.platform")}});
      const End reached = chain_end(0.5 * std::cos(at), 0.5 * std::sin(at),
                                    {{0.3, rec(i, "angle." + name + "1"), rec(i, "v." + name + "1")},
                                     {0.35, rec(i, "angle." + name + "2"), rec(i, "v." + name + "2")}});
      out.see(carried, reached);
    }
  return out;
}

void stay_on(const char* name, const Looped& looped, const VecX<>& v, Gap (*gap)(const Recording&)) {
  const long steps = long_steps();
  const Assembly start = assemble(looped.system, looped.q, v);
  ASSERT_TRUE(start.closed()) << start.text();
  std::printf("%s, RK4, %ld steps of 1 ms\n  drift control      |phi|    |phidot|  energy drift\n", name, steps);
  for (const auto& [drift, word] :
       {std::pair{Drift::none, "none"}, std::pair{Drift::baumgarte, "Baumgarte"},
        std::pair{Drift::velocity, "velocity"}, std::pair{Drift::projection, "projection"}}) {
    SimulateOptions options;
    options.method = &rk4;
    options.step = 1e-3;
    options.duration = 1e-3 * static_cast<double>(steps);
    options.record_every = 0.1;
    options.drift = {drift, {20, 100}};
    options.angles = true;
    const Simulation run = simulate(looped.system, State(0, start.q, start.v), options);
    const Gap worst = gap(run.recording);
    const VecX<> energy = run.recording["energy"];
    std::printf("  %-14s  %9.1e  %9.1e  %9.1e     %.0f rad  %s\n", word, worst.place, worst.speed,
                (energy.array() - energy[0]).abs().maxCoeff(), run.end.q.cwiseAbs().maxCoeff(), run.what.c_str());
    if (drift != Drift::projection) continue;
    EXPECT_EQ(run.status, RunStatus::finished) << run.what;
    EXPECT_LE(worst.place, 1e-13);
    EXPECT_LE(worst.speed, 1e-12);
  }
}

TEST(LongRuns, ARedundantFourBarInSpaceStaysClosed) {
  stay_on("four-bar", hinged_four_bar(), Vec3<>(2, 0, 0), &four_bar_gap);
}

TEST(LongRuns, ARedundant3RrrStaysClosed) {
  const Looped looped = three_rrr();
  stay_on("3-RRR", looped, VecX<>::Constant(7, 0.5), &three_rrr_gap);
}

// The energy that RK4 itself loses on the same motion in its one freedom, the angle of the crank: two rods of 1 kg and 1 m
// turn with it and a third is carried along, so that E = ½·5/3·θ̇² + 2g sin θ and θ̈ = −1.2 g cos θ. No constraint, no
// projection, no code of the library's.
double energy_drift_in_one_freedom(double step, double duration) {
  constexpr double g = 9.81;
  const auto rate = [](const Eigen::Vector2d& z) { return Eigen::Vector2d(z[1], -1.2 * g * std::cos(z[0])); };
  const auto energy = [](const Eigen::Vector2d& z) { return 5.0 / 6 * z[1] * z[1] + 2 * g * std::sin(z[0]); };
  Eigen::Vector2d z(pi / 2, 1);
  const double start = energy(z);
  double worst = 0;
  for (int i = 0; i * step < duration * (1 - 1e-12); ++i) {
    const double h = std::min(step, duration - i * step);
    const Eigen::Vector2d k1 = rate(z), k2 = rate(z + h / 2 * k1), k3 = rate(z + h / 2 * k2), k4 = rate(z + h * k3);
    z += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    worst = std::max(worst, std::abs(energy(z) - start) / start);
  }
  return worst;
}

TEST(LongRuns, AFoldingFourBarStaysAParallelogramAtEveryStepLength) {
  const Looped looped = folding_four_bar();
  const VecX<> v = Vec3<>(1, -1, 1);  // the tip moves at 1 m/s
  std::printf("folding four-bar, 10 s, RK4\n     step      coupler turned   energy drift   in one freedom\n");
  for (int k = 0; k < 20; ++k) {
    SimulateOptions options;
    options.method = &rk4;
    options.step = 1e-3 * std::pow(2, k / 4.0);
    options.duration = 10;
    options.record_every = 0;
    const Simulation run = simulate(looped.system, State(0, looped.q, v), options);
    ASSERT_EQ(run.status, RunStatus::finished) << options.step << ": " << run.what;
    const VecX<> energy = run.recording["energy"], coupler = run.recording["q.q1"] + run.recording["q.q2"];
    double turned = 0;
    for (const double angle : coupler) turned = std::max(turned, std::abs(std::remainder(angle, 2 * pi)));
    const double drift = (energy.array() - energy[0]).abs().maxCoeff() / std::abs(energy[0]);
    const double own = energy_drift_in_one_freedom(options.step, options.duration);
    std::printf("  %.3e s   %.1e rad       %.2e         %.2e\n", options.step, turned, drift, own);
    EXPECT_LT(turned, 1e-6) << options.step;
    // constraints and projection add nothing to what the method itself loses: that and rounding, which passing a fold
    // enlarges, are all. Beyond steps of 7 ms it is above 1e-8 without any constraint, too.
    EXPECT_NEAR(drift, own, 0.02 * own + 1e-10) << options.step;
    EXPECT_TRUE(drift < 1e-8 || own > 1e-8) << options.step;
  }
}

}  // namespace
}  // namespace trammel
