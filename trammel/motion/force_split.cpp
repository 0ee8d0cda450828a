#include "trammel/motion/force_split.h"

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>

#include "trammel/math/eps.h"
#include "trammel/motion/constraint_forces.h"
#include "trammel/motion/layered_qr.h"

namespace trammel {
namespace {

// What is below this part of its terms is rounding.
constexpr double negligible = 1e-8;

int size_of_effect(const Problem& problem) {
  std::size_t velocities = 0;
  for (const NamedConstraint& constraint : problem.system().constraints)
    velocities += constraint.law->velocities().size();
  return static_cast<int>(6 * (problem.asked().constraints.size() + problem.system().model.bodies().size()) +
                          velocities);
}

VecX<> weights_of(const Problem& problem) {
  VecX<> out(problem.nv());
  for (int c = 0; c < out.size(); ++c) out[c] = problem.system().model.turns(c) ? 1 / problem.moment_length() : 1;
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

// An orthonormal basis of the rows of a matrix, one to a column; singular values below a part of the largest are rounding.
MatX<> basis_of_rows(const MatX<>& M) {
  const Eigen::JacobiSVD<MatX<>> svd(M, Eigen::ComputeFullV);
  const VecX<>& sigma = svd.singularValues();
  int rank = 0;
  while (rank < sigma.size() && sigma[rank] > negligible * sigma[0]) ++rank;
  return svd.matrixV().leftCols(rank);
}

// A basis of what lies in the span of both: sines of the angles between them that are rounding.
MatX<> intersection(const MatX<>& V, const MatX<>& W) {
  if (V.cols() == 0 || W.cols() == 0) return MatX<>(V.rows(), 0);
  const Eigen::JacobiSVD<MatX<>> svd(V - W * (W.transpose() * V), Eigen::ComputeFullV);
  const auto apart = (svd.singularValues().array() > negligible).count();
  return V * svd.matrixV().rightCols(V.cols() - apart);
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
    : length_(problem.moment_length()),
      per_length_(1 / length_),
      rows_(problem.asked().rows),
      constraints_(static_cast<int>(problem.asked().constraints.size())),
      weight_(weights_of(problem)),
      root_compliance_(root_compliance_of(problem)),
      square_of_row_(rows_),
      effect_(size_of_effect(problem)),
      coefficients_(rows_),
      Q_(problem.nv()),
      passed_(problem.system().model.body_count()) {}

// Of the columns from `first` on: those of which some part (a measure) is not rounding, made orthonormal in it; the parts of the others are
// then zero but for rounding. Returns where the others begin.
template <class Part>
int ForceSplit::make_orthonormal(int first, double floor, const Part& part) {
  for (int k = first; k < count_; ++k) squares_[k] = part(k).squaredNorm();
  for (; first < count_; ++first) {
    int largest = first;
    for (int k = first + 1; k < count_; ++k)
      if (squares_[k] > squares_[largest]) largest = k;
    if (!(squares_[largest] > floor * floor)) break;
    if (largest != first) {
      columns_.col(first).swap(columns_.col(largest));
      std::swap(squares_[first], squares_[largest]);
    }
    columns_.col(first) /= std::sqrt(squares_[first]);
    for (int k = first + 1; k < count_; ++k) {
      const double before = squares_[k];
      const auto take_off = [&] {
        columns_.col(k) -= part(first).dot(part(k)) * columns_.col(first);
        squares_[k] = part(k).squaredNorm();
      };
      take_off();
      if (squares_[k] < 0.01 * before) take_off();  // what little is left has the rounding of what was taken off
    }
  }
  return first;
}

void ForceSplit::factorize(Data& data, const RowSet& set) {
  find_null_vectors(data, set);
  if (!redundant()) return;
  find_effects(data, set);
  elastic_ = 0;
  if (root_compliance_.size() > 0) {
    double scale = 0;
    for (int row = 0; row < set.rows; ++row)
      if (square_of_row_[row] > 0) scale = std::max(scale, root_compliance_[row] / std::sqrt(square_of_row_[row]));
    elastic_ = make_orthonormal(0, blur_ * scale, [&](int k) { return root_compliance_.cwiseProduct(null_vector(k)); });
  }
  loading_ = make_orthonormal(elastic_, negligible, [&](int k) { return effect(k); });
  make_orthonormal(loading_, 0, [&](int k) { return null_vector(k); });
}

void ForceSplit::find_null_vectors(Data& data, const RowSet& set) {
  const LayeredQr& qr = *data.qr;
  int physical = 0;
  count_ = 0;
  if ((set.rows == qr.columns() ? qr.rank() : qr.physical_rank()) == set.rows) return;
  for (int row = 0; row < set.rows; ++row) {
    if (qr.kept(row)) continue;
    ++count_;
    if (row < set.physical_rows) ++physical;
  }
  if (count_ == 0) return;
  if (columns_.cols() < count_) {
    columns_.resize(rows_ + effect_.size(), count_);
    loads_.resize(constraints_ + static_cast<int>(passed_.size()), count_);
    unbalanced_.resize(count_);
    squares_.resize(count_);
  }
  columns_.leftCols(count_).setZero();
  for (int row = 0, k = 0; row < set.rows; ++row) {
    if (qr.kept(row)) continue;
    data.qr->dependence(row, coefficients_);
    null_vector(k) = -coefficients_;
    null_vector(k++)[row] = 1;
  }
  // what rounding in the factors may leave in them
  blur_ = std::clamp(100 * eps / qr.smallest_pivot(), negligible, 0.01);
  // control rows: combinations in which no physical row takes part
  if (physical < count_ && set.physical_rows > 0) {
    for (int k = physical; k < count_; ++k) columns_.col(k).normalize();
    const int within = make_orthonormal(physical, blur_, [&](int k) { return null_vector(k).head(set.physical_rows); });
    for (int k = within; k < count_; ++k) {
      null_vector(k).head(set.physical_rows).setZero();
      columns_.col(physical + k - within) = columns_.col(k);
    }
    count_ -= within - physical;
  }
  for (int k = 0; k < count_; ++k)
    null_vector(k).array() *= data.problem.asked().weight.array();  // the factor's columns were weighted rows
}

void ForceSplit::note_effect(const Data& data, const RowSet& set, const Eigen::Ref<const VecX<>>& lambda,
                             std::span<const Vec6<>> reactions, Eigen::Ref<VecX<>> out) const {
  const System& system = data.problem.system();
  int next = 0;
  for (const Vec6<>& reaction : reactions) {
    out.segment<3>(next) = reaction.head<3>() * per_length_;
    out.segment<3>(next + 3) = reaction.tail<3>();
    next += 6;
  }
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    const Rows& rows = data.blocks[i];
    const std::span<const int> velocities = system.constraints[set.constraints[i]].law->velocities();
    const WrenchAtPoint wrench = wrench_at_point(data, set, static_cast<int>(i), lambda);
    out.segment<3>(next) = wrench.moment * per_length_;
    out.segment<3>(next + 3) = wrench.force;
    next += 6;
    for (std::size_t j = 0; j < velocities.size(); ++j)
      out[next++] = rows.coefficients.col(static_cast<int>(j)).dot(lambda.segment(set.first_row[i], rows.phi.size())) *
                    weight_[velocities[j]];
  }
  out.tail(out.size() - next).setZero();
}

void ForceSplit::find_squares_of_rows(const Data& data, const RowSet& set) {
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    const Constraint& law = *data.problem.system().constraints[set.constraints[i]].law;
    const std::span<const int> bodies = law.bodies(), velocities = law.velocities();
    const Rows& rows = data.blocks[i];
    for (int k = 0; k < rows.phi.size(); ++k) {
      double& square = square_of_row_[set.first_row[i] + k];
      square = 0;
      for (std::size_t s = 0; s < bodies.size(); ++s)
        if (bodies[s] != world) square += square_of(rows.wrench(static_cast<int>(s), k));
      for (std::size_t j = 0; j < velocities.size(); ++j) {
        const double force = rows.coefficients(k, static_cast<int>(j)) * weight_[velocities[j]];
        square += force * force;
      }
    }
  }
}

void ForceSplit::find_effects(const Data& data, const RowSet& set) {
  find_squares_of_rows(data, set);
  for (int k = 0; k < count_; ++k) {
    // as large as unit wrenches; one whose rows are all zero stays as it is
    const double terms = null_vector(k).head(set.rows).cwiseAbs2().dot(square_of_row_.head(set.rows));
    if (terms > 0) null_vector(k) /= std::sqrt(terms);
    load_bodies(data, set, k);
    load_joints(data, k);
    note_effect(data, set, null_vector(k), passed_, effect(k));
  }
}

// What a null vector puts on bodies and velocities: the opposite, which joints have to give, into passed_ and Q_.
void ForceSplit::load_bodies(const Data& data, const RowSet& set, int k) {
  for (Vec6<>& wrench : passed_) wrench.setZero();
  Q_.setZero();
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    double& load = loads_(static_cast<int>(i), k);
    load = 0;
    const auto on_body = [&](int body, const Vec6<>& wrench) {
      passed_[body] -= wrench;
      load = std::max(load, square_of(wrench));
    };
    const auto on_velocity = [&](int c, double along) {
      const double force = along * weight_[c];
      Q_[c] -= force;
      load = std::max(load, force * force);
    };
    for_each_force(data, set, i, null_vector(k).segment(set.first_row[i], data.blocks[i].phi.size()), on_body,
                   on_velocity);
  }
}

// What it puts on the guides of joints, into passed_; what is left along their freedoms does not balance.
void ForceSplit::load_joints(const Data& data, int k) {
  const Model& model = data.problem.system().model;
  const Positions<>& where = data.tree.kin;
  pass_inward(model, where, passed_);
  double unbalanced = 0, in_play = 1;
  for (int i = 0; i < model.body_count(); ++i) {
    const Body& body = model.bodies()[i];
    // with the moments of its force, which others may have taken off
    const double arm2 = where.bodies[i].r.squaredNorm() * per_length_ * per_length_;
    in_play = std::max(in_play, square_of(passed_[i]) + arm2 * passed_[i].tail<3>().squaredNorm());
    for (int c = body.v; c < body.v + body.nv; ++c)
      unbalanced = std::max(unbalanced, std::abs(Q_[c] + where.S[c].dot(passed_[i]) * weight_[c]));
    passed_[i] = along_guides(model, where, i, passed_[i]);
    loads_(constraints_ + i, k) = square_of(passed_[i]);
  }
  unbalanced_[k] = unbalanced / std::sqrt(in_play);
}

// By every null vector that loads it: whether that is one, and whether it does load it.
Uniqueness ForceSplit::verdict(int of) const {
  // what is left of rows that truly follow from others is some roundings of the forces that balance
  constexpr double rounding = 1e-12;
  Uniqueness out = Uniqueness::unique;
  for (int k = 0; k < count_; ++k) {
    const double load = std::sqrt(loads_(of, k));
    if (load <= negligible) continue;
    out = std::max(out, unbalanced_[k] > rounding || load <= blur_ ? Uniqueness::undecided : Uniqueness::shared);
  }
  return out;
}

void ForceSplit::apply(const Data& data, const RowSet& set, std::span<Vec6<>> reactions, Eigen::Ref<VecX<>> lambda) {
  if (!redundant()) return;
  note_effect(data, set, lambda, reactions, effect_);
  for (int k = 0; k < count_; ++k) {
    double z = 0;
    if (k < elastic_)
      for (int row = 0; row < set.rows; ++row)
        z -= null_vector(k)[row] * root_compliance_[row] * root_compliance_[row] * lambda[row];
    else
      z = k < loading_ ? -effect(k).dot(effect_) : -null_vector(k).dot(lambda);
    lambda += z * null_vector(k);
    effect_ += z * effect(k);
  }
  for (std::size_t i = 0; i < reactions.size(); ++i) {
    const auto effect = effect_.segment<6>(6 * static_cast<int>(i));
    reactions[i] = spatial<double>(effect.head<3>() * length_, effect.tail<3>());
  }
}

std::vector<std::string> ForceSplit::elastic_and_slipping(const Problem& problem) const {
  if (root_compliance_.size() == 0 || !redundant()) return {};
  MatX<> elastic = root_compliance_.asDiagonal() * columns_.topLeftCorner(rows_, count_), slipping = elastic;
  for (int row = 0; row < rows_; ++row)
    (problem.rows()[row].level == Level::velocity ? elastic : slipping).row(row).setZero();
  const MatX<> both = intersection(basis_of_rows(elastic), basis_of_rows(slipping));
  std::vector<std::string> out;
  for (int row = 0; row < rows_; ++row) {
    const std::string& name = problem.system().constraints[problem.rows()[row].constraint].name;
    const auto strain = elastic.row(row) + slipping.row(row);
    if ((strain * both).norm() > negligible * strain.norm() && std::ranges::find(out, name) == out.end())
      out.push_back(name);
  }
  return out;
}

}  // namespace trammel
