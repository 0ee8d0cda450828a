#include "trammel/constraints/coincident.h"

#include <fmt/core.h>

#include "trammel/constraints/body_motion.h"

namespace trammel {

Coincident::Coincident(const BodyPoint& P, const BodyPoint& S, int C,
                       const Eigen::Matrix<double, 3, Eigen::Dynamic>& axes_C)
    : P_(P),
      S_(S),
      C_(C),
      rows_(static_cast<int>(axes_C.cols())),
      touched_(C == world ? BodyList{P.body, S.body} : BodyList{P.body, S.body, C}) {
  if (rows_ < 1 || rows_ > 3)
    throw Error(fmt::format("{} directions along which points coincide", rows_), "one to three");
  axes_.setZero();
  axes_.leftCols(rows_) = axes_C;
}

// All rows at once, one to a lane.
void Coincident::evaluate(const Movement<double>& now, Rows& out) const {
  using Vectors = Triple<Pack4>;
  const PointMotion P(P_, now.kin), S(S_, now.kin);
  const auto all = [](const auto& v) { return Vectors(v[0], v[1], v[2]); };
  const Vectors d = all(S.p - P.p), ddot = all(S.v - P.v), abias = all(S.abias - P.abias);
  Vectors e(Pack4::at(&axes_(0, 0)), Pack4::at(&axes_(1, 0)), Pack4::at(&axes_(2, 0)));
  if (C_ != world) {
    const Mat3<>& R = now.kin.bodies[C_].X_WB.R;
    e = all(R.col(0)) * e.x + all(R.col(1)) * e.y + all(R.col(2)) * e.z;
  }
  Pack4 rate = dot(e, ddot), bias = dot(e, abias);  // b = −bias
  touched_.put_rows(0, {cross(e, all(P.arm)), Vectors::zero() - e}, out);
  touched_.put_rows(1, {cross(all(S.arm), e), e}, out);
  if (C_ != world) {
    const Vectors w = all(angular_velocity(now.kin, C_)), wdot = all(angular_bias(now.kin, C_)), we = cross(w, e);
    rate += dot(we, d);
    bias += dot(we, ddot) * 2.0 + dot(cross(wdot, e) + cross(w, we), d);
    touched_.put_rows(2, {cross(e, d), Vectors::zero()}, out);
  }
  const Pack4 phi = dot(e, d);
  for (int k = 0; k < rows_; ++k) {
    out.phi[k] = phi[k];
    out.rate[k] = rate[k];
    out.b[k] = -bias[k];
  }
}

template class PositionConstraint<Coincident>;

}  // namespace trammel
