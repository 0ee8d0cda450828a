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

// Some right-hand sides along one run: rows of Y `stride` apart; W_next, of the run that it goes into, may be null.
template <int lanes>
void pass_run(const Positions<>& where, const ArticulatedFactor<>& factor, std::span<const Branch::Step> steps,
              const double* W, double* W_next, double* Y, Eigen::Index stride) {
  using Lanes = Eigen::Array<double, lanes, 1>;
  Lanes F[6];
  for (int j = 0; j < 6; ++j)
    for (int k = 0; k < lanes; ++k) F[j][k] = W[6 * k + j];
  for (const Branch::Step& step : steps) {
    for (int i = step.nv - 1; i >= 0; --i) {
      const Vec6<>&S = where.S[step.v + i], &U = factor.U[step.v + i];
      Eigen::Map<Lanes> row(Y + (step.row + i) * stride);
      Lanes y = row;
      for (int j = 0; j < 3; ++j) y += F[j] * S[j];
      if (!step.turning)
        for (int j = 3; j < 6; ++j) y += F[j] * S[j];
      y *= factor.inverse_root_D[step.v + i];
      for (int j = 0; j < 6; ++j) F[j] -= y * U[j];
      row = y;
    }
    const Vec3<>& r = where.bodies[step.body].r;
    F[0] += F[5] * r[1] - F[4] * r[2];
    F[1] += F[3] * r[2] - F[5] * r[0];
    F[2] += F[4] * r[0] - F[3] * r[1];
  }
  if (!W_next) return;
  for (int j = 0; j < 6; ++j)
    for (int k = 0; k < lanes; ++k) W_next[6 * k + j] += F[j][k];
}

}  // namespace

void apply_L_inverse_to_wrenches(const Positions<>& where, const ArticulatedFactor<>& factor, const Branch& branch,
                                 int m, Eigen::Matrix<double, 6, Eigen::Dynamic>& W, Eigen::Ref<RowMatX> Y) {
  const Eigen::Index stride = Y.outerStride();
  const std::span<const Branch::Step> steps(branch.steps);
  for (std::size_t s = 0; s < branch.runs.size(); ++s) {
    const Branch::Run& run = branch.runs[s];
    const double* own = W.data() + 6 * m * static_cast<int>(s);
    double* next = run.next < 0 ? nullptr : W.data() + 6 * m * run.next;
    const auto pass = [&]<int lanes>(int k) {
      pass_run<lanes>(where, factor, steps.subspan(run.begin, run.end - run.begin), own + 6 * k,
                      next ? next + 6 * k : nullptr, Y.data() + k, stride);
    };
    int k = 0;
    for (; k + 3 < m; k += 4) pass.template operator()<4>(k);
    if (k + 1 < m) {
      pass.template operator()<2>(k);
      k += 2;
    }
    if (k < m) pass.template operator()<1>(k);
  }
}

}  // namespace trammel
