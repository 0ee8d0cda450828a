#pragma once

#include "trammel/system/system.h"

namespace trammel {

/// How a run stays on its constraints.
enum class Drift {
  none,       // A v̇ = b, and nothing else: errors grow with the time
  baumgarte,  // φ̈ + αφ̇ + βφ = 0
  velocity,   // q̇ = v + M^{−1/2}B⁺(c − A v): the velocity-level modification; v itself is left as it is
  projection  // every step ends on the constraints, places and speeds
};

struct DriftControl {
  Drift kind = Drift::projection;
  Baumgarte gains{};                 // of Drift::baumgarte, for constraints without gains of their own
  bool forces_at_corrected = false;  // Drift::velocity: Q and b at the corrected velocity instead of v
};

}  // namespace trammel
