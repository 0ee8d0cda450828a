#include "trammel/assembly/assemble.h"

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/core.h>

#include "trammel/constraints/dense_rows.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/math/eps.h"
#include "trammel/model/configuration.h"

namespace trammel {
namespace {

// All rows of a system at one state, each times its scale.
struct ScaledRows {
  VecX<> phi, rate;
  MatX<> A;
  std::vector<bool> at_position;
};

int row_count(const System& system) {
  int rows = 0;
  for (const NamedConstraint& constraint : system.constraints) rows += constraint.law->rows();
  return rows;
}

ScaledRows scaled_rows(const System& system, const Movement<double>& now) {
  const int m = row_count(system), n = system.model.nv();
  ScaledRows out{VecX<>(m), VecX<>(m), MatX<>(m, n), {}};
  int first = 0;
  for (const NamedConstraint& constraint : system.constraints) {
    const Constraint& law = *constraint.law;
    const int rows = law.rows();
    Rows block = rows_for(law);
    law.evaluate(now, block);
    dense_rows(system.model, now.kin, law, block, out.A.middleRows(first, rows));
    for (int k = 0; k < rows; ++k) {
      const double weight = law.row_scale(k) * constraint.scale;
      out.phi[first + k] = block.phi[k] * weight;
      out.rate[first + k] = block.rate[k] * weight;
      out.A.row(first + k) *= weight;
      out.at_position.push_back(law.level(k) == Level::position);
    }
    first += rows;
  }
  return out;
}

// The robot's size: what lengths are compared with.
double extent(const Positions<>& where) {
  double out = 0.1;
  for (const BodyPosition<>& body : where.bodies) out = std::max(out, body.X_WB.p.norm());
  return out;
}

// The velocities that are not kept, by index in v.
std::vector<int> all_but(const std::vector<int>& kept, int nv) {
  std::vector<int> out;
  for (int i = 0; i < nv; ++i)
    if (std::ranges::find(kept, i) == kept.end()) out.push_back(i);
  return out;
}

// Steps of the velocities that are not kept, by the singular values of Y = L⁻¹Aᵀ.
class LeastSteps {
 public:
  LeastSteps(const MatX<>& M, const MatX<>& A, const std::vector<int>& free, double rank_tolerance)
      : n_(static_cast<int>(M.cols())), free_(free), factor_(MatX<>(M(free, free))) {
    if (free.empty() || A.rows() == 0) return;
    svd_.compute(factor_.matrixL().solve(MatX<>(A(Eigen::all, free).transpose())),
                 Eigen::ComputeThinU | Eigen::ComputeThinV);
    const VecX<>& sigma = svd_.singularValues();
    while (rank_ < sigma.size() && sigma[rank_] > rank_tolerance * sigma[0]) ++rank_;
  }

  // The step that changes the rows by `change`, as far as the damping μ lets it.
  VecX<> towards(const VecX<>& change, double mu) const {
    if (rank_ == 0) return VecX<>::Zero(n_);
    VecX<> z = svd_.matrixV().leftCols(rank_).transpose() * change;
    for (int i = 0; i < rank_; ++i) {
      const double s = svd_.singularValues()[i];
      z[i] *= s / (s * s + mu);
    }
    const VecX<> y = svd_.matrixU().leftCols(rank_) * z;
    VecX<> out = VecX<>::Zero(n_);
    const VecX<> step = factor_.matrixU().solve(y);
    out(free_) = step;
    return out;
  }

  double largest() const { return rank_ > 0 ? svd_.singularValues()[0] : 0; }

 private:
  int n_, rank_ = 0;
  std::vector<int> free_;
  Eigen::LLT<MatX<>> factor_;
  Eigen::JacobiSVD<MatX<>> svd_;
};

// One search for a place on the constraints.
class PlaceSearch {
 public:
  PlaceSearch(const System& system, double t, const AssemblyOptions& options)
      : system_(system),
        inputs_(system.input_values()),
        t_(t),
        options_(options),
        kin_(system.model),
        free_(all_but(options.keep, system.model.nv())) {}

  const std::vector<int>& free() const { return free_; }
  int iterations() const { return iterations_; }

