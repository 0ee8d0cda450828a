#include "trammel/motion/row_dependence.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "trammel/motion/layered_qr.h"

namespace trammel {

std::string follows(const std::vector<std::string>& from) {
  return from.empty() ? "holds by itself" : fmt::format("follows from {}", fmt::join(from, ", "));
}

std::vector<Dependence> dependences(Data& data, const RowSet& set) {
  // columns are in metres alike: a coefficient this small is what rounding leaves of a zero
  constexpr double negligible = 1e-7;
  std::vector<Dependence> out;
  VecX<> coefficients(data.problem.asked().rows);
  for (int row = 0; row < set.rows; ++row) {
    if (data.qr->kept(row)) continue;
    data.qr->dependence(row, coefficients);
    Dependence dependence{row, {}};
    for (int other = 0; other < set.rows; ++other)
      if (std::abs(coefficients[other]) > negligible) dependence.others.push_back(other);
    out.push_back(dependence);
  }
  return out;
}

std::string contradiction(Data& data) {
  const std::span<const RowInfo> rows = data.problem.rows();
  for (const Dependence& dependence : dependences(data, data.problem.held())) {
    if (data.qr->agrees(dependence.row)) continue;
    std::vector<std::string> others;
    for (const int other : dependence.others) others.push_back(rows[other].name);
    return others.empty() ? fmt::format("{} cannot hold: nothing moves it", rows[dependence.row].name)
                          : fmt::format("{} contradicts {}", rows[dependence.row].name, fmt::join(others, ", "));
  }
  return {};
}

}  // namespace trammel
