#pragma once

#include "trammel/motion/joint_damping.h"

namespace trammel {

/// Whether damping and friction of joints keep the steps of an explicit method short: over fifteen steps, without six others between them,
///
///   h ρ > 2,      ρ the fastest rate of damping (joint_damping.h)
///
/// An explicit method is stable up to h ρ of 2.5 (bosh3) to 6 (dop8), and needs less than 0.1 to resolve such a decay to 1e-10: where h ρ
/// stays near the bound of stability, the decay is over, and its rate is all that the steps are short for.
class StiffnessWatch {
 public:
  /// Looks at a step of length h that was taken; `data` has the factors of its last stage, whose solution is overwritten.
  bool watch(Data& data, JointDamping& damping, const VecX<>& v, double h) {
    if (!damping.any()) return false;
    // that bound is below ρ where what stands before a joint gives way: hardly by a factor of twenty
    const bool stiff = h * damping.least_rate(v, data) > 0.1 && h * damping.fastest_rate(v, data) > 2;
    calm_ = stiff ? 0 : calm_ + 1;
    if (stiff) ++stiff_;
    if (calm_ == 6) stiff_ = 0;
    return stiff_ >= 15;
  }

 private:
  int stiff_ = 0, calm_ = 0;  // steps
};

}  // namespace trammel
