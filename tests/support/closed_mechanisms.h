#pragma once

#include "support/looped_systems.h"
#include "trammel/constraints/hinge_closure.h"

namespace trammel::test {

/// Mechanisms with loops, of fixed dimensions. Each comes with a guess of a closed posture (closed by design where that is
/// easy to write down; else to be assembled).
struct Looped {
  System system;
  VecX<> q;
};

/// Two arms of 0.25 m and 0.35 m on bases 0.3 m apart, in the plane z = 0. Names begin with `prefix`.
void add_five_bar(RobotDescription& robot, const std::string& prefix = "");

/// Their tips joined.
void close_five_bar(System& system, const std::string& prefix = "");

Looped five_bar();

/// Many five-bars side by side, which have nothing to do with each other.
System five_bars(int count);

/// 3-RRR: three arms of 0.30 m and 0.35 m from a circle of 0.5 m to a platform of radius 0.15 m, closed by hinges in space
/// although it is planar. The platform hangs on the first arm.
Looped three_rrr();

/// The four-bar of tilted_four_bar closed by a hinge: five rows for a loop that needs two.
Looped hinged_four_bar(double off = 0);

/// Four bars of 1 m in the plane z = 0, gravity −y, closed by a pin: it passes postures where it may fold. Upright start.
Looped folding_four_bar();

/// 6-UPS Stewart platform: base radius 1 m, platform radius 0.5 m, joint pairs ±10° about 0°, 120°, 240° (base) and 60°, 180°,
/// 300° (platform), home height 1 m. The platform floats; each leg (universal, then sliding) hangs on the base, its ball
/// closed by coincident points.
Looped stewart();

}  // namespace trammel::test
