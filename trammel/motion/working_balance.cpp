#include "trammel/motion/working_balance.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "trammel/motion/force_stage.h"
#include "trammel/motion/layered_qr.h"
#include "trammel/motion/tree_motion.h"

namespace trammel {
namespace {

// p: zero of rows that are not of the set, which has the first rows of problem.asked().
auto multipliers_of(const WorkingStage& stage, const RowSolution& rows) {
  return VecX<>::NullaryExpr(static_cast<int>(stage.rows.size()), [&stage, &rows](Eigen::Index k) {
    return stage.rows[k] < rows.set->rows ? rows.lambda[stage.rows[k]] : 0.0;
  });
}

// C of the multipliers, into data.C_next.
void add_up_forces(Data& data, const RowSolution& rows) {
  const System& system = data.problem.system();
  data.C_next.setZero();
  for (std::size_t i = 0; i < rows.set->constraints.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[rows.set->constraints[i]];
    if (constraint.working)
      constraint.working->add_to(system.model, data.movement(), data.blocks[i],
                                 rows.lambda.segment(rows.set->first_row[i], constraint.law->rows()), data.C_next);
  }
}

// One iteration of C ← C(λ). Returns whether it has converged; else takes Anderson's step of depth one, a secant through the last two
// iterates.
bool iterate(bool first, Data& data, RowSolution& rows) {
  add_up_forces(data, rows);
  data.residual_C = data.C_next - rows.C;
  if (data.residual_C.squaredNorm() <= 1e-30 * data.C_next.squaredNorm()) return true;
  double mixing = 0;
  if (!first) {
    const double change2 = (data.residual_C - data.residual_C_before).squaredNorm();
    if (change2 > 0) mixing = data.residual_C.dot(data.residual_C - data.residual_C_before) / change2;
  }
  rows.C = data.C_next - mixing * (data.C_next - data.C_next_before);
  data.C_next_before = data.C_next;
  data.residual_C_before = data.residual_C;
  return false;
}

// Whether some constraint presses the other way than without friction: it may then not be the balance that continues that.
bool turns_round(const Data& data, const RowSolution& rows) {
  const WorkingStage& stage = *data.working;
  double along = 0;
  for (std::size_t k = 0; k < stage.rows.size(); ++k) {
    const bool first =
        k == 0 || data.problem.rows()[stage.rows[k]].constraint != data.problem.rows()[stage.rows[k - 1]].constraint;
    if (first && along < 0) return true;
    if (first) along = 0;
    if (stage.rows[k] < rows.set->rows) along += rows.lambda[stage.rows[k]] * stage.p0[static_cast<int>(k)];
  }
  return along < 0;
}

// Solves p₀ + s B C(p), and Newton's equations for p of it.
class Continuation {
 public:
  Continuation(LayeredSolution& solution, Data& data, RowSolution& rows, const VecX<>* u)
      : solution_(solution),
        data_(data),
        rows_(rows),
        u_(u),
        stage_(*data.working),
        count_(static_cast<int>(stage_.rows.size())) {}

  // p at s, into data.working->p; false where there is none nearby.
  bool solve(double s) {
    constexpr int most = 30;
    double size_before = std::numeric_limits<double>::infinity();
    for (int round = 0; round < most; ++round) {
      evaluate(s, stage_.p, stage_.given);
      stage_.residual = stage_.p - stage_.given;
      const double size = stage_.residual.norm(), scale = stage_.p.norm() + stage_.p0.norm();
      if (size <= 1e-15 * scale || (size <= 1e-12 * scale && size >= 0.5 * size_before)) return true;
      if (!std::isfinite(size)) return false;
      size_before = size;
      take_newton_step(s);
    }
    return false;
  }

  // Whether the multipliers as they are may continue those without friction: det(1 − B ∂C/∂p) > 0 as there. It changes its sign where p becomes
  // unbounded on the way.
  bool is_connected() {
    stage_.p = multipliers_of(stage_, rows_);
    evaluate(1, stage_.p, stage_.given);
    form_slope(1);
    const bool out = stage_.slope.determinant() > 0;
    evaluate(1, stage_.p, stage_.given);
    return out;
  }

