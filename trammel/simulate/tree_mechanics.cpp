#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "trammel/dynamics/energy.h"
#include "trammel/model/configuration.h"
#include "trammel/motion/diagnosis.h"
#include "trammel/simulate/mechanics.h"

namespace trammel {
namespace {

// Whether a law and its rows are the same a turn of coordinate q later, at a state that is like no other.
bool sees_no_turns(const Model& model, const Constraint& law, int coordinate) {
  VecX<> step(model.nv()), v(model.nv());
  for (int i = 0; i < model.nv(); ++i) {
    step[i] = std::sin(1.0 + i);
    v[i] = std::cos(2.0 + i);
  }
  const auto rows_at = [&](const VecX<>& q) {
    Kinematics<> kin(model);
    kinematics<double>(model, q, v, kin);
    Rows out(law.rows(), static_cast<int>(law.bodies().size()), static_cast<int>(law.velocities().size()));
    law.evaluate({kin, q, v, 0.1}, out);
    return out;
  };
  VecX<> q = retract(model, neutral_configuration(model), step);
  const Rows here = rows_at(q);
  q[coordinate] += 2 * std::numbers::pi;
  const Rows there = rows_at(q);
  const auto same = [](const auto& a, const auto& b) { return (a - b).norm() <= 1e-9 * (1 + a.norm()); };
  return same(here.phi, there.phi) && same(here.rate, there.rate) && same(here.b, there.b) &&
         same(here.wrenches, there.wrenches) && same(here.coefficients, there.coefficients);
}

// Coordinates of joints that turn without limit or spring, and whose turns no constraint counts.
std::vector<int> endless_coordinates(const System& system) {
  std::vector<int> out;
  for (const Body& body : system.model.bodies()) {
    if (body.type != JointType::revolute) continue;
    const Coordinate& c = system.model.coordinates()[body.v];
    const bool counted = std::ranges::any_of(system.constraints, [&](const NamedConstraint& constraint) {
      return constraint.working || std::ranges::count(constraint.law->velocities(), body.v) > 0 ||
             !sees_no_turns(system.model, *constraint.law, body.q);
    });
    if (c.lower == -unlimited && c.upper == unlimited && c.stiffness == 0 && !counted) out.push_back(body.q);
  }
  return out;
}

// The rows at position level among those that are held.
std::vector<int> position_rows(const Problem& problem) {
  std::vector<int> out;
  for (int row = 0; row < problem.held().rows; ++row)
    if (problem.rows()[row].level == Level::position) out.push_back(row);
  return out;
}

class TreeMechanics final : public Mechanics {
 public:
  TreeMechanics(const Problem& problem, const std::vector<std::string>& frames)
      : problem_(problem),
        system_(problem_.system()),
        endless_(endless_coordinates(system_)),
        manifold_(system_.model),
        data_(problem_),
        position_rows_(position_rows(problem_)),
        position_qr_(system_.model.nv(), static_cast<int>(position_rows_.size())),
        position_Y_(system_.model.nv(), static_cast<int>(position_rows_.size())),
        position_change_(static_cast<int>(position_rows_.size())),
        frame_positions_(3 * static_cast<int>(frames.size())) {
    for (const std::string& name : frames) frames_.push_back(system_.model.frame(name));
    if (!problem_.driven()) return;
    tracking_errors_.resize(problem_.asked().rows - problem_.held().rows);
    misses_.resize(problem_.asked().constraints.size() - problem_.held().constraints.size());
  }

  const Manifold& manifold() const override { return manifold_; }
  int rows() const override { return problem_.held().rows; }
  std::span<const int> endless() const override { return endless_; }
  void set_turns(const VecX<>& turns) override { data_.turns = turns; }

  bool factorize(const State& at) override { return factorize_motion(at.q, at.v, at.t, data_); }
  void evaluate_rows(const State& at) override { trammel::evaluate_rows(at.q, at.v, at.t, problem_.held(), data_); }
  void solve(const State& at, Motion& out) override {
    if (!problem_.driven()) return solve_factorized(at.q, at.v, at.t, data_, data_.asked, out);
    solve_driven_factorized(at.q, at.v, at.t, data_, out);
    note_misses();
  }
  void factorize_and_solve(const State& at, Motion& out) override {
    if (!problem_.driven()) return solve_motion(at.q, at.v, at.t, data_, out);
    solve_driven(at.q, at.v, at.t, data_, out);
    note_misses();
  }

  Eigen::Ref<const VecX<>> phi() const override { return data_.phi.head(rows()); }
  Eigen::Ref<const VecX<>> rate() const override { return data_.rate.head(rows()); }
  const VecX<>& weight() const override { return problem_.held().weight; }
  Eigen::Ref<const VecX<>> multipliers() override {
    row_multipliers(data_, data_.held());
    return data_.held().lambda.head(rows());
  }

  void least_step(const VecX<>& change, VecX<>& step) override {
    trammel::least_step(change, data_, data_.held(), step);
  }

  // Rows at velocity level have no say in where things are; where there are some, the others have a factor of their own.
  void least_position_step(const VecX<>& change, VecX<>& step) override {
    if (static_cast<int>(position_rows_.size()) == rows()) return least_step(change, step);
    RowSolution& held = data_.held();
    int physical = 0;
    for (std::size_t i = 0; i < position_rows_.size(); ++i) {
      const int row = position_rows_[i];
      data_.qr.column(row, data_.column);
      position_Y_.col(static_cast<int>(i)) = data_.column;
      position_change_[static_cast<int>(i)] = change[row] * held.set->weight[row];
      if (row < held.set->physical_rows) ++physical;
    }
    position_qr_.factorize(position_Y_, physical, problem_.options().rank, nullptr,
                           rounding_of_rows(data_.tree.factor));
    position_qr_.solve(position_change_, held.y);
    apply_L_inverse_transpose<double>(system_.model, data_.tree.kin, data_.tree.factor, held.y, data_.tree.vectors,
                                      step);
  }

