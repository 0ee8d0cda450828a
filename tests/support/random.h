#pragma once

#include <numbers>
#include <random>

#include <rapidcheck.h>

#include "trammel/math/eps.h"
#include "trammel/math/inertia.h"

namespace trammel::test {

/// Seeded randomness for cases that come by the hundred. With rapidcheck, draw the seed: *any_seed().
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }

  /// Between low and high with every power of ten equally likely; both positive.
  double log_uniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }

  Vec3<> vector(double size = 1) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Vec6<> vector6(double size = 1) { return spatial<double>(vector(size), vector(size)); }
  VecX<> vector(int n, double size) {
    return VecX<>::NullaryExpr(n, [&] { return uniform(-size, size); });
  }

  Vec3<> direction() {
    while (true) {
      const Vec3<> v = vector();
      if (v.norm() > 0.1 && v.norm() <= 1) return v.normalized();
    }
  }

  Quaternion<> quaternion() {
    std::normal_distribution<double> normal;
    Quaternion<> k;
    for (double& x : k) x = normal(engine_);
    return k.normalized();
  }

  Mat3<> rotation() { return rotation_from_quaternion<double>(quaternion()); }
  Pose<> pose(double size = 1) { return {rotation(), vector(size)}; }

  /// The inertia of three random pairs of points: physical, and general.
  Inertia<> inertia(double size = 1) {
    Inertia<> sum;
    for (int i = 0; i < 6; ++i) sum = sum + Inertia<>::from_com(uniform(0.1, 2), vector(size), {});
    return sum;
  }

 private:
  std::mt19937_64 engine_;
};

inline rc::Gen<unsigned> any_seed() { return rc::gen::arbitrary<unsigned>(); }

using trammel::eps;
inline constexpr double pi = std::numbers::pi;

}  // namespace trammel::test
