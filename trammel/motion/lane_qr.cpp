#include "trammel/motion/lane_qr.h"

#include <limits>
#include <span>

namespace trammel {
namespace {

// x ← (1 − β w wᵀ) x for columns of Y, `most` of them at once: they share the loads of w, and their sums overlap. The pivot row
// goes to R.
template <int most>
void reflect_columns(const Reflector<Lanes>& reflector, const Lanes* w, const Elimination::Step& step,
                     std::span<const int> columns, RowMatrixOf<Lanes>& Y, Lanes* R) {
  for (; columns.size() >= most; columns = columns.subspan(most)) {
    Lanes pivot[most], s[most];
    for (int i = 0; i < most; ++i) {
      pivot[i] = Y(step.row, columns[i]);
      s[i] = pivot[i] * reflector.w0;
    }
    for (const auto& [begin, end] : step.others)
      for (int j = begin; j < end; ++j)
        for (int i = 0; i < most; ++i) s[i] += w[j] * Y(j, columns[i]);
    for (int i = 0; i < most; ++i) {
      s[i] *= reflector.beta;
      R[columns[i]] = pivot[i] - s[i] * reflector.w0;
      Y(step.row, columns[i]) = 0.0;
    }
    for (const auto& [begin, end] : step.others)
      for (int j = begin; j < end; ++j) {
        const Lanes w_j = w[j];
        for (int i = 0; i < most; ++i) Y(j, columns[i]) -= s[i] * w_j;
      }
  }
  if constexpr (most > 1) reflect_columns<most - 1>(reflector, w, step, columns, Y, R);
}

}  // namespace

// What decides whether a lane has the leader's rank and verdict.
struct LaneQr::Comparison {
  PivotThresholds<Lanes> thresholds;
  Lanes smallest2;  // square of the smallest pivot so far
  Lanes excess;  // the largest by which a threshold is missed; the lane differs from the leader where it is above zero
  Lanes finite;  // zero, or not a number where something is not finite: max and min forget that
};

void LaneQr::follow(const LayeredQr& leader) {
  groups_.clear();
  for (const GroupQr& from : leader.groups()) {
    Group& group = groups_.emplace_back();
    group.columns = from.group().columns;
    group.rows = from.group().rows;
    group.leader = from.elimination();
    const auto n = static_cast<Eigen::Index>(group.rows.size()), m = static_cast<Eigen::Index>(group.columns.size());
    const Eigen::Index rank = from.rank();
    group.Y.resize(n, m + 1);
    group.R.resize(rank, m + 1);
    group.W.resize(rank, n);
    for (VecX<Lanes>* of_step : {&group.beta, &group.inverse_length, &group.zeta}) of_step->resize(rank);
    for (VecX<Lanes>* of_column : {&group.own2, &group.rest, &group.terms}) of_column->resize(m);
    group.x.resize(n);
    group.leader.order.push_back(static_cast<int>(m));  // h, the last column
  }
}

void LaneQr::carry(const VecX<Lanes>& h) {
  for (Group& group : groups_)
    for (Eigen::Index i = 0; i < group.Y.rows(); ++i) group.Y(i, group.Y.cols() - 1) = h[group.rows[i]];
}

// Reflects by the columns of a layer that the leader kept, and compares all of its columns with the thresholds.
void LaneQr::eliminate(Group& group, int which, Comparison& compared) {
  const Elimination::Layer& layer = group.leader.layers[which];
  const std::vector<int>& order = group.leader.order;
  RowMatrixOf<Lanes>& Y = group.Y;
  for (int i = 0; i < static_cast<int>(layer.steps.size()); ++i) {
    const int k = group.first(which) + i, position = layer.begin + i, column = order[position];
    const auto& [row, others] = layer.steps[i];
    // the reflector of the column
    Lanes* w = &group.W(k, 0);
    const Lanes x0 = Y(row, column);
    Lanes norm2 = x0 * x0;
    for (const auto& [begin, end] : others)
      for (int j = begin; j < end; ++j) {
        w[j] = Y(j, column);
        norm2 += w[j] * w[j];
      }
    const Reflector<Lanes> reflector = reflector_of(x0, norm2);
    w[row] = reflector.w0;
    group.beta[k] = reflector.beta;
    group.inverse_length[k] = -(reflector.beta * reflector.w0);
    compared.smallest2 = min(compared.smallest2, norm2);
    compared.excess = max(compared.excess, compared.thresholds.clear2_for(group.own2[column]) - norm2);

    // the columns behind it
    reflect_columns<4>(reflector, w, layer.steps[i], std::span(order).subspan(position + 1), Y, &group.R(k, 0));
  }
  // what remains of the columns that the leader dropped
  for (int p = layer.begin + static_cast<int>(layer.steps.size()); p < layer.end; ++p) {
    Lanes left2 = 0.0;
    for (Eigen::Index i = 0; i < Y.rows(); ++i) left2 += Y(i, order[p]) * Y(i, order[p]);
    compared.finite += left2 * 0.0;
    compared.excess = max(compared.excess, left2 - compared.thresholds.floor2_for(group.own2[order[p]]));
  }
}

// Forward substitution, Rᵀζ = r over the kept columns; `size` becomes the largest size of their terms.
void LaneQr::substitute(Group& group, int which, Lanes& size) {
  const Elimination::Layer& layer = group.leader.layers[which];
  const std::vector<int>& order = group.leader.order;
  const Eigen::Index h = group.Y.cols() - 1;
  for (int i = 0; i < static_cast<int>(layer.steps.size()); ++i) {
    const int k = group.first(which) + i, column = order[layer.begin + i];
    size = max(size, group.terms[column]);
    const Lanes zeta = group.zeta[k] = group.rest[column] * group.inverse_length[k];
    const Lanes terms = abs(zeta) + abs(group.R(k, h));
    for (std::size_t p = layer.begin + i + 1; p + 1 < order.size(); ++p) {
      const Lanes& R = group.R(k, order[p]);
      group.rest[order[p]] -= R * zeta;
      group.terms[order[p]] += abs(R) * terms;
    }
  }
}

// y = Q(ζ − g).
void LaneQr::solution(Group& group, VecX<Lanes>& y) {
  VecX<Lanes>& x = group.x;
  const Eigen::Index h = group.Y.cols() - 1;
  for (Lanes& number : x) number = 0.0;
  for (const int which : {1, 0}) {
    const Elimination::Layer& layer = group.leader.layers[which];
    for (int i = static_cast<int>(layer.steps.size()) - 1; i >= 0; --i) {
      const int k = group.first(which) + i;
      const auto& [row, others] = layer.steps[i];
      const Lanes* w = &group.W(k, 0);
      // pivot row k is zero so far: reflectors after the k-th, which were applied before, do not have it
      x[row] = group.zeta[k] - group.R(k, h);
      Lanes s = x[row] * w[row];
      for (const auto& [begin, end] : others)
        for (int j = begin; j < end; ++j) s += w[j] * x[j];
      s *= group.beta[k];
      x[row] -= s * w[row];
      for (const auto& [begin, end] : others)
        for (int j = begin; j < end; ++j) x[j] -= s * w[j];
    }
  }
  for (std::size_t i = 0; i < group.rows.size(); ++i) y[group.rows[i]] = x[static_cast<Eigen::Index>(i)];
}

Lanes LaneQr::solve(const VecX<Lanes>& r, const RankTolerance& tolerance, const Lanes& noise, VecX<Lanes>& y) {
  bool any_physical = false;
  for (const Group& group : groups_) any_physical |= group.leader.layers[0].end > 0;
  Lanes largest2 = 0.0, finite = 0.0;
  for (Group& group : groups_) {
    for (Eigen::Index c = 0; c < group.own2.size(); ++c) {
      group.own2[c] = 0.0;
      for (Eigen::Index i = 0; i < group.Y.rows(); ++i) group.own2[c] += group.Y(i, c) * group.Y(i, c);
      group.rest[c] = r[group.columns[c]];
      group.terms[c] = abs(group.rest[c]);
      finite += group.own2[c] * 0.0 + group.rest[c] * 0.0;
    }
    const Elimination::Layer& scale = group.leader.layers[any_physical ? 0 : 1];
    for (int p = scale.begin; p < scale.end; ++p) largest2 = max(largest2, group.own2[group.leader.order[p]]);
  }

  const Lanes largest = sqrt(largest2);
  Comparison compared{{tolerance, largest, noise}, std::numeric_limits<double>::infinity(), -1.0, finite};
  for (Group& group : groups_) eliminate(group, 0, compared);
  compared.thresholds.begin_control_layer(tolerance, sqrt(compared.smallest2) / largest, noise);
  for (Group& group : groups_) eliminate(group, 1, compared);

  const Lanes consistency = consistency_tolerance(tolerance);
  for (const int which : {0, 1}) {
    Lanes size = 0.0;
    for (Group& group : groups_) substitute(group, which, size);
    for (const Group& group : groups_) {
      const Elimination::Layer& layer = group.leader.layers[which];
      for (int p = layer.begin + static_cast<int>(layer.steps.size()); p < layer.end; ++p) {
        const int c = group.leader.order[p];
        compared.finite += group.rest[c] * 0.0;
        compared.excess = max(compared.excess, abs(group.rest[c]) - consistency * max(size, group.terms[c]));
      }
    }
  }
  for (Lanes& number : y) number = 0.0;
  for (Group& group : groups_) solution(group, y);
  return compared.excess + compared.finite;
}

}  // namespace trammel
