#pragma once

#include <optional>

#include "trammel/base/faults.h"
#include "trammel/model/description.h"
#include "trammel/urdf/xml.h"

namespace trammel::urdf {

/// Reads a joint. URDF's types and what they become:
///
///   revolute, prismatic   the same; <limit> is required, lower and upper are 0 where they are missing
///   continuous            revolute without lower and upper
///   fixed, floating       the same; <axis> means nothing for them
///   planar                the same; <axis> is the plane's normal
///
/// The axis is x where none is given. <limit> and <dynamics> are used for joints with one coordinate only.
/// What is wrong is added to `faults`; the joint is then of no use.
Joint read_joint(const Element& joint, Remarks& remarks, Faults& faults);

/// The joint's <mimic>: q = multiplier·q_source + offset, 1 and 0 where they are missing.
std::optional<Coupling> read_mimic(const Element& joint);

}  // namespace trammel::urdf
