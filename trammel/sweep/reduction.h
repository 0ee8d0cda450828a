#pragma once

#include <span>
#include <string_view>

namespace trammel::sweep {

/// What makes one number of x over the recorded times tₖ. Samples that are no number (forces in a singular posture) are left out: of max,
/// min and percentiles the sample, of integrals the two intervals beside it. Nothing to reduce gives NaN.
enum class Reduction {
  max,
  min,
  mean,        // integral of x over the time integrated over
  rms,         // √ of the mean of x²
  integral,    // Σ ½ (xₖ + xₖ₊₁)(tₖ₊₁ − tₖ): the trapezoidal rule
  first,       //
  last,        //
  argmax,      // the time of the maximum, the first if there are several
  argmin,      //
  percentile,  // percentile(p, x): of the N sorted samples that at place (N − 1) p/100, linear between two
};

struct NamedReduction {
  std::string_view name;
  Reduction reduction;
};
std::span<const NamedReduction> all_reductions();

/// `p` is that of a percentile, 0 to 100.
double reduced(Reduction reduction, double p, std::span<const double> t, std::span<const double> x);

}  // namespace trammel::sweep
