#pragma once

#include <array>
#include <numbers>
#include <string>
#include <vector>

#include "trammel/model/build_model.h"

namespace trammel::test {

/// Mechanisms with fixed dimensions, so that figures can be compared between versions. SI units. Rods are uniform:
/// m l²/12 across, m l²/1200 along.

Link rod(const std::string& name, double mass, double length, const Vec3<>& along);

Joint turning(const std::string& name, const std::string& parent, const std::string& child, const Vec3<>& at,
              const Vec3<>& axis);

inline const Vec3<> x_axis = Vec3<>::UnitX(), y_axis = Vec3<>::UnitY(), z_axis = Vec3<>::UnitZ();

/// Seven turning joints about z, y, z, y, z, y, z; links of 0.3 m along z.
RobotDescription arm7();

/// Hangs a chain of rods of 0.2 m and 0.5 kg along z on a link; names are prefix + number.
void hang_chain(RobotDescription& robot, const std::string& on, const Vec3<>& at, const std::vector<Vec3<>>& axes,
                const std::string& prefix);

/// N rods with turning joints about y, x, y, x …
RobotDescription chain(int n);

/// A floating base of 10 kg with five limbs of six turning joints about z, y, x, y, y, x: 36 freedoms.
RobotDescription tree36();

/// The SCARA of the paper, in closed form there: equal to robots/scara.urdf.
RobotDescription scara();

}  // namespace trammel::test