  // Moves q until the rows hold or no step reduces the error. Returns the error in the end.
  double run(VecX<>& q) {
    double error = position_errors(system_, q, t_).norm(), mu = 0;
    for (int i = 0; i < 200 && error > 0; ++i, ++iterations_) {
      if (!improve(q, error, mu)) break;
    }
    return error;
  }

  bool on_right_branches(const VecX<>& q) {
    positions<double>(system_.model, q, kin_);
    return std::ranges::all_of(system_.constraints, [&](const NamedConstraint& constraint) {
      return constraint.law->right_branch({kin_, q, t_, inputs_});
    });
  }

  double size(const VecX<>& q) {
    positions<double>(system_.model, q, kin_);
    return extent(kin_);
  }

 private:
  bool improve(VecX<>& q, double& error, double& mu) {
    const VecX<> at_rest = VecX<>::Zero(system_.model.nv());
    kinematics<double>(system_.model, q, at_rest, kin_);
    ScaledRows rows = scaled_rows(system_, {kin_, q, at_rest, t_, inputs_});
    for (std::size_t k = 0; k < rows.at_position.size(); ++k)
      if (!rows.at_position[k]) rows.A.row(static_cast<int>(k)).setZero();
    const LeastSteps least(mass_matrix(system_.model, q), rows.A, free_, options_.rank_tolerance);
    const double top = least.largest() * least.largest();
    for (; mu <= 1e3 * top; mu = std::max(10 * mu, 1e-4 * top)) {
      VecX<> step = least.towards(-rows.phi, mu);
      const double largest = step.size() == 0 ? 0 : step.cwiseAbs().maxCoeff();
      if (!(largest > 0)) return false;
      if (largest > 1) step /= largest;  // no more than a radian, or a metre, at once
      const VecX<> tried = retract(system_.model, q, step);
      const double there = position_errors(system_, tried, t_).norm();
      if (there < error * (1 - 1e-4) || (there < error && error < 1e-9)) {
        q = tried;
        // near rounding any decrease is accepted; stop when it is negligible
        const bool decreases = there < error * (1 - 1e-9);
        error = there;
        mu = mu < 1e-6 * top ? 0 : mu / 10;
        return decreases;
      }
    }
    return false;
  }

  const System& system_;
  std::vector<double> inputs_;
  double t_;
  const AssemblyOptions& options_;
  Kinematics<> kin_;
  std::vector<int> free_;
  int iterations_ = 0;
};

// Names the constraint whose errors, times their scales as scaled_rows has them, are largest.
void name_open(const System& system, const VecX<>& errors, Assembly& out) {
  int first = 0;
  for (const NamedConstraint& constraint : system.constraints) {
    for (int k = 0; k < constraint.law->rows(); ++k, ++first) {
      if (!std::isfinite(errors[first])) {
        out.status = AssemblyStatus::not_a_number;
        out.open = constraint.name;
        return;
      }
      const double weight = constraint.law->row_scale(k) * constraint.scale;
      if (out.residual.see(errors[first] / weight, weight, constraint.law->unit(k))) out.open = constraint.name;
    }
  }
}

void find_place(const System& system, const VecX<>& guess, double t, const AssemblyOptions& options, Assembly& out) {
  PlaceSearch search(system, t, options);
  std::mt19937_64 engine(2026);
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-52 - 1; };  // −1 … 1, on any machine
  std::vector<double> open;
  double nearest = std::numeric_limits<double>::infinity(), best = nearest;
  for (int attempt = 0; attempt <= options.restarts; ++attempt) {
    VecX<> start = VecX<>::Zero(system.model.nv());
    for (const int i : search.free()) start[i] = attempt == 0 ? 0 : uniform() * 0.2 * attempt;
    VecX<> q = retract(system.model, guess, start);
    const double error = search.run(q);
    ++out.attempts;
    const bool closed = error <= options.tolerance * search.size(q) && search.on_right_branches(q);
    const double away = difference(system.model, guess, q).norm();
    if (closed ? away < nearest : (nearest > 1e300 && error < best)) out.q = q;
    if (closed) {
      nearest = std::min(nearest, away);
      if (attempt == 0) break;
    } else {
      best = std::min(best, error);
      open.push_back(error);
    }
  }
  out.iterations = search.iterations();
  if (nearest < 1e300) return;
  const auto again = std::ranges::count_if(open, [&](double error) { return error < 1.01 * best + 1e-9; });
  const bool false_solution = best <= options.tolerance * search.size(out.q);
  out.status = !false_solution && 2 * again > static_cast<int>(open.size()) ? AssemblyStatus::out_of_reach
                                                                            : AssemblyStatus::stuck;
  name_open(system, position_errors(system, out.q, t), out);
  if (!false_solution) return;
  const std::vector<double> inputs = system.input_values();
  for (const NamedConstraint& constraint : system.constraints) {
    Positions<> where(system.model);
    positions<double>(system.model, out.q, where);
    if (!constraint.law->right_branch({where, out.q, t, inputs})) out.open = constraint.name;
  }
}

void find_speeds(const System& system, double t, const AssemblyOptions& options, Assembly& out) {
  Kinematics<> kin(system.model);
  const std::vector<int> free = all_but(options.keep_speeds, system.model.nv());
  const MatX<> M = mass_matrix(system.model, out.q);
  const std::vector<double> inputs = system.input_values();
  double before = std::numeric_limits<double>::infinity();
  while (true) {
    kinematics<double>(system.model, out.q, out.v, kin);
    const ScaledRows rows = scaled_rows(system, {kin, out.q, out.v, t, inputs});
    const double error = rows.rate.norm();
    const double size = extent(kin) * (1 + (out.v.size() > 0 ? out.v.cwiseAbs().maxCoeff() : 0.0));
    if (error <= 10 * eps * size || !(error < 0.5 * before)) {
      if (error <= options.tolerance * size) return;
      out.status = AssemblyStatus::velocities_open;
      name_open(system, rows.rate, out);
      return;
    }
    before = error;
    out.v += LeastSteps(M, rows.A, free, options.rank_tolerance).towards(-rows.rate, 0);
  }
}

}  // namespace