  // From s = 0 to 1; returns the s up to which there is a p.
  double follow() {
    stage_.p = stage_.p0;
    constexpr double longest = 0.1, shortest = 1e-7, most_change = 0.1;
    double s = 0, ds = longest;
    while (s < 1) {
      const double next = std::min(1.0, s + ds);
      stage_.trial = stage_.p;
      if (solve(next) && (stage_.p - stage_.trial).norm() <= most_change * stage_.trial.norm()) {
        s = next;
        ds = std::min(2 * ds, longest);
        continue;
      }
      stage_.p = stage_.trial;
      ds /= 4;
      if (ds < shortest) break;
    }
    return s;
  }

 private:
  // The multipliers under s C(p).
  void evaluate(double s, const VecX<>& p, VecX<>& out) {
    for (int k = 0; k < count_; ++k) rows_.lambda[stage_.rows[k]] = p[k];
    add_up_forces(data_, rows_);
    rows_.C = s * data_.C_next;
    impress_factorized(data_, rows_, u_);
    solution_ = solve_rows(data_, rows_);
    split_forces(data_, rows_, false);
    out = multipliers_of(stage_, rows_);
  }

  // 1 − s B ∂C/∂p at p, by difference quotients.
  void form_slope(double s) {
    VecX<>& aside = stage_.step;
    const double size = stage_.p.norm();
    stage_.slope.setIdentity(count_, count_);
    for (int k = 0; k < count_; ++k) {
      // away from zero, where friction has a kink
      const double by = 1e-6 * std::copysign(std::max(std::abs(stage_.p[k]), 1e-2 * size), stage_.p[k]);
      stage_.residual = stage_.p;
      stage_.residual[k] += by;
      evaluate(s, stage_.residual, aside);
      stage_.slope.col(k) -= (aside - stage_.given) / by;
    }
  }

  void take_newton_step(double s) {
    form_slope(s);
    stage_.residual = stage_.p - stage_.given;
    stage_.p -= stage_.slope.partialPivLu().solve(stage_.residual);
  }

  LayeredSolution& solution_;
  Data& data_;
  RowSolution& rows_;
  const VecX<>* u_;
  WorkingStage& stage_;
  int count_;
};

}  // namespace

WorkingStage::WorkingStage(const Problem& problem) {
  const RowSet& set = problem.asked();
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    const NamedConstraint& constraint = problem.system().constraints[set.constraints[i]];
    for (int k = 0; constraint.working && k < constraint.law->rows(); ++k) rows.push_back(set.first_row[i] + k);
  }
  for (VecX<>* vector : {&p0, &p, &trial, &given, &residual, &step}) vector->setZero(static_cast<int>(rows.size()));
}

bool balance_working_forces(LayeredSolution& solution, Data& data, RowSolution& rows, const VecX<>* u) {
  WorkingStage& stage = *data.working;
  constexpr int most = 200;
  rows.working_coupling = 0;
  rows.working_part = 1;
  double strongest = 0;  // κ of one multiplier
  for (int round = 0; round < most; ++round) {
    split_forces(data, rows, false);
    if (round == 0) stage.p0 = multipliers_of(stage, rows);
    if (round == 1) {
      stage.given = multipliers_of(stage, rows);
      rows.working_coupling = (stage.given - stage.p0).norm() / stage.p0.norm();
      if (!(rows.working_coupling < 1)) break;
      strongest = ((stage.given - stage.p0).array() / stage.p0.array()).abs().maxCoeff();
    }
    if (iterate(round == 0, data, rows)) {
      if (turns_round(data, rows)) break;
      if (strongest < 0.5 || Continuation(solution, data, rows, u).is_connected()) return true;
      break;
    }
    impress_factorized(data, rows, u);
    solution = solve_rows(data, rows);
  }
  rows.working_part = Continuation(solution, data, rows, u).follow();
  return rows.working_part == 1;
}

bool find_other_balance(Data& data, RowSolution& rows, const VecX<>* u) {
  WorkingStage& stage = *data.working;
  LayeredSolution solution;
  Continuation equation(solution, data, rows, u);
  const VecX<> known = multipliers_of(stage, rows);
  for (int first = 0; first < known.size();) {
    const int constraint = data.problem.rows()[stage.rows[first]].constraint;
    stage.p = known;
    for (; first < known.size() && data.problem.rows()[stage.rows[first]].constraint == constraint; ++first)
      stage.p[first] = -known[first];
    if (equation.solve(1) && (stage.p - known).norm() > 1e-6 * known.norm()) return true;
  }
  return false;
}

}  // namespace trammel
