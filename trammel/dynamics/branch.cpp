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
      if (body != world) is_head[body] = true;  // the first common ancestor
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

// Some right-hand sides, from their first column on. Rows of W are `width` apart, those of Y `stride`.
template <class Scalar>
struct RightHandSides {
  const Scalar* W;
  const double* weight;
  Eigen::Index width;
  Scalar* Y;
  Eigen::Index stride;
  PassedWrenches<Scalar>& passed;
};

// The inward pass of `count` right-hand sides along one run.
template <int count, class Scalar>
void pass_along_run(const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor, const Branch& branch,
                    int number, const RightHandSides<Scalar>& sides) {
  using Side = ColumnPack<Scalar>;
  using Pack = typename Side::Pack;
  constexpr int width = Side::width, packs = (count + width - 1) / width, last = count - width * (packs - 1);
  const Branch::Run& run = branch.runs[number];
  Pack F[6][packs];
  for (int f = 0; f < packs; ++f) {
    const double* weight = sides.weight + width * f;
    const Pack scale = f == packs - 1 ? Side::template weights<last>(weight) : Side::template weights<width>(weight);
    for (int j = 0; j < 6; ++j)
      F[j][f] = run.touched < 0
                    ? Pack(0.0)
                    : Side::template load<width>(sides.W + (6 * run.touched + j) * sides.width + width * f) * scale;
    for (int j = 0; run.receives && j < 6; ++j)
      F[j][f] += Side::template load<width>(&sides.passed(6 * number + j, width * f));
  }
  for (const Branch::Step& step : std::span(branch.steps).subspan(run.begin, run.end - run.begin)) {
    const Vec3<Scalar>& r = where.bodies[step.body].r;
    for (int i = step.nv - 1; i >= 0; --i) {
      const Vec6<Scalar>&S = where.S[step.v + i], &U = factor.U[step.v + i];
      Scalar* row = sides.Y + (step.row + i) * sides.stride;
      const Pack inverse_root_D = factor.inverse_root_D[step.v + i];
      for (int f = 0; f < packs; ++f) {
        const bool ends = f == packs - 1;
        Pack y = ends ? Side::template load<last>(row + width * f) : Side::template load<width>(row + width * f);
        if (!step.sliding) y += F[0][f] * S[0] + F[1][f] * S[1] + F[2][f] * S[2];
        if (!step.turning) y += F[3][f] * S[3] + F[4][f] * S[4] + F[5][f] * S[5];
        y *= inverse_root_D;
        ends ? Side::template store<last>(y, row + width * f) : Side::template store<width>(y, row + width * f);
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
    for (int f = 0; f < packs; ++f) {
      Scalar* next = &sides.passed(6 * run.next + j, width * f);
      Side::template store<width>(run.first ? F[j][f] : Side::template load<width>(next) + F[j][f], next);
    }
}

// The same for any number up to the most that registers hold.
template <int most, class... Arguments>
void pass_along_run_of(int count, const Arguments&... arguments) {
  if constexpr (most == 1)
    pass_along_run<1>(arguments...);
  else if (count >= most)
    pass_along_run<most>(arguments...);
  else
    pass_along_run_of<most - 1>(count, arguments...);
}

}  // namespace

template <class Scalar>
void apply_L_inverse_to_wrenches(const Positions<Scalar>& where, const ArticulatedFactor<Scalar>& factor,
                                 const Branch& branch, const RowMatrixOf<Scalar>& W, const double* weight,
                                 PassedWrenches<Scalar>& passed, Eigen::Ref<RowMatrixOf<Scalar>> Y) {
  constexpr int most = ColumnPack<Scalar>::most;
  const int m = static_cast<int>(Y.cols());
  for (int k = 0; k < m; k += most) {
    const RightHandSides<Scalar> sides{W.data() + k, weight + k,      W.outerStride(),
                                       Y.data() + k, Y.outerStride(), passed};
    for (std::size_t s = 0; s < branch.runs.size(); ++s)
      pass_along_run_of<most>(m - k, where, factor, branch, static_cast<int>(s), sides);
  }
}

#define INSTANTIATE(Scalar)                                                                                            \
  template void apply_L_inverse_to_wrenches(const Positions<Scalar>&, const ArticulatedFactor<Scalar>&, const Branch&, \
                                            const RowMatrixOf<Scalar>&, const double*, PassedWrenches<Scalar>&,        \
                                            Eigen::Ref<RowMatrixOf<Scalar>>);
INSTANTIATE(double)
INSTANTIATE(Lanes)
#undef INSTANTIATE

}  // namespace trammel
