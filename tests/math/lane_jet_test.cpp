#include "trammel/math/lane_jet.h"

#include <functional>

#include <gtest/gtest.h>

#include "support/random.h"
#include "support/seeds.h"
#include "support/worst.h"

namespace trammel {
namespace {

using namespace trammel::test;

struct Function {
  const char* name;
  std::function<LaneJet(const LaneJet&, const LaneJet&)> in_lanes;
  std::function<Jet(const Jet&, const Jet&)> alone;
};

const Function functions[] = {
    {"sum", [](auto& u, auto& v) { return u + v; }, [](auto& u, auto& v) { return u + v; }},
    {"difference", [](auto& u, auto& v) { return u - v; }, [](auto& u, auto& v) { return u - v; }},
    {"product", [](auto& u, auto& v) { return u * v; }, [](auto& u, auto& v) { return u * v; }},
    {"quotient", [](auto& u, auto& v) { return u / v; }, [](auto& u, auto& v) { return u / v; }},
    {"sin", [](auto& u, auto&) { return sin(u); }, [](auto& u, auto&) { return sin(u); }},
    {"cos", [](auto& u, auto&) { return cos(u); }, [](auto& u, auto&) { return cos(u); }},
    {"sqrt", [](auto& u, auto&) { return sqrt(u); }, [](auto& u, auto&) { return sqrt(u); }},
    {"hypot", [](auto& u, auto& v) { return hypot(u, v); }, [](auto& u, auto& v) { return hypot(u, v); }},
};

// Values, and now and then an edge.
double any_number(Random& random) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double edges[] = {0, -0.0, 1, -1, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
  return random.integer(0, 4) == 0 ? edges[random.integer(0, 6)] : random.uniform(-3, 3);
}
Jet any_jet(Random& random) { return {any_number(random), any_number(random), any_number(random)}; }

// Lanes may lose a number that a jet keeps at an edge, but they never give another finite one.
TEST(LaneJet, IsTheJetInEachLaneOrNotFinite) {
  for (const Function& function : functions) {
    Random random(3);
    Worst worst(std::string(function.name) + " in lanes");
    int finite = 0;
    for (int i = 0, all = cases(20000); i < all; ++i) {
      Jet u[lane_count], v[lane_count];
      for (int lane = 0; lane < lane_count; ++lane) u[lane] = any_jet(random), v[lane] = any_jet(random);
      const LaneJet got = function.in_lanes(LaneJet::each([&](int lane) { return u[lane]; }),
                                            LaneJet::each([&](int lane) { return v[lane]; }));
      for (int lane = 0; lane < lane_count; ++lane) {
        const Jet expected = function.alone(u[lane], v[lane]);
        if (!isfinite(got[lane])) continue;
        ++finite;
        // hypot by squares: a point near the origin loses digits in its second rate
        const double size = 1 + std::abs(expected.x) + std::abs(expected.dx) + std::abs(expected.ddx);
        for (const double error : {got[lane].x - expected.x, got[lane].dx - expected.dx, got[lane].ddx - expected.ddx})
          worst.see(std::abs(error) / size);
      }
    }
    EXPECT_LT(worst.value(), 1e-12) << function.name;
    EXPECT_GT(finite, cases(20000) * lane_count / 10) << function.name;
  }
}

}  // namespace
}  // namespace trammel
