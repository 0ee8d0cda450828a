#include <Eigen/Cholesky>

#include "trammel/motion/dense_factor.h"
#include "trammel/simulate/mechanics.h"

namespace trammel {
namespace {

// By M, Q and rows on jets. Evaluations allocate.
class MatrixMechanics final : public Mechanics {
 public:
  MatrixMechanics(const MatrixSystem& system, const MotionOptions& options)
      : system_(system),
        options_(options),
        manifold_(system.size()),
        rows_(system),
        weight_(VecX<>::Ones(system.rows())),
        multipliers_(system.rows()) {}

  const Manifold& manifold() const override { return manifold_; }
  int rows() const override { return system_.rows(); }

  bool factorize(const State& at) override {
    evaluate_rows(at);
    MatX<> M(system_.size(), system_.size());
    system_.mass(at.q, at.t, M);
    factor_ = std::make_unique<DenseFactor>(M, rows_.A, rows_.physical, options_.rank);
    return factor_->regular();
  }
  void factorize_and_solve(const State& at, Motion& out) override {
    if (factorize(at))
      solve(at, out);
    else
      out.status = at.q.allFinite() && at.v.allFinite() ? Status::singular : Status::not_a_number;
  }
  void evaluate_rows(const State& at) override { trammel::evaluate_rows(system_, at.q, at.v, at.t, rows_); }
  void solve(const State& at, Motion& out) override {
    Q_.resize(system_.size());
    system_.forces(at.q, at.v, at.t, Q_);
    const Baumgarte& gains = options_.baumgarte;
    out = factor_->solve(Q_, rows_.b - gains.alpha * rows_.rate - gains.beta * rows_.phi);
    multipliers_ = factor_->multipliers();
  }

  Eigen::Ref<const VecX<>> phi() const override { return rows_.phi; }
  Eigen::Ref<const VecX<>> rate() const override { return rows_.rate; }
  const VecX<>& weight() const override { return weight_; }
  Eigen::Ref<const VecX<>> multipliers() override { return multipliers_; }

  void least_step(const VecX<>& change, VecX<>& step) override { step = factor_->least_step(change); }
  void least_position_step(const VecX<>& change, VecX<>& step) override {
    // rows at velocity level have no say in where things are
    MatX<> A = rows_.A;
    int row = 0;
    for (const Layer layer : {Layer::physical, Layer::control})
      for (const MatrixSystem::Constraint& constraint : system_.constraints) {
        if (constraint.layer != layer) continue;
        if (constraint.level == Level::velocity) A.middleRows(row, constraint.rows).setZero();
        row += constraint.rows;
      }
    step = DenseFactor(factor_->mass(), A, rows_.physical, options_.rank).least_step(change);
  }

  double size() const override { return 1; }
  double power(const State& at, const Motion& motion) override { return (Q_ + motion.Qc).dot(at.v); }
  double energy(const State& at) override {
    MatX<> M(system_.size(), system_.size());
    system_.mass(at.q, at.t, M);
    return 0.5 * at.v.dot(M * at.v);
  }
  double spring_energy(const State&) override { return 0; }
  const LayeredQr& qr() const override { return factor_->qr(); }

  std::vector<std::string> coordinate_names() const override { return system_.coordinates; }
  std::vector<std::string> velocity_names() const override { return system_.coordinates; }
  std::vector<std::string> row_names() const override {
    std::vector<std::string> out;
    for (const Layer layer : {Layer::physical, Layer::control})
      for (const MatrixSystem::Constraint& constraint : system_.constraints)
        for (int k = 0; k < constraint.rows && constraint.layer == layer; ++k)
          out.push_back(constraint.rows == 1 ? constraint.name : constraint.name + "[" + std::to_string(k) + "]");
    return out;
  }
  std::string blame(const State& at) override {
    if (!at.q.allFinite() || !at.v.allFinite()) return "not a finite number: the state\n";
    if (!factorize(at)) return "a mass matrix that is singular, and constraints that do not make up for it\n";
    return "not a finite number: M, Q or a constraint\n";
  }

 private:
  const MatrixSystem& system_;
  MotionOptions options_;
  VectorSpace manifold_;
  MatrixRows rows_;
  std::unique_ptr<DenseFactor> factor_;
  VecX<> Q_, weight_, multipliers_;
};

}  // namespace

std::unique_ptr<Mechanics> matrix_mechanics(const MatrixSystem& system, const MotionOptions& options) {
  return std::make_unique<MatrixMechanics>(system, options);
}

}  // namespace trammel
