#pragma once

#include "trammel/model/description.h"

namespace trammel::urdf {

/// Takes out the couplings that cannot act, of a fixed joint or to one, or to a joint that is not there, with a warning for each of these
/// kinds. Files have them where a hand was simplified, or a prefix was forgotten.
void leave_out_mimics(RobotDescription& robot);

}  // namespace trammel::urdf
