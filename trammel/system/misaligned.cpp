#include "trammel/system/misaligned.h"

#include <fmt/core.h>

namespace trammel {

std::string Misaligned::text() const {
  return fmt::format("{:.4g}° ({:.4g} rad)", angle * 180 / std::numbers::pi, angle);
}

std::optional<Misaligned> find_misaligned(const System& system, const Placement<double>& now) {
  std::optional<Misaligned> out;
  for (std::size_t i = 0; i < system.constraints.size(); ++i) {
    const double angle = system.constraints[i].law->misalignment(now).norm();
    if (!is_aligned(angle) && (!out || angle > out->angle)) out = {static_cast<int>(i), angle};
  }
  return out;
}

}  // namespace trammel
