#include "trammel/constraints/orientation_on_path.h"

#include "trammel/constraints/checks.h"
#include "trammel/constraints/lane_jets.h"
#include "trammel/constraints/templated_rows.h"
#include "trammel/math/rotation.h"

namespace trammel {

RotationPath zyz_path(ScalarPath phi, ScalarPath theta, ScalarPath psi) {
  checked_path(phi, "phi of ZYZ angles");
  checked_path(theta, "theta of ZYZ angles");
  checked_path(psi, "psi of ZYZ angles");
  return [phi = std::move(phi), theta = std::move(theta), psi = std::move(psi)](const Jet& t) {
    const Jet f = phi(t), h = theta(t), p = psi(t);
    const Jet cf = cos(f), sf = sin(f), ch = cos(h), sh = sin(h), cp = cos(p), sp = sin(p);
    Mat3<Jet> R;
    R << cf * ch * cp - sf * sp, -cf * ch * sp - sf * cp, cf * sh,  //
        sf * ch * cp + cf * sp, -sf * ch * sp + cf * cp, sf * sh,   //
        -sh * cp, sh * sp, ch;
    return R;
  };
}

OrientationOnPath::OrientationOnPath(const Frame& M, RotationPath R_WT, double length)
    : M_(M),
      R_BM_(M.X_BF.R),
      path_(checked_path(std::move(R_WT), "the path of an orientation")),
      length_(checked_positive(length, "length in m/rad of an orientation")) {}

Vec3<> OrientationOnPath::misalignment(const Placement<double>& now) const {
  Mat3<> R_WM;
  for (int i = 0; i < 3; ++i) R_WM.col(i) = axis(i).direction(now.where);
  return log_so3(R_WM * at(path_, now.t).transpose());
}

template <class Scalar>
void OrientationOnPath::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  const Mat3<JetOf<Scalar>> T = moving(path_, now.t).template cast<JetOf<Scalar>>();
  for (int i = 0; i < 3; ++i) {
    const Vec3<JetOf<Scalar>> x = T.col((i + 2) % 3), y = direction_jets(now.kin, axis((i + 1) % 3));
    write_position_row<JetOf<Scalar>>(x.dot(y), i, out);
    out.wrench(0, i) = spatial<Scalar>(cross(values(y), values(x)), Vec3<Scalar>::Zero());
  }
}

template class PositionConstraint<OrientationOnPath>;
TRAMMEL_COMPILE_ROWS(OrientationOnPath);

}  // namespace trammel
