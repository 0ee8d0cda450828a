#include "trammel/motion/row_dependence.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace trammel {

RowPlace place_of_row(const System& system, const MotionWorkspace& work, int row) {
  std::size_t i = 0;
  while (i + 1 < work.order.size() &&
         (work.first_row[i + 1] <= row || system.constraints[work.order[i]].law->rows() == 0))
    ++i;
  return {work.order[i], row - work.first_row[i]};
}

std::string row_name(const System& system, const MotionWorkspace& work, int row) {
  const RowPlace place = place_of_row(system, work, row);
  const NamedConstraint& constraint = system.constraints[place.constraint];
  return constraint.law->rows() == 1 ? constraint.name : fmt::format("{}[{}]", constraint.name, place.row);
}

std::string follows(const std::vector<std::string>& from) {
  return from.empty() ? "holds by itself" : fmt::format("follows from {}", fmt::join(from, ", "));
}

std::vector<Dependence> dependences(MotionWorkspace& work) {
  // columns are in metres alike: a coefficient this small is what rounding leaves of a zero
  constexpr double negligible = 1e-7;
  std::vector<Dependence> out;
  VecX<> coefficients(work.rows);
  for (int row = 0; row < work.rows; ++row) {
    if (work.qr.kept(row)) continue;
    work.qr.dependence(row, coefficients);
    Dependence dependence{row, {}};
    for (int other = 0; other < work.rows; ++other)
      if (std::abs(coefficients[other]) > negligible) dependence.others.push_back(other);
    out.push_back(dependence);
  }
  return out;
}

}  // namespace trammel
