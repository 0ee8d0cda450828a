#include "trammel/constraints/coincident.h"

#include <fmt/core.h>

namespace trammel {

Coincident::Coincident(const BodyPoint& P, const BodyPoint& S, int C,
                       const Eigen::Matrix<double, 3, Eigen::Dynamic>& axes_C)
    : P_(P), S_(S), C_(C), axes_(axes_C), touched_{P.body, S.body, C} {
  if (axes_.cols() < 1 || axes_.cols() > 3)
    throw Error(fmt::format("{} directions along which points coincide", axes_.cols()), "one to three");
}

void Coincident::evaluate(const Movement<double>& now, Rows& out) const {
  const Vec3<> d = S_.position<double>(now.kin) - P_.position<double>(now.kin);
  const Vec3<> ddot = S_.velocity<double>(now.kin) - P_.velocity<double>(now.kin);
  const Vec3<> abias = S_.bias_acceleration(now.kin) - P_.bias_acceleration(now.kin);
  const Vec3<> w = angular_velocity(now.kin, C_), wdot = angular_bias(now.kin, C_);
  out.wrenches.setZero();
  for (int k = 0; k < rows(); ++k) {
    const Vec3<> e = BodyDirection{C_, axes_.col(k)}.direction<double>(now.kin), we = cross(w, e);
    out.phi[k] = e.dot(d);
    out.rate[k] = e.dot(ddot) + we.dot(d);
    out.b[k] = -e.dot(abias) - 2 * we.dot(ddot) - (cross(wdot, e) + cross(w, we)).dot(d);
    out.wrench(touched_[0], k) -= P_.wrench(now.kin, e);
    out.wrench(touched_[1], k) += S_.wrench(now.kin, e);
    out.wrench(touched_[2], k).head<3>() += cross(e, d);
  }
}

}  // namespace trammel
