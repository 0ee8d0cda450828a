#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace trammel::sweep {

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011): ten rounds of
///
///   (c0, c1, c2, c3) ← (hi(M1 c2) ^ c1 ^ k0, lo(M1 c2), hi(M0 c0) ^ c3 ^ k1, lo(M0 c0)),   k0 += W0, k1 += W1
///
/// a function of counter and key alone: no state is carried from one number to the next.
using Counter = std::array<std::uint32_t, 4>;
Counter philox4x32(Counter counter, std::array<std::uint32_t, 2> key);

/// The hash FNV-1a of a text, 64 bits; of one text behind another where it goes on from the hash of the first.
std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325);

/// A number of (0, 1), both ends out of reach, in steps of 2⁻⁵³: that of a case for a name. The seed is the key, the case and the
/// name's FNV-1a hash are the counter.
double uniform(std::uint64_t seed, std::uint64_t of_case, std::string_view name);

}  // namespace trammel::sweep
