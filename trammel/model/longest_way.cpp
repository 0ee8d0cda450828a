#include "trammel/model/longest_way.h"

#include <algorithm>
#include <cmath>

namespace trammel {

double longest_way(const Model& model) {
  double out = 0;
  for (const Body& body : model.bodies()) {
    if (body.parent != world) out = std::max(out, body.X_PF.p.norm());
    if (body.inertia.mass <= 0) continue;
    const Symmetric3<> I = body.inertia.about_com();
    out = std::max(
        {out, body.inertia.com().norm(), std::sqrt(std::max(0.0, 0.5 * (I.xx + I.yy + I.zz)) / body.inertia.mass)});
  }
  for (const Frame& frame : model.frames())
    if (frame.body != world) out = std::max(out, frame.X_BF.p.norm());
  return out;
}

}  // namespace trammel
