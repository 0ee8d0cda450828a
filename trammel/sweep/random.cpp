#include "trammel/sweep/random.h"

namespace trammel::sweep {
namespace {

std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

}  // namespace

std::uint64_t fnv1a(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

Counter philox4x32(Counter c, std::array<std::uint32_t, 2> k) {
  constexpr std::uint64_t m0 = 0xD2511F53, m1 = 0xCD9E8D57;
  constexpr std::uint32_t w0 = 0x9E3779B9, w1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = m0 * c[0], b = m1 * c[2];
    c = {high(b) ^ c[1] ^ k[0], low(b), high(a) ^ c[3] ^ k[1], low(a)};
    k = {k[0] + w0, k[1] + w1};
  }
  return c;
}

double uniform(std::uint64_t seed, std::uint64_t of_case, std::string_view name) {
  const std::uint64_t hash = fnv1a(name);
  const Counter bits = philox4x32({low(of_case), high(of_case), low(hash), high(hash)}, {low(seed), high(seed)});
  const std::uint64_t whole = (std::uint64_t{bits[1]} << 32 | bits[0]) >> 12;  // 52 bits
  return (2 * static_cast<double>(whole) + 1) * 0x1p-53;                       // odd multiples: never 0, never 1
}

}  // namespace trammel::sweep
