#include "trammel/constraints/coincident.h"

#include <fmt/core.h>

#include "trammel/constraints/body_motion.h"
#include "trammel/constraints/templated_rows.h"
#include "trammel/dynamics/branch.h"

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

namespace {

// The k-th of the rows that are computed at once (ColumnPack): of one state four, of several states each by itself.
template <class Scalar>
Scalar row_of(const typename ColumnPack<Scalar>::Pack& pack, [[maybe_unused]] int k) {
  if constexpr (std::is_same_v<Scalar, double>)
    return pack[k];
  else
    return pack;
}

// Puts a part's share of the wrenches of rows k … of a pack; what stands in columns beyond the constraint's own is overwritten.
template <class Scalar>
void put_rows(const BodyList& touched, int part, int k, const Spatial<Triple<typename ColumnPack<Scalar>::Pack>>& share,
              RowsOf<Scalar>& out) {
  using InPack = ColumnPack<Scalar>;
  RowMatrixOf<Scalar>& wrenches = out.packed_wrenches();
  Scalar* sum = &wrenches(6 * touched[part], k);
  for (int j = 0; j < 6; ++j, sum += wrenches.cols()) {
    const auto& own = j < 3 ? share.angular[j] : share.linear[j - 3];
    InPack::template store<InPack::width>(
        touched.is_first(part) ? own : InPack::template load<InPack::width>(sum) + own, sum);
  }
}

}  // namespace

template <class Scalar>
void Coincident::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  using InPack = ColumnPack<Scalar>;
  using Number = typename InPack::Pack;
  using Vectors = Triple<Number>;
  const PointMotion<Scalar> P(P_, now.kin), S(S_, now.kin);
  const auto all = [](const auto& u) { return Vectors(u[0], u[1], u[2]); };
  const Vectors d = all(S.p - P.p), ddot = all(S.v - P.v), abias = all(S.abias - P.abias);
  for (int k = 0; k < rows_; k += InPack::width) {
    const auto axis = [&](int j) { return InPack::template weights<InPack::width>(&axes_(j, k)); };
    Vectors e(axis(0), axis(1), axis(2));
    if (C_ != world) {
      const Mat3<Scalar>& R = now.kin.bodies[C_].X_WB.R;
      e = all(R.col(0)) * e.x + all(R.col(1)) * e.y + all(R.col(2)) * e.z;
    }
    Number rate = dot(e, ddot), bias = dot(e, abias);  // b = −bias
    put_rows<Scalar>(touched_, 0, k, {cross(e, all(P.arm)), Vectors::zero() - e}, out);
    put_rows<Scalar>(touched_, 1, k, {cross(all(S.arm), e), e}, out);
    if (C_ != world) {
      const Vectors w = all(angular_velocity(now.kin, C_)), wdot = all(angular_bias(now.kin, C_)), we = cross(w, e);
      rate += dot(we, d);
      bias += dot(we, ddot) * 2.0 + dot(cross(wdot, e) + cross(w, we), d);
      put_rows<Scalar>(touched_, 2, k, {cross(e, d), Vectors::zero()}, out);
    }
    const Number phi = dot(e, d);
    for (int lane = 0; lane < std::min(InPack::width, rows_ - k); ++lane) {
      out.phi[k + lane] = row_of<Scalar>(phi, lane);
      out.rate[k + lane] = row_of<Scalar>(rate, lane);
      out.b[k + lane] = -row_of<Scalar>(bias, lane);
    }
  }
}

template class PositionConstraint<Coincident>;
TRAMMEL_COMPILE_ROWS(Coincident);

}  // namespace trammel