VecX<> position_errors(const System& system, const VecX<>& q, double t) {
  Positions<> where(system.model);
  positions<double>(system.model, q, where);
  const std::vector<double> inputs = system.input_values();
  VecX<> out = VecX<>::Zero(row_count(system));
  int first = 0;
  for (const NamedConstraint& constraint : system.constraints) {
    const Constraint& law = *constraint.law;
    law.phi(Placement<double>{where, q, t, inputs}, out.segment(first, law.rows()));
    for (int k = 0; k < law.rows(); ++k) out[first + k] *= law.row_scale(k) * constraint.scale;
    first += law.rows();
  }
  return out;
}

std::string_view name_of(AssemblyStatus status) {
  switch (status) {
    case AssemblyStatus::closed:
      return "closed";
    case AssemblyStatus::velocities_open:
      return "velocities open";
    case AssemblyStatus::not_a_number:
      return "not a number";
    case AssemblyStatus::stuck:
      return "stuck";
    default:
      return "out of reach";
  }
}

std::string Assembly::text() const {
  switch (status) {
    case AssemblyStatus::closed:
      return fmt::format("closed in {} iterations; moved by up to {:.2g}", iterations, moved);
    case AssemblyStatus::velocities_open:
      return fmt::format("'{}' moves apart at {}, and no speeds that may be changed prevent it", open,
                         residual.text("/s"));
    case AssemblyStatus::not_a_number:
      return fmt::format("'{}' has no finite value at the start", open);
    case AssemblyStatus::stuck:
      return fmt::format(
          "'{}' is open by {}; {} attempts came to rest in different places: try a better guess, or "
          "keep fewer coordinates",
          open, residual.text(), attempts);
    default:
      return fmt::format("'{}' is out of reach by {}: most of {} attempts came no nearer", open, residual.text(),
                         attempts);
  }
}

Assembly assemble(const System& system, const VecX<>& q, const VecX<>& v, double t, const AssemblyOptions& options) {
  Assembly out;
  out.q = q;
  out.v = v;
  find_place(system, q, t, options, out);
  const VecX<> change = difference(system.model, q, out.q);
  out.moved = change.size() == 0 ? 0 : change.cwiseAbs().maxCoeff();
  if (out.closed()) find_speeds(system, t, options, out);
  return out;
}

}  // namespace trammel
