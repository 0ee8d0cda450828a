#pragma once

namespace trammel::sweep {

/// Functions that draws go through, of sums, products, quotients and square roots alone: these are exact in IEEE arithmetic to the last
/// bit, and so every machine draws the same numbers, whatever its mathematical library. Each is within a few units in the last place.

/// ln x, x > 0 and finite: of x = m 2ᵉ with √½ ≤ m < √2, ln x = e ln 2 + 2 artanh s, s = (m − 1)/(m + 1).
double exact_log(double x);

/// eˣ, 0 or infinite beyond what doubles hold: of x = n ln 2 + r, |r| ≤ ½ ln 2, eˣ = 2ⁿ Σ rᵏ/k!.
double exact_exp(double x);

/// Where the standard normal distribution reaches p, 0 < p < 1: PPND16 of Wichura, Algorithm AS 241, Applied Statistics 37 (1988);
/// relative error about 1e-16.
double normal_quantile(double p);

}  // namespace trammel::sweep
