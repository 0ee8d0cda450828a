#include "trammel/motion/opening.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "trammel/motion/data.h"

namespace trammel {
namespace {

Opening size_of(const Data& data, int i, const VecX<>& errors) {
  double length = 0, angle = 0, other = 0;
  const int first = data.problem.asked().first_row[i];
  const std::span<const RowInfo> rows = data.problem.rows();
  for (int row = first; row < first + data.blocks[i].phi.size(); ++row) {
    const double square = errors[row] * errors[row];
    (rows[row].unit == "m" ? length : rows[row].unit == "rad" ? angle : other) += square;
  }
  return {std::sqrt(length), std::sqrt(angle), std::sqrt(other)};
}

}  // namespace

void Opening::include(const Opening& more) {
  length = std::max(length, more.length);
  angle = std::max(angle, more.angle);
  other = std::max(other, more.other);
}

std::string Opening::text(int digits) const {
  std::string out;
  const auto add = [&](double x, const char* unit) {
    out += fmt::format("{}{:.{}g}{}", out.empty() ? "" : ", ", x, digits, unit);
  };
  if (length > 0 || (angle == 0 && other == 0)) add(length, " m");
  if (angle > 0) add(angle, " rad");
  if (other > 0) add(other, "");
  return out;
}

Opening opening_of(const Data& data, int i) {
  assert(data.has_rows(data.problem.asked()));
  return size_of(data, i, data.phi);
}

Opening opening_rate_of(const Data& data, int i) {
  assert(data.has_rows(data.problem.asked()));
  return size_of(data, i, data.rate);
}

}  // namespace trammel
