#include "trammel/motion/opening.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "trammel/motion/data.h"

namespace trammel {

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

WorstOpenings::WorstOpenings(const Problem& problem)
    : constraints_(problem.is_tree() ? problem.asked().constraints.size() : 0) {
  if (constraints_ == 0) return;
  const std::vector<int>& asked = problem.asked().constraints;
  for (const RowInfo& row : problem.rows()) {
    const int constraint = static_cast<int>(std::ranges::find(asked, row.constraint) - asked.begin());
    double Opening::*const unit = row.unit == "m"     ? &Opening::length
                                  : row.unit == "rad" ? &Opening::angle
                                                      : &Opening::other;
    const auto known = std::ranges::find_if(
        parts_, [&](const Part& part) { return part.constraint == constraint && part.unit == unit; });
    part_of_.push_back(static_cast<int>(known - parts_.begin()));
    if (known == parts_.end()) parts_.push_back({constraint, unit});
  }
}

void WorstOpenings::include(const Data& data) {
  if (parts_.empty()) return;
  assert(data.has_rows(data.problem.asked()));
  for (Part& part : parts_) part.phi2 = part.rate2 = 0;
  const double *phi = data.phi.data(), *rate = data.rate.data();
  for (const int of : part_of_) {
    Part& part = parts_[of];
    part.phi2 += *phi * *phi;
    part.rate2 += *rate * *rate;
    ++phi;
    ++rate;
  }
  for (Part& part : parts_) {
    part.largest_phi2 = std::max(part.largest_phi2, part.phi2);
    part.largest_rate2 = std::max(part.largest_rate2, part.rate2);
  }
}

std::vector<Opening> WorstOpenings::roots_of(double Part::*square) const {
  std::vector<Opening> out(constraints_);
  for (const Part& part : parts_) out[part.constraint].*part.unit = std::sqrt(part.*square);
  return out;
}

}  // namespace trammel
