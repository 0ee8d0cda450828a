#include "trammel/motion/row_dependence.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace trammel {

std::string follows(const std::vector<std::string>& from) {
  return from.empty() ? "holds by itself" : fmt::format("follows from {}", fmt::join(from, ", "));
}

std::vector<Dependence> dependences(RowFactor& rows) {
  // columns are in metres alike: a coefficient this small is what rounding leaves of a zero
  constexpr double negligible = 1e-7;
  std::vector<Dependence> out;
  const int m = rows.set->rows;
  VecX<> coefficients(m);
  for (int row = 0; row < m; ++row) {
    if (rows.qr.kept(row)) continue;
    rows.qr.dependence(row, coefficients);
    Dependence dependence{row, {}};
    for (int other = 0; other < m; ++other)
      if (std::abs(coefficients[other]) > negligible) dependence.others.push_back(other);
    out.push_back(dependence);
  }
  return out;
}

}  // namespace trammel
