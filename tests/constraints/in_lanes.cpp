#include "constraints/in_lanes.h"

#include <limits>

#include "trammel/constraints/templated_rows.h"
#include "trammel/math/lane_columns.h"

namespace trammel::test {

double difference_in_lanes(const Model& model, const Constraint& law, const MatX<>& q, const MatX<>& v, double t,
                           std::span<const double> inputs) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (!law.in_lanes()) return infinite;
  VecX<Lanes> q_lanes(model.nq()), v_lanes(model.nv());
  gather(q, 0, lane_count, q_lanes);
  gather(v, 0, lane_count, v_lanes);
  Kinematics<Lanes> kin_lanes(model);
  kinematics<Lanes>(model, q_lanes, v_lanes, kin_lanes);
  RowsOf<Lanes> all = rows_for<Lanes>(law);
  law.in_lanes()->evaluate(law, {kin_lanes, q_lanes, v_lanes, t, inputs}, all);

  double worst = 0;
  Kinematics<> kin(model);
  Rows one = rows_for(law);
  for (int lane = 0; lane < lane_count; ++lane) {
    const VecX<> q_one = q.col(lane), v_one = v.col(lane);
    kinematics<double>(model, q_one, v_one, kin);
    law.evaluate({kin, q_one, v_one, t, inputs}, one);
    const auto compare = [&](const auto& lanes, const auto& doubles) {
      for (Eigen::Index i = 0; i < doubles.size(); ++i) {
        const double error = std::abs(lanes.data()[i][lane] - doubles.data()[i]) / (1 + std::abs(doubles.data()[i]));
        worst = std::isnan(error) ? infinite : std::max(worst, error);
      }
    };
    compare(all.phi, one.phi);
    compare(all.rate, one.rate);
    compare(all.b, one.b);
    compare(all.packed_wrenches(), one.packed_wrenches());
    compare(all.coefficients, one.coefficients);
  }
  return worst;
}

}  // namespace trammel::test
