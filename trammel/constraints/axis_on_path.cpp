#include "trammel/constraints/axis_on_path.h"

#include "trammel/constraints/checks.h"

namespace trammel {

AxisOnPath::AxisOnPath(const BodyDirection& m, VectorPath n, double length)
    : path_(checked_path(std::move(n), "the path of a direction")),
      length_(checked_positive(length, "length in m/rad of a direction")) {
  const Mat3<> frame = frame_with_z(checked_direction(m.d_B, "a direction that follows a path"));
  for (int k = 0; k < 2; ++k) across_[k] = {m.body, frame.col(k)};
}

void AxisOnPath::evaluate(const Movement<double>& now, Rows& out) const {
  const Vec3<Jet> along = moving(path_, now.t), n = along / along.norm();
  out.wrenches.setZero();
  for (int k = 0; k < 2; ++k) {
    const Vec3<Jet> u = direction_jets(now.kin, across_[k]);
    write_position_row(u.dot(n), k, out);
    out.wrench(0, k).head<3>() = cross(values(u), values(n));
  }
}

template class PositionConstraint<AxisOnPath>;

}  // namespace trammel
