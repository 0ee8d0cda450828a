#include "trammel/assembly/least_move.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "trammel/motion/stages.h"
#include "trammel/motion/tree_motion.h"

namespace trammel {
namespace {

// The rows alone: nothing is driven, and layers have no say.
Problem compile_rows(System system, double rank_tolerance) {
  system.forces.clear();
  system.actuators.clear();
  system.source = nullptr;
  for (NamedConstraint& constraint : system.constraints) constraint.layer = Layer::physical;
  MotionOptions options;
  options.rank.relative = rank_tolerance;
  return compile(std::move(system), options);
}

std::vector<char> turning_velocities(const Model& model) {
  std::vector<char> out(model.nv(), 0);
  for (const Body& body : model.bodies())
    for (int k = 0; k < body.nv; ++k) out[body.v + k] = is_angular(body.type, k);
  return out;
}

}  // namespace

LeastMove::LeastMove(const System& system, double rank_tolerance)
    : turns_(turning_velocities(system.model)),
      mass_(system.model.moving_mass()),
      data_(compile_rows(system, rank_tolerance)),
      lent_(system.model),
      added_(VecX<>::Zero(system.model.nv())),
      scale_(data_.problem.asked().rows),
      change_(VecX<>::Zero(data_.problem.asked().rows)),
      y_(VecX<>::Zero(system.model.nv())) {
  const RowSet& set = data_.problem.asked();
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[set.constraints[i]];
    scale_.segment(set.first_row[i], constraint.law->rows()).setConstant(constraint.scale);
  }
}

void LeastMove::lend(const std::vector<char>& held, double opening) {
  constexpr double endless = 1e200;
  // by powers of two: the model is copied only where it changes much
  const double rounded = opening > 0 ? std::exp2(std::ceil(std::log2(opening))) : 0;
  VecX<> added(added_.size());
  for (int i = 0; i < added.size(); ++i)
    added[i] = held[i] != 0 ? endless : turns_[i] != 0 ? mass_ * rounded * rounded : 0;
  if (added == added_) return;
  added_ = added;
  lent_ = data_.problem.system().model.with_added_inertia(added_);
}

bool LeastMove::factorize(const std::vector<char>& held, double opening) {
  lend(held, opening);
  grouped_ = false;
  TreeWorkspace<>& tree = data_.tree;
  world_inertias<double>(lent_, tree.kin, tree.inertias);
  return trammel::factorize<double>(lent_, tree.kin, tree.inertias, tree.factor) < 0;
}

// Rows at velocity level have no say in where things are.
void LeastMove::leave_out_speeds() {
  const RowSet& set = data_.problem.asked();
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    Rows& block = data_.blocks[i];
    const Constraint& law = *data_.problem.system().constraints[set.constraints[i]].law;
    for (int k = 0; k < law.rows(); ++k) {
      if (law.level(k) == Level::position) continue;
      for (std::size_t s = 0; s < law.bodies().size(); ++s) block.wrench(static_cast<int>(s), k).setZero();
      block.coefficients.row(k).setZero();
      data_.phi[set.first_row[i] + k] = 0;
    }
  }
}

bool LeastMove::factorize_places(const VecX<>& q, double t, const std::vector<char>& held, Metric metric) {
  evaluate_rows(q, VecX<>::Zero(added_.size()), t, data_.problem.asked(), data_);
  leave_out_speeds();
  const double opening = data_.phi.cwiseProduct(data_.problem.asked().weight).norm();
  if (!factorize(held, metric == Metric::far ? opening : 0)) return false;
  factorize_rows(data_);
  change_ = -data_.phi;
  return true;
}

bool LeastMove::factorize_speeds(const VecX<>& q, const VecX<>& v, double t, const std::vector<char>& held) {
  evaluate_rows(q, v, t, data_.problem.asked(), data_);
  if (!factorize(held, 0)) return false;
  factorize_rows(data_);
  change_ = -data_.rate;
  return true;
}

void LeastMove::newton(VecX<>& step) { least_step(change_, data_, step); }

void LeastMove::form_groups() {
  groups_.resize(data_.qr->groups().size());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    group.columns = data_.qr->groups()[g].group().columns;
    const std::vector<int>& rows = data_.qr->groups()[g].group().rows;
    group.Y.resize(static_cast<int>(rows.size()), static_cast<int>(group.columns.size()));
    for (std::size_t k = 0; k < group.columns.size(); ++k) {
      data_.qr->column(group.columns[k], data_.column);
      group.Y.col(static_cast<int>(k)) = scale_[group.columns[k]] * data_.column(rows);
    }
    group.gram = group.Y.transpose() * group.Y;
  }
  grouped_ = true;
}

void LeastMove::damped(double mu, VecX<>& step) {
  if (!grouped_) form_groups();
  const VecX<> change = change_.cwiseProduct(data_.problem.asked().weight).cwiseProduct(scale_);
  y_.setZero();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    const auto m = static_cast<int>(group.columns.size());
    const MatX<> damped = group.gram + mu * MatX<>::Identity(m, m);
    const VecX<> wanted = change(group.columns), lambda = Eigen::LLT<MatX<>>(damped).solve(wanted);
    y_(data_.qr->groups()[g].group().rows) = group.Y * lambda;
  }
  step.resize(y_.size());
  apply_L_inverse_transpose<double>(data_.problem.system().model, data_.tree.kin, data_.tree.factor, y_,
                                    data_.tree.vectors, step);
}

double LeastMove::largest2() const {
  double out = 0;
  for (int row = 0; row < scale_.size(); ++row)
    out = std::max(out, std::pow(scale_[row] * data_.qr->column_norm(row), 2));
  return out;
}

VecX<> LeastMove::scaled_rates() const {
  return data_.rate.cwiseProduct(data_.problem.asked().weight).cwiseProduct(scale_);
}

const VecX<>& LeastMove::rates() const { return data_.rate; }

double LeastMove::size() const { return extent(data_); }

VecX<> LeastMove::weights() const {
  const RowSet& set = data_.problem.asked();
  const std::vector<NamedConstraint>& constraints = data_.problem.system().constraints;
  std::vector<int> first;
  int rows = 0;
  for (const NamedConstraint& constraint : constraints) {
    first.push_back(rows);
    rows += constraint.law->rows();
  }
  VecX<> out(rows);
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    const int own = constraints[set.constraints[i]].law->rows();
    out.segment(first[set.constraints[i]], own) = set.weight.segment(set.first_row[i], own);
  }
  return out;
}

}  // namespace trammel