  double size() const override {
    double square = 0.01;
    for (const BodyPosition<>& body : data_.tree.kin.bodies) square = std::max(square, body.X_WB.p.squaredNorm());
    return std::sqrt(square);
  }

  double power(const State& at, const Motion& motion) override {
    // data_.tau holds passive and applied forces, and what the constraints do by friction, which Qc has as well
    return (data_.tau + motion.Qc - data_.held().C).dot(at.v);
  }
  double energy(const State& at) override {
    return kinetic_energy<double>(system_.model, at.v, data_.tree.kin) +
           potential_energy<double>(system_.model, at.q, data_.tree.kin) + force_potential(at.q, at.t, data_);
  }
  double spring_energy(const State& at) override {
    double out = force_potential(at.q, at.t, data_);
    for (const Body& body : system_.model.bodies())
      for (int k = 0; k < body.nv; ++k) {
        const Coordinate& c = system_.model.coordinates()[body.v + k];
        if (c.stiffness > 0) out += 0.5 * c.stiffness * (at.q[body.q + k] - c.rest) * (at.q[body.q + k] - c.rest);
      }
    return out;
  }

  const LayeredQr& qr() const override { return data_.qr; }
  const Torques* torques() const override { return data_.motors ? &data_.motors->torques : nullptr; }
  const VecX<>* tracking_errors() const override { return data_.motors ? &tracking_errors_ : nullptr; }
  std::span<const Miss> misses() const override { return misses_; }
  std::string torque_shortfall() const override {
    return data_.motors ? shortfall_text(problem_, data_.motors->torques) : std::string();
  }

  const VecX<>& frame_positions() override {
    for (std::size_t i = 0; i < frames_.size(); ++i)
      frame_positions_.segment<3>(3 * static_cast<int>(i)) = data_.tree.kin.pose(frames_[i]).p;
    return frame_positions_;
  }

  std::vector<std::string> coordinate_names() const override { return system_.model.coordinate_names(); }
  std::vector<std::string> velocity_names() const override {
    std::vector<std::string> out;
    for (int i = 0; i < system_.model.nv(); ++i) out.push_back(system_.model.velocity_name(i));
    return out;
  }
  std::vector<std::string> row_names() const override { return names_of_rows(0, problem_.held().rows); }
  std::vector<std::string> motor_names() const override {
    std::vector<std::string> out;
    if (problem_.driven())
      for (const Actuator& actuator : system_.actuators) out.push_back(actuator.name);
    return out;
  }
  std::vector<std::string> tracked_names() const override {
    return names_of_rows(problem_.held().rows, problem_.asked().rows);
  }
  std::string blame(const State& at) override {
    const Diagnosis asked = diagnose(problem_, at.q + data_.turns, at.v, at.t);
    if (!problem_.driven() || !has_motion(asked.status)) return asked.text();
    System plant = system_;
    plant.actuators.clear();
    std::erase_if(plant.constraints, [](const NamedConstraint& c) { return c.layer == Layer::control; });
    return diagnose(plant, at.q + data_.turns, at.v, at.t, problem_.options()).text();
  }
  std::string weakest_row(const State& at) override {
    const Diagnosis asked = diagnose(problem_, at.q + data_.turns, at.v, at.t);
    return asked.weakest_row.empty()
               ? std::string()
               : fmt::format("{} ({:.1g} of the strongest)", asked.weakest_row, asked.weakest_pivot);
  }

 private:
  std::vector<std::string> names_of_rows(int begin, int end) const {
    std::vector<std::string> out;
    for (int row = begin; row < end; ++row) out.push_back(problem_.rows()[row].name);
    return out;
  }
  // How far the tracked rows are from holding, row by row and constraint by constraint.
  void note_misses() {
    const RowSet& set = problem_.asked();
    tracking_errors_ = data_.phi.tail(tracking_errors_.size());
    const std::size_t held = problem_.held().constraints.size();
    for (std::size_t i = held; i < set.constraints.size(); ++i) {
      const int first = set.first_row[i], m = system_.constraints[set.constraints[i]].law->rows();
      const auto weight = set.weight.segment(first, m);
      misses_[i - held] = {data_.phi.segment(first, m).cwiseProduct(weight).norm(),
                           data_.rate.segment(first, m).cwiseProduct(weight).norm()};
    }
  }

  Problem problem_;
  const System& system_;  // of the problem
  std::vector<int> endless_;
  ModelManifold manifold_;
  Data data_;
  std::vector<int> position_rows_;
  LayeredQr position_qr_;
  MatX<> position_Y_;
  VecX<> position_change_;
  std::vector<Frame> frames_;
  VecX<> frame_positions_, tracking_errors_;
  std::vector<Miss> misses_;  // of each control constraint that motors track
};

}  // namespace

std::unique_ptr<Mechanics> tree_mechanics(const Problem& problem, const std::vector<std::string>& frames) {
  return std::make_unique<TreeMechanics>(problem, frames);
}

}  // namespace trammel
