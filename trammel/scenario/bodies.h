#pragma once

#include "trammel/model/description.h"
#include "trammel/scenario/value.h"

namespace trammel::scenario {

/// Mechanisms that need no URDF: each adds what the scenario gives to the description.
///
///   bodies:  {crank: {mass: 1, com: [0.15, 0, 0], inertia: [0.001, 0.0075, 0.0075]}}
///   joints:  [{name: a, revolute: z, from: world, to: crank, at: {xyz: [0, 0, 0]}, damping: 0.1}]
///   frames:  {tip: {on: crank, at: {xyz: [0.3, 0, 0]}}}
///
/// Inertias are about the mass centre: the diagonal, or xx, yy, zz, xy, xz, yz.
void read_bodies(const Value& value, const Constants& constants, RobotDescription& out);
void read_joints(const Value& value, const Constants& constants, RobotDescription& out);
void read_frames(const Value& value, const Constants& constants, RobotDescription& out);

}  // namespace trammel::scenario
