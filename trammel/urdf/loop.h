#pragma once

#include "trammel/model/description.h"
#include "trammel/urdf/xml.h"

namespace trammel::urdf {

/// Reads a <loop> of URDF+ (arXiv 2411.19753): the joint that was cut to make a tree of the robot. On the predecessor and on the successor
/// an <origin> places a frame, with its z axis along the <axis>; the frames are called "NAME predecessor" and "NAME successor", and a
/// constraint NAME closes them. Types:
///
///   revolute, continuous   hinge        prismatic   slide
///   fixed                  weld         spherical   the origins coincide
void read_loop(const Element& loop, RobotDescription& out);

/// Reads a <coupling> of URDF+, of the joints behind the nearest link that carries both its links:
///
///   Σ q on the way to the successor = ratio · Σ q on the way to the predecessor.
///
/// All links and joints have been read.
void read_coupling(const Element& coupling, RobotDescription& out);

}  // namespace trammel::urdf
