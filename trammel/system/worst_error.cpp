#include "trammel/system/worst_error.h"

#include <cmath>

#include <fmt/core.h>

namespace trammel {

bool WorstError::see(double error, double weight, std::string_view unit) {
  const double length = std::abs(error * weight);
  if (size_ == 0 && unit_.empty()) unit_ = unit;  // zero metres are metres
  if (std::isnan(length_) || length <= length_) return false;
  size_ = std::abs(error);
  length_ = length;
  unit_ = unit;
  return true;
}

std::string WorstError::text(std::string_view per, int digits) const {
  if (unit_.empty()) return fmt::format("{:.{}g}", size_, digits);
  return fmt::format("{:.{}g} {}{}", size_, digits, unit_, per);
}

}  // namespace trammel
