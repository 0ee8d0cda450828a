#pragma once

#include <memory>
#include <numbers>
#include <string>

#include "trammel/constraints/coincident.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/constraints/point_on_path.h"
#include "trammel/constraints/point_on_plane.h"
#include "trammel/model/build_model.h"
#include "trammel/system/forces.h"
#include "trammel/system/system.h"
#include "trammel/urdf/urdf.h"

namespace trammel::test {

/// The systems of the papers: the robots of robots/*.urdf with what the papers ask of them. All joints have one
/// coordinate, whose rate is the velocity.

Model paper_robot(const std::string& name, const Vec3<>& gravity = {0, 0, -9.81});

VecX<> vector(std::initializer_list<double> values);

/// q or v from the values of named joints; zero for the others.
VecX<> by_joint(const Model& model, const std::vector<std::pair<std::string, double>>& values);

/// The tool on a helix, its heading kept; the rows in the paper's order x, y, heading, z.
System scara_on_helix();

/// Coordinates or velocities of the parallel robot from the paper's order qa1, qb1, xa1, ya1, qa2 …, and back.
VecX<> parallel_order(const Model& model, const VecX<>& paper, bool back = false);

/// Three arms, their bases pinned (6 rows) and their tips brought together (4 rows: E1 − E2, E1 − E3).
System parallel_robot();

/// Where its loops close, arm 1 as printed.
VecX<> parallel_start(const Model& model);

/// Driven by 0.1 cos(πt) N·m on qa1.
System parallel_driven();

/// Tip 1 led back and forth along x from where it starts, in the control layer (2 rows).
System parallel_tracking();

/// The tool slides on a table at the height of the shoulder (1 row). The paper has no constraint.
System serial_on_plane();

/// The tip moves up and down the vertical line x = 1 m; starts at rest at q = (60°, −120°).
System two_link_on_line();

}  // namespace trammel::test
