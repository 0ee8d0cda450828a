// Runs of systems that are given by M, Q and rows on jets.
#include <gtest/gtest.h>

#include "support/worst.h"
#include "trammel/simulate/simulate.h"
#include "trammel/system/matrix_system.h"

namespace trammel {
namespace skating {
namespace {

// A skate on an incline that falls along x, as two particles m at the ends of a light rod of length L with an edge at its
// middle, along the rod. Turned at the rate ω from rest, with g the gravity along the incline,
//
//   θ = ωt,   x = g/(2ω²) sin²ωt,   y = g/(2ω²)(ωt − sin ωt cos ωt)         the middle does not even go down for good
//
// and the edge pushes across itself with 2m(ωẋ_along + g sin θ) = 4 m g sin ωt.
constexpr double m = 0.7, L = 0.6, g = 3, w = 1.3;

MatrixSystem skate() {
  MatrixSystem out;
  out.coordinates = {"x1", "y1", "x2", "y2"};
  out.mass = [](const VecX<>&, double, MatX<>& M) { M = m * MatX<>::Identity(4, 4); };
  out.forces = [](const VecX<>&, const VecX<>&, double, VecX<>& Q) { Q << m * g, 0, m * g, 0; };
  out.constraints.push_back(
      {.name = "edge",
       .level = Level::velocity,
       .law = [](const VecX<Jet>& q, const VecX<Jet>& v, const Jet&, Eigen::Ref<VecX<Jet>> errors) {
         const Jet dx = q[2] - q[0], dy = q[3] - q[1];
         errors[0] = dx * (v[1] + v[3]) - dy * (v[0] + v[2]);
       }});
  out.constraints.push_back(
      {.name = "rod", .law = [](const VecX<Jet>& q, const VecX<Jet>&, const Jet&, Eigen::Ref<VecX<Jet>> errors) {
         const Jet dx = q[2] - q[0], dy = q[3] - q[1];
         errors[0] = (dx * dx + dy * dy - L * L) / (2 * L);
       }});
  return out;
}

struct Skate {
  VecX<> q{4}, v{4}, edge{4};
};
Skate skate_at(double t) {
  const double s = std::sin(w * t), c = std::cos(w * t), x = g / (2 * w * w) * s * s,
               y = g / (2 * w * w) * (w * t - s * c), along = g / w * s;
  Skate out;
  out.q << x - L / 2 * c, y - L / 2 * s, x + L / 2 * c, y + L / 2 * s;
  out.v << along * c + L / 2 * w * s, along * s - L / 2 * w * c, along * c - L / 2 * w * s, along * s + L / 2 * w * c;
  const double push = 2 * m * g * s;  // of either particle's half
  const double pull = m * L / 2 * w * w;
  out.edge << -push * s + pull * c, push * c + pull * s, -push * s - pull * c, push * c - pull * s;
  return out;
}

TEST(MatrixRuns, ASkateOnAnInclineDrawsItsCycloidWithARodBesideTheEdge) {
  const Skate start = skate_at(0);
  for (const double h : {0.02, 0.01}) {
    SimulateOptions options;
    options.method = &rk4;
    options.step = h;
    options.duration = 5;
    options.record_every = 0.1;
    const Simulation run = simulate(skate(), State(0, start.q, start.v), options);
    ASSERT_EQ(run.status, RunStatus::finished) << run.what;
    test::Worst places("skate, places"), forces("skate, forces of edge and rod");
    for (int i = 0; i < run.recording.rows(); ++i) {
      const Skate exact = skate_at(run.recording(i, 0));
      for (int k = 0; k < 4; ++k) {
        places.see(std::abs(run.recording(i, 1 + k) - exact.q[k]));
        forces.see(std::abs(run.recording(i, 1 + 12 + k) - exact.edge[k]));
      }
    }
    // RK4 over 5 s on terms of frequencies up to 2ω: T (2ωh)⁴ ω y / 120, twice that for the forces
    const double bound = 5 * std::pow(2 * w * h, 4) * w * 6 / 120;
    EXPECT_LT(places.value(), bound);
    EXPECT_LT(forces.value(), 10 * bound);
    EXPECT_LT(run.worst_phi, 1e-14);
    EXPECT_LT(run.worst_rate, 1e-13);
  }
}

}  // namespace
}  // namespace skating
}  // namespace trammel
