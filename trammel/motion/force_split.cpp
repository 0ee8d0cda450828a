#include "trammel/motion/force_split.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>

#include "trammel/motion/layered_qr.h"

namespace trammel {
namespace {

// Effects below this part of the largest are rounding.
constexpr double negligible = 1e-8;

int velocities_before(const Problem& problem, const RowSet& set, std::size_t i) {
  int out = 0;
  for (std::size_t k = 0; k < i; ++k)
    out += static_cast<int>(problem.system().constraints[set.constraints[k]].law->velocities().size());
  return out;
}

VecX<> root_compliance_of(const Problem& problem) {
  const System& system = problem.system();
  if (std::ranges::none_of(system.constraints, [](const NamedConstraint& c) { return c.compliance.has_value(); }))
    return {};
  VecX<> out = VecX<>::Zero(problem.asked().rows);
  for (int row = 0; row < out.size(); ++row) {
    const RowInfo& info = problem.rows()[row];
    if (const std::optional<Compliance>& given = system.constraints[info.constraint].compliance)
      out[row] = std::sqrt(info.unit == "rad" ? given->torque : given->force);
  }
  return out;
}

// Combinations of null vectors of control rows in which no physical row takes part.
MatX<> within_control(const MatX<>& N, int physical_rows) {
  if (physical_rows == 0 || N.cols() == 0) return N;
  Eigen::FullPivLU<MatX<>> lu(N.topRows(physical_rows));
  lu.setThreshold(negligible);
  if (lu.dimensionOfKernel() == 0) return MatX<>(N.rows(), 0);
  MatX<> out = N * lu.kernel();
  out.topRows(physical_rows).setZero();
  return out;
}

// Of z in the span of V, narrows V to those that make |M z + r| least, and moves z there.
void make_least(const MatX<>& M, const VecX<>& r, VecX<>& z, MatX<>& V) {
  const double largest = M.cwiseAbs().maxCoeff();
  if (V.cols() == 0 || largest == 0) return;
  const Eigen::JacobiSVD<MatX<>> svd(M * V, Eigen::ComputeThinU | Eigen::ComputeFullV);
  const VecX<>& sigma = svd.singularValues();
  int rank = 0;
  while (rank < sigma.size() && sigma[rank] > negligible * largest) ++rank;
  const VecX<> along = (svd.matrixU().leftCols(rank).transpose() * (M * z + r)).cwiseQuotient(sigma.head(rank));
  z -= V * (svd.matrixV().leftCols(rank) * along);
  V = (V * svd.matrixV().rightCols(V.cols() - rank)).eval();
}

}  // namespace

std::string_view name_of(Uniqueness uniqueness) {
  switch (uniqueness) {
    case Uniqueness::unique:
      return "unique";
    case Uniqueness::undecided:
      return "undecided";
    default:
      return "shared";
  }
}

ForceSplit::ForceSplit(const Problem& problem)
    : per_length_(1 / problem.moment_length()),
      root_compliance_(root_compliance_of(problem)),
      N_(problem.asked().rows, 0),
      effect_(6 * static_cast<int>(problem.asked().constraints.size()) +
              velocities_before(problem, problem.asked(), problem.asked().constraints.size()) +
              6 * problem.system().model.body_count()),
      constraints_(problem.asked().constraints.size()),
      joints_(problem.system().model.body_count()),
      passed_(problem.system().model.body_count()) {}

void ForceSplit::factorize(Data& data, const RowSet& set) {
  find_null_vectors(data, set);
  if (!redundant()) return;
  find_effects(data, set);
  judge(data, set);
  if (root_compliance_.size() > 0) return;
  L_.noalias() = effects_.transpose() * effects_;
  const Eigen::LLT<Eigen::Ref<MatX<>>> form(L_);
  is_definite_ = form.info() == Eigen::Success && L_.diagonal().minCoeff() > 1e-3;
}

void ForceSplit::find_null_vectors(Data& data, const RowSet& set) {
  const LayeredQr& qr = *data.qr;
  int dropped = 0, dropped_control = 0;
  for (int row = 0; row < set.rows; ++row)
    if (!qr.kept(row)) ++(row < set.physical_rows ? dropped : dropped_control);
  N_.resize(data.problem.asked().rows, dropped + dropped_control);
  VecX<>& coefficients = gradient_;
  coefficients.resize(N_.rows());
  for (int row = 0, k = 0; row < set.rows; ++row) {
    if (qr.kept(row)) continue;
    data.qr->dependence(row, coefficients);
    N_.col(k) = -coefficients;
    N_(row, k++) = 1;
  }
  if (dropped_control > 0) {
    const MatX<> control = within_control(N_.rightCols(dropped_control), set.physical_rows);
    N_.conservativeResize(Eigen::NoChange, dropped + control.cols());
    N_.rightCols(control.cols()) = control;
  }
  N_.array().colwise() *= data.problem.asked().weight.array();  // the factor's columns were weighted rows
}

void ForceSplit::note_effect(const Data& data, const RowSet& set, const Eigen::Ref<const VecX<>>& lambda,
                             std::span<const Vec6<>> reactions, Eigen::Ref<VecX<>> out) const {
  const System& system = data.problem.system();
  int next = 0;
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    const Rows& rows = data.blocks[i];
    const std::span<const int> velocities = system.constraints[set.constraints[i]].law->velocities();
    const WrenchAtPoint wrench = wrench_at_point(data, set, static_cast<int>(i), lambda);
    out.segment<3>(next) = wrench.force;
    out.segment<3>(next + 3) = wrench.moment * per_length_;
    next += 6;
    for (std::size_t j = 0; j < velocities.size(); ++j)
      out[next++] = rows.coefficients.col(static_cast<int>(j)).dot(lambda.segment(set.first_row[i], rows.phi.size())) *
                    (system.model.turns(velocities[j]) ? per_length_ : 1);
  }
  for (const Vec6<>& reaction : reactions) {
    out.segment<3>(next) = reaction.tail<3>();
    out.segment<3>(next + 3) = reaction.head<3>() * per_length_;
    next += 6;
  }
  out.tail(out.size() - next).setZero();
}

