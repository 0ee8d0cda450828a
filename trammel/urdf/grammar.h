#pragma once

#include "trammel/urdf/xml.h"

namespace trammel::urdf {

/// Goes through the robot by the table of what URDF knows. Throws Error where an element stands twice that may stand
/// once, and where xacro should have been run. Remarks on what is not used: elements that URDF knows and we have no use
/// for, elements and attributes that it does not know (with the one that was probably meant), and text between
/// elements.
void check_grammar(const Element& robot, Remarks& remarks);

}  // namespace trammel::urdf
