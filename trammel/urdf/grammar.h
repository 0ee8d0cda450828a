#pragma once

#include "trammel/base/faults.h"
#include "trammel/urdf/xml.h"

namespace trammel::urdf {

/// Goes through the robot by the table of what URDF knows. Adds a fault where an element stands twice that may stand
/// once. Throws Error where xacro should have been run, with the command. Remarks on what is not used: elements that URDF knows and we have no use
/// for, elements and attributes that it does not know (with the one that was probably meant), and text between
/// elements.
void check_grammar(const Element& robot, Remarks& remarks, Faults& faults);

}  // namespace trammel::urdf
