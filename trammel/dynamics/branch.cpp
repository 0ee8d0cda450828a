#include "trammel/dynamics/branch.h"

namespace trammel {

Branch::Branch(const Model& model, std::span<const int> touched) {
  std::vector<bool> reached(model.body_count(), false), is_head(model.body_count(), false);
  for (int body : touched) {
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
      steps.push_back({body, b.v, b.nv, b.v, b.turning});
    }
    runs.push_back({begin, static_cast<int>(steps.size()), -1});
  }
  for (Run& run : runs) {
    const int parent = model.bodies()[steps[run.end - 1].body].parent;
    if (parent != world) run.next = run_of[parent];
  }
  for (const int body : touched) slots.push_back(body == world ? -1 : run_of[body]);
}

namespace {

// `columns` right-hand sides along one run: rows of W are `width` apart, those of Y `stride`. W_next, of the run that it goes
// into, may be null.
template <int columns>
void pass_run(const Positions<>& where, const ArticulatedFactor<>& factor, std::span<const Branch::Step> steps,
              const double* W, double* W_next, Eigen::Index width, double* Y, Eigen::Index stride) {
  constexpr int fours = fours_for(columns), last = columns - 4 * (fours - 1);
  Four F[6][fours];
  for (int j = 0; j < 6; ++j)
    for (int f = 0; f < fours; ++f) F[j][f] = Four::at(W + j * width + 4 * f);
  for (const Branch::Step& step : steps) {
    for (int i = step.nv - 1; i >= 0; --i) {
      const Vec6<>&S = where.S[step.v + i], &U = factor.U[step.v + i];
      double* row = Y + (step.row + i) * stride;
      const Four inverse_root_D = factor.inverse_root_D[step.v + i];
      for (int f = 0; f < fours; ++f) {
        const bool ends = f == fours - 1;
        Four y = ends ? Four::first_at<last>(row + 4 * f) : Four::at(row + 4 * f);
        y += F[0][f] * S[0] + F[1][f] * S[1] + F[2][f] * S[2];
        if (!step.turning) y += F[3][f] * S[3] + F[4][f] * S[4] + F[5][f] * S[5];
        y *= inverse_root_D;
        for (int j = 0; j < 6; ++j) F[j][f] -= y * U[j];
        ends ? y.store_first<last>(row + 4 * f) : y.store(row + 4 * f);
      }
    }
    const Vec3<>& r = where.bodies[step.body].r;
    for (int f = 0; f < fours; ++f) {
      F[0][f] += F[5][f] * r[1] - F[4][f] * r[2];
      F[1][f] += F[3][f] * r[2] - F[5][f] * r[0];
      F[2][f] += F[4][f] * r[0] - F[3][f] * r[1];
    }
  }
  if (!W_next) return;
  for (int j = 0; j < 6; ++j)
    for (int f = 0; f < fours; ++f) (Four::at(W_next + j * width + 4 * f) + F[j][f]).store(W_next + j * width + 4 * f);
}

// The same for any number of them up to 8.
template <class... Arguments>
void pass_run(int columns, const Arguments&... arguments) {
  switch (columns) {
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
                                 Eigen::Ref<RowMatX> W, Eigen::Ref<RowMatX> Y) {
  const Eigen::Index width = W.outerStride(), stride = Y.outerStride();
  const int m = static_cast<int>(Y.cols());
  const std::span<const Branch::Step> steps(branch.steps);
  for (std::size_t s = 0; s < branch.runs.size(); ++s) {
    const Branch::Run& run = branch.runs[s];
    for (int k = 0; k < m; k += 8) {
      const double* own = W.data() + 6 * width * static_cast<int>(s) + k;
      double* next = run.next < 0 ? nullptr : W.data() + 6 * width * run.next + k;
      pass_run(m - k, where, factor, steps.subspan(run.begin, run.end - run.begin), own, next, width, Y.data() + k,
               stride);
    }
  }
}

}  // namespace trammel
