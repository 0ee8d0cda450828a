#include "trammel/constraints/coincident.h"

#include <fmt/core.h>

#include "trammel/constraints/body_motion.h"
#include "trammel/constraints/templated_rows.h"

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

// Rows that are computed at once: of one state four, of several states side by side each by itself.
template <class Scalar>
struct RowPack {
  using Number = Scalar;
  static constexpr int width = 1;
  static Scalar broadcast(const Scalar& x) { return x; }
  static Scalar constants(const double* p) { return *p; }
  static Scalar load(const Scalar* p) { return *p; }
  static void store(const Scalar& x, Scalar* p) { *p = x; }
  static Scalar lane(const Scalar& x, int) { return x; }
};
template <>
struct RowPack<double> {
  using Number = Pack4;
  static constexpr int width = 4;
  static Pack4 broadcast(double x) { return x; }
  static Pack4 constants(const double* p) { return Pack4::at(p); }
  static Pack4 load(const double* p) { return Pack4::at(p); }
  static void store(const Pack4& x, double* p) { x.store(p); }
  static double lane(const Pack4& x, int k) { return x[k]; }
};

// Puts a part's share of the wrenches of rows k … of a pack; what stands in columns beyond the constraint's own is overwritten.
template <class Scalar>
void put_rows(const BodyList& touched, int part, int k, const Spatial<Triple<typename RowPack<Scalar>::Number>>& share,
              RowsOf<Scalar>& out) {
  using Pack = RowPack<Scalar>;
  RowMatrixOf<Scalar>& wrenches = out.packed_wrenches();
  Scalar* sum = &wrenches(6 * touched[part], k);
  for (int j = 0; j < 6; ++j, sum += wrenches.cols()) {
    const auto& own = j < 3 ? share.angular[j] : share.linear[j - 3];
    Pack::store(touched.is_first(part) ? own : Pack::load(sum) + own, sum);
  }
}

}  // namespace

template <class Scalar>
void Coincident::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  using Pack = RowPack<Scalar>;
  using Number = typename Pack::Number;
  using Vectors = Triple<Number>;
  const PointMotion<Scalar> P(P_, now.kin), S(S_, now.kin);
  const auto all = [](const auto& u) {
    return Vectors(Pack::broadcast(u[0]), Pack::broadcast(u[1]), Pack::broadcast(u[2]));
  };
  const Vectors d = all(S.p - P.p), ddot = all(S.v - P.v), abias = all(S.abias - P.abias);
  for (int k = 0; k < rows_; k += Pack::width) {
    Vectors e(Pack::constants(&axes_(0, k)), Pack::constants(&axes_(1, k)), Pack::constants(&axes_(2, k)));
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
    for (int lane = 0; lane < std::min(Pack::width, rows_ - k); ++lane) {
      out.phi[k + lane] = Pack::lane(phi, lane);
      out.rate[k + lane] = Pack::lane(rate, lane);
      out.b[k + lane] = -Pack::lane(bias, lane);
    }
  }
}

template class PositionConstraint<Coincident>;
TRAMMEL_COMPILE_ROWS(Coincident);

}  // namespace trammel
