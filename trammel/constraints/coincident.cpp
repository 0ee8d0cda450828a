#include "trammel/constraints/coincident.h"

#include <fmt/core.h>

#include "trammel/constraints/body_motion.h"

namespace trammel {

Coincident::Coincident(const BodyPoint& P, const BodyPoint& S, int C,
                       const Eigen::Matrix<double, 3, Eigen::Dynamic>& axes_C)
    : P_(P),
      S_(S),
      C_(C),
      axes_(axes_C),
      touched_(C == world ? BodyList{P.body, S.body} : BodyList{P.body, S.body, C}) {
  if (axes_.cols() < 1 || axes_.cols() > 3)
    throw Error(fmt::format("{} directions along which points coincide", axes_.cols()), "one to three");
}

void Coincident::evaluate(const Movement<double>& now, Rows& out) const {
  const PointMotion P(P_, now.kin), S(S_, now.kin);
  const Vec3<> d = S.p - P.p, ddot = S.v - P.v, abias = S.abias - P.abias;
  const int m = static_cast<int>(axes_.cols());
  for (int k = 0; k < m; ++k) {
    const Vec3<> e = BodyDirection{C_, axes_.col(k)}.direction<double>(now.kin);
    out.phi[k] = e.dot(d);
    out.rate[k] = e.dot(ddot);
    out.b[k] = -e.dot(abias);
    touched_.put(0, k, spatial<double>(cross(e, P.arm), -e), out);
    touched_.put(1, k, spatial<double>(cross(S.arm, e), e), out);
    if (C_ == world) continue;
    const Vec3<> w = angular_velocity(now.kin, C_), wdot = angular_bias(now.kin, C_), we = cross(w, e);
    out.rate[k] += we.dot(d);
    out.b[k] -= 2 * we.dot(ddot) + (cross(wdot, e) + cross(w, we)).dot(d);
    touched_.put(2, k, spatial<double>(cross(e, d), Vec3<>::Zero()), out);
  }
}

}  // namespace trammel
