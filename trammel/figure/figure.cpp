#include "trammel/figure/figure.h"

namespace trammel {

std::string Axis::label() const {
  if (symbol.empty() || unit.empty()) return symbol + unit;
  return symbol + " (" + unit + ")";
}

}  // namespace trammel
