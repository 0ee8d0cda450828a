#include "trammel/dynamics/branch.h"

#include <algorithm>
#include <utility>

namespace trammel {

Branch::Branch(const Model& model, std::span<const int> touched, std::span<const int> driven) {
  std::vector<bool> reached(model.body_count(), false), is_head(model.body_count(), false);
  for (const std::span<const int> bodies : {touched, driven})
    for (int body : bodies) {
      if (body != world) is_head[body] = true;
      for (; body != world && !reached[body]; body = model.bodies()[body].parent) reached[body] = true;
      if (body != world) is_head[body] = true;  // two ways meet
    }
  std::vector<int> run_of(model.body_count(), -1);
  for (int head = model.body_count() - 1; head >= 0; --head) {
    if (!is_head[head]) continue;
    run_of[head] = static_cast<int>(runs.size());
    const int begin = static_cast<int>(steps.size());
    for (int body = head; body != world && (body == head || !is_head[body]); body = model.bodies()[body].parent) {
      const Body& b = model.bodies()[body];
      steps.push_back({body, b.v, b.nv, b.v, b.turning, b.sliding});
    }
    const auto given = std::ranges::find(touched, head);
    runs.push_back({begin, static_cast<int>(steps.size()), -1,
                    given == touched.end() ? -1 : static_cast<int>(given - touched.begin()), false, false});
  }
  for (Run& run : runs) {
    const int parent = model.bodies()[steps[run.end - 1].body].parent;
    if (parent == world) continue;
    run.next = run_of[parent];
    run.first = !std::exchange(runs[run.next].receives, true);
  }
}

namespace {

// What goes along a branch, from some column on. Rows of W are `width` apart, those of Y `stride`.
struct RightHandSides {
  const double *W, *weight;
  Eigen::Index width;
  double* Y;
  Eigen::Index stride;
  PassedWrenches& passed;
};

// Some of them along one run.
template <int count>
void pass_run(const Positions<>& where, const ArticulatedFactor<>& factor, const Branch& branch, int number,
              const RightHandSides& sides) {
  constexpr int fours = fours_for(count), last = count - 4 * (fours - 1);
  const Branch::Run& run = branch.runs[number];
  Four F[6][fours];
  for (int f = 0; f < fours; ++f) {
    const double* weight = sides.weight + 4 * f;
    const Four scale = f == fours - 1 ? Four::first_at<last>(weight) : Four::at(weight);
    for (int j = 0; j < 6; ++j)
      F[j][f] = run.touched < 0 ? Four(0.0) : Four::at(sides.W + (6 * run.touched + j) * sides.width + 4 * f) * scale;
    for (int j = 0; run.receives && j < 6; ++j) F[j][f] += Four::at(&sides.passed(6 * number + j, 4 * f));
  }
  for (const Branch::Step& step : std::span(branch.steps).subspan(run.begin, run.end - run.begin)) {
    const Vec3<>& r = where.bodies[step.body].r;
    for (int i = step.nv - 1; i >= 0; --i) {
      const Vec6<>&S = where.S[step.v + i], &U = factor.U[step.v + i];
      double* row = sides.Y + (step.row + i) * sides.stride;
      const Four inverse_root_D = factor.inverse_root_D[step.v + i];
      for (int f = 0; f < fours; ++f) {
        const bool ends = f == fours - 1;
        Four y = ends ? Four::first_at<last>(row + 4 * f) : Four::at(row + 4 * f);
        if (!step.sliding) y += F[0][f] * S[0] + F[1][f] * S[1] + F[2][f] * S[2];
        if (!step.turning) y += F[3][f] * S[3] + F[4][f] * S[4] + F[5][f] * S[5];
        y *= inverse_root_D;
        ends ? y.store_first<last>(row + 4 * f) : y.store(row + 4 * f);
        if (i == 0) {  // about the parent's origin, as U of the first column is
          F[0][f] += F[5][f] * r[1] - F[4][f] * r[2];
          F[1][f] += F[3][f] * r[2] - F[5][f] * r[0];
          F[2][f] += F[4][f] * r[0] - F[3][f] * r[1];
        }
        for (int j = 0; j < 6; ++j) F[j][f] -= y * U[j];
      }
    }
  }
  if (run.next < 0) return;
  for (int j = 0; j < 6; ++j)
    for (int f = 0; f < fours; ++f) {
      double* next = &sides.passed(6 * run.next + j, 4 * f);
      (run.first ? F[j][f] : Four::at(next) + F[j][f]).store(next);
    }
}

// The same for any number of them up to 8.
template <class... Arguments>
void pass_run(int count, const Arguments&... arguments) {
  switch (count) {
    case 1:
      return pass_run<1>(arguments...);
    case 2:
      return pass_run<2>(arguments...);
    case 3:
      return pass_run<3>(arguments...);
    case 4:
      return pass_run<4>(arguments...);
    case 5:
      return pass_run<5>(arguments...);
    case 6:
      return pass_run<6>(arguments...);
    case 7:
      return pass_run<7>(arguments...);
    default:
      return pass_run<8>(arguments...);
  }
}

}  // namespace

void apply_L_inverse_to_wrenches(const Positions<>& where, const ArticulatedFactor<>& factor, const Branch& branch,
                                 const RowMatX& W, const double* weight, PassedWrenches& passed,
                                 Eigen::Ref<RowMatX> Y) {
  const int m = static_cast<int>(Y.cols());
  for (int k = 0; k < m; k += 8) {
    const RightHandSides sides{W.data() + k, weight + k, W.outerStride(), Y.data() + k, Y.outerStride(), passed};
    for (std::size_t s = 0; s < branch.runs.size(); ++s)
      pass_run(m - k, where, factor, branch, static_cast<int>(s), sides);
  }
}

}  // namespace trammel
