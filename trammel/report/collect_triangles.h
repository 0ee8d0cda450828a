#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/core.h>

#include "trammel/report/mesh_file.h"

namespace trammel {

/// More is not read of a file.
inline constexpr std::uintmax_t most_mesh_bytes = std::uintmax_t{64} << 20;

using Point = std::array<float, 3>;

inline std::string too_many(std::size_t most) { return fmt::format("it has more than {} triangles", most); }

/// Takes triangles until there are too many, or one is not a number. Corners in the same place become one.
class Collector {
 public:
  explicit Collector(std::size_t most) : most_(most) {}

  bool add(const std::array<Point, 3>& triangle) {
    if (out.count() == most_) return fail(too_many(most_));
    for (const Point& corner : triangle) {
      if (!std::ranges::all_of(corner, [](float x) { return std::isfinite(x); })) return fail("it has a NaN");
      const auto [known, is_new] = index_.emplace(corner, static_cast<std::uint32_t>(index_.size()));
      if (is_new) out.vertices.insert(out.vertices.end(), corner.begin(), corner.end());
      out.corners.push_back(known->second);
    }
    return true;
  }
  bool fail(const std::string& why) {
    out = {};
    problem = why;
    return false;
  }

  Triangles out;
  std::string problem;

 private:
  std::size_t most_;
  std::map<Point, std::uint32_t> index_;
};

}  // namespace trammel
