#pragma once

#include <string>
#include <vector>

#include "trammel/math/vector.h"

namespace trammel {

/// What is drawn along one direction of a figure.
struct Axis {
  std::string symbol;  // "q", "|φ|", "tool.x"; may be empty
  std::string unit;    // "rad, m"; may be empty

  /// "q (rad, m)", or what there is of it.
  std::string label() const;
};

/// Curves over one axis, for print and for the page.
struct Figure {
  struct Curve {
    std::string label;
    VecX<> x{}, y{};
    bool wanted = false;  // what a curve beside it should be: drawn thin over the others
    VecX<> t{};           // s, when it is at each point, where x is something else than the time
  };

  std::string title;
  Axis x{"t", "s"}, y{};
  std::vector<Curve> curves{};
  bool over_time = true;         // x is the time
  bool log_y = false;            // of |y|; what is zero is left out
  bool equal = false;            // one metre is as long along x as along y: for paths
  std::vector<double> limits{};  // bounds of y, as lines across
  std::string note{};            // a sentence for the reader
};

}  // namespace trammel
