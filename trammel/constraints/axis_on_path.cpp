#include "trammel/constraints/axis_on_path.h"

#include "trammel/constraints/aligned.h"
#include "trammel/constraints/checks.h"
#include "trammel/constraints/lane_jets.h"
#include "trammel/constraints/templated_rows.h"

namespace trammel {

AxisOnPath::AxisOnPath(const BodyDirection& m, VectorPath n, double length)
    : path_(checked_path(std::move(n), "the path of a direction")),
      length_(checked_positive(length, "length in m/rad of a direction")) {
  const Mat3<> frame = frame_with_z(checked_direction(m.d_B, "a direction that follows a path"));
  for (int k = 0; k < 2; ++k) across_[k] = {m.body, frame.col(k)};
}

Vec3<> AxisOnPath::misalignment(const Placement<double>& now) const {
  const Vec3<> m = cross(across_[0].direction(now.where), across_[1].direction(now.where));
  return turn_from(at(path_, now.t), m);
}

template <class Scalar>
void AxisOnPath::fill_rows(const Movement<Scalar>& now, RowsOf<Scalar>& out) const {
  const Vec3<JetOf<Scalar>> along = moving(path_, now.t).template cast<JetOf<Scalar>>(), n = along / along.norm();
  for (int k = 0; k < 2; ++k) {
    const Vec3<JetOf<Scalar>> u = direction_jets(now.kin, across_[k]);
    write_position_row<JetOf<Scalar>>(u.dot(n), k, out);
    out.wrench(0, k) = spatial<Scalar>(cross(values(u), values(n)), Vec3<Scalar>::Zero());
  }
}

template class PositionConstraint<AxisOnPath>;
TRAMMEL_COMPILE_ROWS(AxisOnPath);

}  // namespace trammel
