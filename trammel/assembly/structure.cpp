#include "trammel/assembly/structure.h"

#include <Eigen/QR>
#include <algorithm>
#include <random>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "trammel/model/configuration.h"
#include "trammel/motion/dense_equation.h"
#include "trammel/motion/layered_qr.h"
#include "trammel/motion/row_dependence.h"

namespace trammel {
namespace {

// Whether some rows of A depend on each other, or say nothing at all.
bool dependent(const MatX<>& A, const std::vector<int>& rows) {
  const double rounding = 1e-12 * A.norm();
  MatX<> picked = A(rows, Eigen::all);
  for (int k = 0; k < picked.rows(); ++k) {
    const double size = picked.row(k).norm();
    if (!(size > rounding)) return true;
    picked.row(k) /= size;
  }
  Eigen::ColPivHouseholderQR<MatX<>> qr(picked.transpose());
  qr.setThreshold(1e-9);
  return qr.rank() < picked.rows();
}

MatX<> rows_at(const System& system, const VecX<>& q, double t) {
  Kinematics<> kin(system.model);
  const VecX<> at_rest = VecX<>::Zero(system.model.nv());
  kinematics<double>(system.model, q, at_rest, kin);
  const std::vector<double> inputs = system.input_values();
  return dense_constraints(system, {kin, q, at_rest, t, inputs}).A;
}

std::vector<VecX<>> sample_postures(const System& system, const VecX<>& q, double t, int samples, double spread) {
  std::mt19937_64 engine(1);
  std::vector<VecX<>> out;
  AssemblyOptions options;
  options.restarts = 0;
  for (int i = 0; i < samples; ++i) {
    VecX<> step(system.model.nv());
    for (double& x : step) x = spread * (static_cast<double>(engine() >> 11) * 0x1p-52 - 1);
    const Assembly there =
        assemble(system, retract(system.model, q, step), VecX<>::Zero(system.model.nv()), t, options);
    if (there.closed() || there.status == AssemblyStatus::velocities_open) out.push_back(there.q);
  }
  return out;
}

}  // namespace

Structure examine_structure(const Problem& problem, const VecX<>& q, double t, int samples, double spread) {
  const System& system = problem.system();
  Structure out;
  out.freedoms_before = system.model.nv();
  Data data(problem);
  const VecX<> at_rest = VecX<>::Zero(system.model.nv());
  const auto rank_at = [&](const VecX<>& posture) {
    return factorize_motion(posture, at_rest, t, data) ? data.qr->rank() : 0;
  };
  const std::vector<VecX<>> postures = sample_postures(system, q, t, samples, spread);
  out.samples = static_cast<int>(postures.size());
  for (const VecX<>& posture : postures) out.rank = std::max(out.rank, rank_at(posture));
  if (!factorize_motion(q, at_rest, t, data)) return out;
  out.rank_here = data.qr->rank();
  out.rank = std::max(out.rank, out.rank_here);

  std::vector<MatX<>> elsewhere;
  for (const VecX<>& posture : postures) elsewhere.push_back(rows_at(system, posture, t));
  for (const Dependence& dependence : dependences(data, problem.asked())) {
    std::vector<int> group = dependence.others;
    group.push_back(dependence.row);
    const bool everywhere = std::ranges::all_of(elsewhere, [&](const MatX<>& A) { return dependent(A, group); });
    Structure::RedundantRow row{problem.rows()[dependence.row].name, {}};
    for (const int other : dependence.others) row.follows_from.push_back(problem.rows()[other].name);
    (everywhere ? out.structural : out.momentary).push_back(row);
  }
  return out;
}

std::string Structure::text() const {
  std::string out =
      fmt::format("{} freedoms, {} independent rows: {} left\n", freedoms_before, rank, freedoms_before - rank);
  for (const RedundantRow& row : structural) out += fmt::format("{} always {}\n", row.row, follows(row.follows_from));
  for (const RedundantRow& row : momentary)
    out += fmt::format("{} {} here, and not elsewhere: a singular posture\n", row.row, follows(row.follows_from));
  return out;
}

}  // namespace trammel
