#pragma once

#include "trammel/math/lanes.h"
#include "trammel/system/force.h"

namespace trammel {

/// Not installed: what follows depends on the processor that it is compiled for.

/// How a force acts on several states side by side.
struct ForceInLanes {
  void (*add_to)(const Force& force, const Model& model, const Movement<Lanes>& now, VecX<Lanes>& tau);
};

template <class Kind>
void TemplatedForce<Kind>::add_to(const Model& model, const Movement<double>& now, VecX<>& tau) const {
  static_cast<const Kind&>(*this).template add<double>(model, now, tau);
}

template <class Kind>
const ForceInLanes* TemplatedForce<Kind>::in_lanes() const {
  static constexpr ForceInLanes act{
      [](const Force& force, const Model& model, const Movement<Lanes>& now, VecX<Lanes>& tau) {
        static_cast<const Kind&>(force).template add<Lanes>(model, now, tau);
      }};
  return &act;
}

}  // namespace trammel
