#include "trammel/sweep/elementary.h"

#include <array>
#include <cmath>
#include <limits>

namespace trammel::sweep {
namespace {

// ln 2 in two parts: the first has 32 bits, so that its multiples by an exponent are exact
constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;

template <std::size_t count>
double horner(const std::array<double, count>& coefficients, double x) {
  double sum = coefficients[count - 1];
  for (std::size_t k = count - 1; k-- > 0;) sum = sum * x + coefficients[k];
  return sum;
}

}  // namespace

double exact_log(double x) {
  int e = 0;
  double m = std::frexp(x, &e);  // ½ ≤ m < 1
  if (m < 0.70710678118654752) m *= 2, --e;
  const double s = (m - 1) / (m + 1), ss = s * s;
  double sum = 0;  // artanh s/s − 1 = s²/3 + s⁴/5 + …; |s| < 0.172, so the term s²⁴/25 is below 2e-20
  for (int n = 23; n >= 3; n -= 2) sum = (sum + 1.0 / n) * ss;
  return e * ln2_high + (2 * s + (2 * s * sum + e * ln2_low));
}

double exact_exp(double x) {
  if (std::isnan(x)) return x;
  if (x > 709.8) return std::numeric_limits<double>::infinity();
  if (x < -745.2) return 0;
  const double n = std::nearbyint(x / 0.69314718055994531);
  const double r = (x - n * ln2_high) - n * ln2_low;
  double sum = 0;  // |r| < 0.347: r¹⁸/18! is below 1e-24
  for (int k = 17; k >= 1; --k) sum = (sum + 1) * r / k;
  return std::ldexp(1 + sum, static_cast<int>(n));
}

double normal_quantile(double p) {
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    constexpr std::array a{3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                           1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                           3.3430575583588128105e+4, 2.5090809287301226727e+3};
    constexpr std::array b{1.0,
                           4.2313330701600911252e+1,
                           6.8718700749205790830e+2,
                           5.3941960214247511077e+3,
                           2.1213794301586595867e+4,
                           3.9307895800092710610e+4,
                           2.8729085735721942674e+4,
                           5.2264952788528545610e+3};
    const double r = 0.180625 - q * q;
    return q * horner(a, r) / horner(b, r);
  }
  const double r = std::sqrt(-exact_log(q < 0 ? p : 1 - p));
  double z = 0;
  if (r <= 5) {
    constexpr std::array c{1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                           3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                           2.27238449892691845833e-2, 7.74545014278341407640e-4};
    constexpr std::array d{1.0,
                           2.05319162663775882187e0,
                           1.67638483018380384940e0,
                           6.89767334985100004550e-1,
                           1.48103976427480074590e-1,
                           1.51986665636164571966e-2,
                           5.47593808499534494600e-4,
                           1.05075007164441684324e-9};
    z = horner(c, r - 1.6) / horner(d, r - 1.6);
  } else {
    constexpr std::array e{6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                           2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                           2.71155556874348757815e-5, 2.01033439929228813265e-7};
    constexpr std::array f{1.0,
                           5.99832206555887937690e-1,
                           1.36929880922735805310e-1,
                           1.48753612908506148525e-2,
                           7.86869131145613259100e-4,
                           1.84631831751005468180e-5,
                           1.42151175831644588870e-7,
                           2.04426310338993978564e-15};
    z = horner(e, r - 5) / horner(f, r - 5);
  }
  return q < 0 ? -z : z;
}

}  // namespace trammel::sweep
