#pragma once

#include <string>
#include <vector>

#include "trammel/math/vector.h"

namespace trammel {

/// Curves over one axis, for print: units on the axes, colours that the colour-blind can tell apart, dashes that survive
/// a grey copy.
struct Figure {
  struct Curve {
    std::string label;
    VecX<> x, y;
    bool wanted = false;  // what a curve beside it should be: drawn thin over the others
    VecX<> t{};           // s, when it is at each point, where x is something else than the time
  };

  std::string title, x_label, y_label;
  std::vector<Curve> curves;
  bool log_y = false;            // of |y|; what is zero is left out
  bool equal = false;            // one metre is as long along x as along y: for paths
  std::vector<double> limits{};  // bounds of y, as lines across
};

/// As SVG, 720 × 425, higher where the names of its curves take more than one line. Curves of many points are thinned so that no peak is lost.
std::string to_svg(const Figure& figure);

/// Round values between low and high, about `count` of them.
std::vector<double> ticks(double low, double high, int count);

}  // namespace trammel
