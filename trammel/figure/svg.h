#pragma once

#include "trammel/figure/figure.h"

namespace trammel {

/// A figure as SVG, 720 × 425, higher where the names of its curves take more than one line: units on the axes, colours that the
/// colour-blind can tell apart, dashes that survive a grey copy. Curves of many points are thinned so that no peak is lost. A
/// curve that varies by less than 1e-10 of its size, which is rounding, is drawn as the constant that it is.
std::string to_svg(const Figure& figure);

}  // namespace trammel
