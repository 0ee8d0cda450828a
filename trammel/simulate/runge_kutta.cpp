#include "trammel/simulate/runge_kutta.h"

#include <string>
#include <vector>

#include <fmt/core.h>

#include "trammel/base/error.h"
#include "trammel/base/names.h"

namespace trammel {
namespace {

constexpr double euler_c[] = {0};
constexpr double euler_b[] = {1};

constexpr double heun_c[] = {0, 1};
constexpr double heun_a[] = {1};
constexpr double heun_b[] = {0.5, 0.5};

constexpr double rk4_c[] = {0, 0.5, 0.5, 1};
constexpr double rk4_a[] = {
    // 2
    0.5,
    // 3
    0, 0.5,
    // 4
    0, 0, 1};
constexpr double rk4_b[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

constexpr double bosh3_c[] = {0, 0.5, 0.75, 1};
constexpr double bosh3_a[] = {
    // 2
    0.5,
    // 3
    0, 0.75,
    // 4
    2.0 / 9, 1.0 / 3, 4.0 / 9};
constexpr double bosh3_b[] = {2.0 / 9, 1.0 / 3, 4.0 / 9, 0};
constexpr double bosh3_error[] = {-5.0 / 72, 1.0 / 12, 1.0 / 9, -1.0 / 8};  // b̂ = 7/24, 1/4, 1/3, 1/8

// Bogacki and Shampine's pair (Appl. Math. Lett. 2, 1989): order 3 with an estimate of order 2. The cubic of Hermite is its
// dense output, of order 3.
constexpr Tableau bosh3{.name = "bosh3",
                        .order = 3,
                        .c = bosh3_c,
                        .b = bosh3_b,
                        .a = bosh3_a,
                        .error = bosh3_error,
                        .first_same_as_last = true,
                        .dense_order = 3};

constexpr double dopri5_c[] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr double dopri5_a[] = {
    // 2
    1.0 / 5,
    // 3
    3.0 / 40, 9.0 / 40,
    // 4
    44.0 / 45, -56.0 / 15, 32.0 / 9,
    // 5
    19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729,
    // 6
    9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656,
    // 7
    35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
constexpr double dopri5_b[] = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0};
constexpr double dopri5_error[] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                   -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
constexpr double dopri5_d[] = {-12715105075.0 / 11282082432,  0,
                               87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                               701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                               69997945.0 / 29380423};

}  // namespace

constinit const Tableau euler{.name = "euler", .order = 1, .c = euler_c, .b = euler_b, .dense_order = 1};
constinit const Tableau semi_implicit{
    .name = "semi-implicit", .order = 1, .c = euler_c, .b = euler_b, .dense_order = 1, .semi_implicit = true};
constinit const Tableau heun{.name = "heun", .order = 2, .c = heun_c, .b = heun_b, .a = heun_a, .dense_order = 2};
constinit const Tableau rk4{.name = "rk4", .order = 4, .c = rk4_c, .b = rk4_b, .a = rk4_a, .dense_order = 3};
constinit const Tableau dopri5{.name = "dopri5",
                               .order = 5,
                               .c = dopri5_c,
                               .b = dopri5_b,
                               .a = dopri5_a,
                               .error = dopri5_error,
                               .first_same_as_last = true,
                               .dense_d = dopri5_d,
                               .dense_order = 4};

std::span<const Tableau* const> all_methods() {
  static constexpr const Tableau* methods[] = {&euler, &semi_implicit, &heun, &bosh3, &rk4, &dopri5, &ark5, &dop8};
  return methods;
}

const Tableau& method_named(std::string_view name) {
  std::vector<std::string> known;
  for (const Tableau* method : all_methods()) {
    if (method->name == name) return *method;
    known.emplace_back(method->name);
  }
  throw Error(fmt::format("integrator '{}'", name), allowed_names(name, known));
}

}  // namespace trammel