void ForceSplit::find_effects(const Data& data, const RowSet& set) {
  const System& system = data.problem.system();
  const Model& model = system.model;
  const Positions<>& where = data.tree.kin;
  const int count = static_cast<int>(N_.cols());
  effects_.resize(effect_.size(), count);
  in_joints_.resize(6 * model.body_count(), count);
  unbalanced_.setZero(count);
  VecX<>& Q = z_;
  for (int k = 0; k < count; ++k) {
    for (Vec6<>& wrench : passed_) wrench.setZero();
    Q.setZero(model.nv());
    for (std::size_t i = 0; i < set.constraints.size(); ++i) {
      const Constraint& law = *system.constraints[set.constraints[i]].law;
      const auto own = N_.col(k).segment(set.first_row[i], data.blocks[i].phi.size());
      for (std::size_t s = 0; s < law.bodies().size(); ++s)
        if (law.bodies()[s] != world) passed_[law.bodies()[s]] -= data.blocks[i].wrenches_on(static_cast<int>(s)) * own;
      for (std::size_t j = 0; j < law.velocities().size(); ++j)
        Q[law.velocities()[j]] -= data.blocks[i].coefficients.col(static_cast<int>(j)).dot(own);
    }
    pass_inward(model, where, passed_);
    for (int i = 0; i < model.body_count(); ++i) {
      const Body& body = model.bodies()[i];
      for (int c = body.v; c < body.v + body.nv; ++c)
        unbalanced_[k] =
            std::max(unbalanced_[k], std::abs(Q[c] + where.S[c].dot(passed_[i])) * (model.turns(c) ? per_length_ : 1));
      passed_[i] = along_guides(model, where, i, passed_[i]);
      in_joints_.col(k).segment<6>(6 * i) = passed_[i];
    }
    note_effect(data, set, N_.col(k), passed_, effects_.col(k));
    const double size = effects_.col(k).norm();
    if (size == 0) continue;
    for (MatX<>* of : {&N_, &effects_, &in_joints_}) of->col(k) /= size;
    unbalanced_[k] /= size;
  }
}

