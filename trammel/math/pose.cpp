#include "trammel/math/pose.h"

#include "trammel/math/spatial.h"

namespace trammel {
namespace {

// (θ − sin θ)/θ³; the series below 0.5 leaves out less than 2e-17.
double third_order(double angle) {
  const double x = angle * angle;
  if (angle > 0.5) return (angle - std::sin(angle)) / (angle * x);
  double term = 1.0 / 6.0, sum = term;
  for (int k = 4; k <= 16; k += 2) sum += term *= -x / (k * (k + 1));
  return sum;
}

// (1 − (θ/2) cot(θ/2))/θ², regular up to θ = 2π; the series below 0.1 leaves out less than 2e-19.
double inverse_second_order(double angle) {
  const double x = angle * angle;
  if (angle > 0.1) return (1.0 - 0.5 * angle / std::tan(0.5 * angle)) / x;
  return 1.0 / 12 + x * (1.0 / 720 + x * (1.0 / 30240 + x * (1.0 / 1209600 + x / 47900160)));
}

}  // namespace

Pose<> exp_se3(const Vec6<>& V) {
  // p = (1 + (1 − cos θ)/θ² [ω] + (θ − sin θ)/θ³ [ω]²) v
  const Vec3<> w = V.head<3>(), v = V.tail<3>();
  const double angle = w.norm(), half = 0.5 * angle;
  const double sinc_half = half < 1e-4 ? 1.0 - half * half / 6.0 : std::sin(half) / half;
  const Vec3<> wv = cross(w, v);
  return {exp_so3(w), v + (0.5 * sinc_half * sinc_half) * wv + third_order(angle) * cross(w, wv)};
}

Vec6<> log_se3(const Pose<>& X) {
  // v = (1 − ½ [ω] + (1 − (θ/2) cot(θ/2))/θ² [ω]²) p
  const Vec3<> w = log_so3(X.R), wp = cross(w, X.p);
  return spatial<double>(w, X.p - 0.5 * wp + inverse_second_order(w.norm()) * cross(w, wp));
}

}  // namespace trammel