void ForceSplit::judge(const Data& data, const RowSet& set) {
  // what is left of rows that truly follow from others is some roundings of the forces that balance
  constexpr double rounding = 1e-12;
  const System& system = data.problem.system();
  std::ranges::fill(constraints_, Uniqueness::unique);
  std::ranges::fill(joints_, Uniqueness::unique);
  for (int k = 0; k < N_.cols(); ++k) {
    const Uniqueness verdict = unbalanced_[k] > rounding ? Uniqueness::undecided : Uniqueness::shared;
    const auto note = [&](double effect, Uniqueness& of) {
      if (effect > negligible) of = std::max(of, verdict);
    };
    for (std::size_t i = 0; i < set.constraints.size(); ++i) {
      const Constraint& law = *system.constraints[set.constraints[i]].law;
      const Rows& rows = data.blocks[i];
      const auto own = N_.col(k).segment(set.first_row[i], rows.phi.size());
      for (std::size_t s = 0; s < law.bodies().size(); ++s) {
        const Vec6<> wrench = rows.wrenches_on(static_cast<int>(s)) * own;
        note(std::hypot(wrench.head<3>().norm() * per_length_, wrench.tail<3>().norm()), constraints_[i]);
      }
      for (std::size_t j = 0; j < law.velocities().size(); ++j)
        note(std::abs(rows.coefficients.col(static_cast<int>(j)).dot(own)) *
                 (system.model.turns(law.velocities()[j]) ? per_length_ : 1),
             constraints_[i]);
    }
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const auto reaction = in_joints_.col(k).segment<6>(6 * static_cast<int>(i));
      note(std::hypot(reaction.head<3>().norm() * per_length_, reaction.tail<3>().norm()), joints_[i]);
    }
  }
}

VecX<> ForceSplit::best_combination(const VecX<>& lambda) const {
  const int count = static_cast<int>(N_.cols());
  VecX<> z = VecX<>::Zero(count);
  MatX<> open = MatX<>::Identity(count, count);
  if (root_compliance_.size() > 0)
    make_least(root_compliance_.asDiagonal() * N_, root_compliance_.cwiseProduct(lambda), z, open);
  make_least(effects_, effect_, z, open);
  make_least(N_, lambda, z, open);
  return z;
}

void ForceSplit::apply(const Data& data, const RowSet& set, std::span<Vec6<>> reactions, Eigen::Ref<VecX<>> lambda) {
  if (!redundant()) return;
  note_effect(data, set, lambda, reactions, effect_);
  if (is_definite_) {
    gradient_.noalias() = effects_.transpose() * effect_;
    z_ = -gradient_;
    L_.triangularView<Eigen::Lower>().solveInPlace(z_);
    L_.triangularView<Eigen::Lower>().transpose().solveInPlace(z_);
  } else {
    z_ = best_combination(lambda);
  }
  lambda.noalias() += N_ * z_;
  for (std::size_t i = 0; i < reactions.size(); ++i)
    reactions[i].noalias() += in_joints_.middleRows<6>(6 * static_cast<int>(i)) * z_;
}

std::vector<std::string> ForceSplit::elastic_and_slipping(const Problem& problem) const {
  if (root_compliance_.size() == 0 || !redundant()) return {};
  const auto rank = [](const MatX<>& M) {
    Eigen::FullPivLU<MatX<>> lu(M);
    lu.setThreshold(negligible);
    return lu.rank();
  };
  MatX<> elastic = root_compliance_.asDiagonal() * N_, slipping = elastic;
  for (int row = 0; row < N_.rows(); ++row)
    (problem.rows()[row].level == Level::velocity ? elastic : slipping).row(row).setZero();
  // each by itself in units of its own
  for (MatX<>* of : {&elastic, &slipping})
    if (const double largest = of->cwiseAbs().maxCoeff(); largest > 0) *of /= largest;
  const MatX<> both = elastic + slipping;
  if (rank(elastic) + rank(slipping) == rank(both)) return {};
  std::vector<std::string> out;
  for (int row = 0; row < N_.rows(); ++row) {
    const std::string& name = problem.system().constraints[problem.rows()[row].constraint].name;
    if (both.row(row).norm() > negligible && std::ranges::find(out, name) == out.end()) out.push_back(name);
  }
  return out;
}

}  // namespace trammel
