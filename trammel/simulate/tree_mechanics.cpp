#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "trammel/dynamics/energy.h"
#include "trammel/model/configuration.h"
#include "trammel/motion/diagnosis.h"
#include "trammel/motion/row_dependence.h"
#include "trammel/simulate/mechanics.h"

namespace trammel {
namespace {

// The torques of the system's motors, as a force on the system without its control rows.
class Motors final : public Force {
 public:
  Motors(const System& controlled, const MotionOptions& options)
      : system_(controlled),
        options_(options),
        work_(controlled),
        torques_(controlled),
        preload_(VecX<>::Zero(torques_.u.size())),
        errors_(VecX<>::Zero(torques_.shortfall.size())),
        misses_(static_cast<std::size_t>(
            std::ranges::count(controlled.constraints, Layer::control, &NamedConstraint::layer))) {}

  void add_to(const Model&, const Movement<double>& now, VecX<>& tau) const override {
    solve_torques(system_, now.q, now.v, now.t, options_, preload_, work_, torques_);
    for (std::size_t j = 0; j < system_.actuators.size(); ++j)
      tau[system_.actuators[j].velocity] += torques_.u[static_cast<int>(j)];
    errors_ = work_.motion.phi.tail(errors_.size());
    note_misses();
  }
  // Why there are no torques, where there are none.
  Status ideal_status() const { return work_.ideal.status; }
  const Torques& torques() const { return torques_; }
  const LayeredQr& qr() const { return work_.motion.qr; }
  const VecX<>& tracking_errors() const { return errors_; }
  std::span<const Miss> misses() const { return misses_; }
  std::string shortfall() const { return shortfall_text(system_, torques_); }
  std::vector<std::string> tracked_names() const {
    std::vector<std::string> out;
    for (int row = work_.motion.physical_rows; row < work_.motion.rows; ++row)
      out.push_back(row_name(system_, work_.motion, row));
    return out;
  }

 private:
  void note_misses() const {
    const MotionWorkspace& rows = work_.motion;
    const std::size_t physical = rows.order.size() - misses_.size();
    for (std::size_t i = physical; i < rows.order.size(); ++i) {
      const int first = rows.first_row[i], m = system_.constraints[rows.order[i]].law->rows();
      const auto weight = rows.weight.segment(first, m);
      misses_[i - physical] = {rows.phi.segment(first, m).cwiseProduct(weight).norm(),
                               rows.rate.segment(first, m).cwiseProduct(weight).norm()};
    }
  }

  const System& system_;
  MotionOptions options_;
  mutable TorqueWorkspace work_;  // scratch: one run, one thread
  mutable Torques torques_;
  VecX<> preload_;
  mutable VecX<> errors_;
  mutable std::vector<Miss> misses_;  // of each control constraint
};

// A force that is asked with all turns of the joints.
class WithTurns final : public Force {
 public:
  WithTurns(std::shared_ptr<const Force> law, std::shared_ptr<const VecX<>> turns)
      : law_(std::move(law)), turns_(std::move(turns)), q_(*turns_) {}

  void add_to(const Model& model, const Movement<double>& now, VecX<>& tau) const override {
    q_ = now.q + *turns_;
    law_->add_to(model, {now.kin, q_, now.v, now.t}, tau);
  }
  double potential_energy(const Placement<double>& now) const override {
    q_ = now.q + *turns_;
    return law_->potential_energy({now.where, q_, now.t});
  }

 private:
  std::shared_ptr<const Force> law_;
  std::shared_ptr<const VecX<>> turns_;
  mutable VecX<> q_;  // scratch: one run, one thread
};

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

bool is_driven(const System& system) {
  return !system.actuators.empty() && std::ranges::any_of(system.constraints, [](const NamedConstraint& constraint) {
    return constraint.layer == Layer::control;
  });
}

// The system that moves: without control rows where motors stand for them.
System plant_of(const System& system, const std::shared_ptr<const Motors>& motors,
                const std::shared_ptr<const VecX<>>& turns) {
  System out = system;
  if (motors) {
    std::erase_if(out.constraints,
                  [](const NamedConstraint& constraint) { return constraint.layer == Layer::control; });
    out.apply("motors", motors);
  }
  for (NamedForce& force : out.forces) force.law = std::make_shared<WithTurns>(force.law, turns);
  return out;
}

class TreeMechanics final : public Mechanics {
 public:
  TreeMechanics(const System& system, const MotionOptions& options, const std::vector<std::string>& frames)
      : controlled_(system),
        motors_(is_driven(system) ? std::make_shared<const Motors>(controlled_, options) : nullptr),
        endless_(endless_coordinates(system)),
        turns_(std::make_shared<VecX<>>(VecX<>::Zero(system.model.nq()))),
        system_(plant_of(system, motors_, turns_)),
        options_(options),
        manifold_(system_.model),
        work_(system_),
        position_columns_(position_columns()),
        position_qr_(system_.model.nv(), static_cast<int>(position_columns_.size())),
        position_Y_(system_.model.nv(), static_cast<int>(position_columns_.size())),
        position_change_(static_cast<int>(position_columns_.size())),
        frame_positions_(3 * static_cast<int>(frames.size())) {
    for (const std::string& name : frames) frames_.push_back(system_.model.frame(name));
  }

  const Manifold& manifold() const override { return manifold_; }
  int rows() const override { return work_.rows; }
  std::span<const int> endless() const override { return endless_; }
  void set_turns(const VecX<>& turns) override { *turns_ = turns; }

  bool factorize(const State& at) override { return factorize_motion(system_, at.q, at.v, at.t, options_.rank, work_); }
  void evaluate_rows(const State& at) override { trammel::evaluate_rows(system_, at.q, at.v, at.t, work_); }
  void solve(const State& at, Motion& out) override {
    solve_factorized(system_, at.q, at.v, at.t, options_, work_, out);
    ask_motors(out);
  }
  void factorize_and_solve(const State& at, Motion& out) override {
    solve_motion(system_, at.q, at.v, at.t, options_, work_, out);
    ask_motors(out);
  }

  const VecX<>& phi() const override { return work_.phi; }
  const VecX<>& rate() const override { return work_.rate; }
  const VecX<>& weight() const override { return work_.weight; }
  const VecX<>& multipliers() override {
    row_multipliers(work_);
    return work_.lambda;
  }

  void least_step(const VecX<>& change, VecX<>& step) override { trammel::least_step(system_, change, work_, step); }

  // Rows at velocity level have no say in where things are; where there are some, the others have a factor of their own.
  void least_position_step(const VecX<>& change, VecX<>& step) override {
    if (static_cast<int>(position_columns_.size()) == work_.rows) return least_step(change, step);
    int physical = 0;
    for (std::size_t i = 0; i < position_columns_.size(); ++i) {
      const int row = position_columns_[i];
      work_.qr.column(row, work_.column);
      position_Y_.col(static_cast<int>(i)) = work_.column;
      position_change_[static_cast<int>(i)] = change[row] * work_.weight[row];
      if (row < work_.physical_rows) ++physical;
    }
    position_qr_.factorize(position_Y_, physical, options_.rank, nullptr, rounding_of_rows(work_.tree.factor));
    position_qr_.solve(position_change_, work_.y);
    apply_L_inverse_transpose<double>(system_.model, work_.tree.kin, work_.tree.factor, work_.y, work_.tree.vectors,
                                      step);
  }

  double size() const override {
    double square = 0.01;
    for (const BodyPosition<>& body : work_.tree.kin.bodies) square = std::max(square, body.X_WB.p.squaredNorm());
    return std::sqrt(square);
  }

  double power(const State& at, const Motion& motion) override {
    // work_.tau holds passive and applied forces, and what the constraints do by friction, which Qc has as well
    return (work_.tau + motion.Qc - work_.working).dot(at.v);
  }
  double energy(const State& at) override {
    return kinetic_energy<double>(system_.model, at.v, work_.tree.kin) +
           potential_energy<double>(system_.model, at.q, work_.tree.kin) + force_potential(at);
  }
  double spring_energy(const State& at) override {
    double out = force_potential(at);
    for (const Body& body : system_.model.bodies())
      for (int k = 0; k < body.nv; ++k) {
        const Coordinate& c = system_.model.coordinates()[body.v + k];
        if (c.stiffness > 0) out += 0.5 * c.stiffness * (at.q[body.q + k] - c.rest) * (at.q[body.q + k] - c.rest);
      }
    return out;
  }

  const LayeredQr& qr() const override { return motors_ ? motors_->qr() : work_.qr; }
  const Torques* torques() const override { return motors_ ? &motors_->torques() : nullptr; }
  const VecX<>* tracking_errors() const override { return motors_ ? &motors_->tracking_errors() : nullptr; }
  std::span<const Miss> misses() const override { return motors_ ? motors_->misses() : std::span<const Miss>(); }
  std::string torque_shortfall() const override { return motors_ ? motors_->shortfall() : std::string(); }

  const VecX<>& frame_positions() override {
    for (std::size_t i = 0; i < frames_.size(); ++i)
      frame_positions_.segment<3>(3 * static_cast<int>(i)) = work_.tree.kin.pose(frames_[i]).p;
    return frame_positions_;
  }

  std::vector<std::string> coordinate_names() const override { return system_.model.coordinate_names(); }
  std::vector<std::string> velocity_names() const override {
    std::vector<std::string> out;
    for (int i = 0; i < system_.model.nv(); ++i) out.push_back(system_.model.velocity_name(i));
    return out;
  }
  std::vector<std::string> row_names() const override {
    std::vector<std::string> out;
    for (int row = 0; row < work_.rows; ++row) out.push_back(row_name(system_, work_, row));
    return out;
  }
  std::vector<std::string> motor_names() const override {
    std::vector<std::string> out;
    if (motors_)
      for (const Actuator& actuator : controlled_.actuators) out.push_back(actuator.name);
    return out;
  }
  std::vector<std::string> tracked_names() const override {
    return motors_ ? motors_->tracked_names() : std::vector<std::string>();
  }
  std::string blame(const State& at) override {
    const Diagnosis asked = diagnose(controlled_, at.q + *turns_, at.v, at.t, options_);
    return has_motion(asked.status) ? diagnose(system_, at.q, at.v, at.t, options_).text() : asked.text();
  }
  std::string weakest_row(const State& at) override {
    const Diagnosis asked = diagnose(controlled_, at.q + *turns_, at.v, at.t, options_);
    return asked.weakest_row.empty()
               ? std::string()
               : fmt::format("{} ({:.1g} of the strongest)", asked.weakest_row, asked.weakest_pivot);
  }

 private:
  // Where nobody can say what the motors should give, there is no motion either.
  void ask_motors(Motion& out) const {
    if (motors_ && motors_->torques().status == TorqueStatus::no_motion) out.status = motors_->ideal_status();
  }
  std::vector<int> position_columns() const {
    std::vector<int> out;
    for (std::size_t i = 0; i < work_.order.size(); ++i) {
      const Constraint& law = *system_.constraints[work_.order[i]].law;
      for (int k = 0; k < law.rows(); ++k)
        if (law.level(k) == Level::position) out.push_back(work_.first_row[i] + k);
    }
    return out;
  }
  double force_potential(const State& at) const {
    double out = 0;
    for (const NamedForce& force : system_.forces) out += force.law->potential_energy({work_.tree.kin, at.q, at.t});
    return out;
  }

  System controlled_;
  std::shared_ptr<const Motors> motors_;
  std::vector<int> endless_;
  std::shared_ptr<VecX<>> turns_;  // rad, of every coordinate; the forces look at it
  System system_;
  MotionOptions options_;
  ModelManifold manifold_;
  MotionWorkspace work_;
  std::vector<int> position_columns_;
  LayeredQr position_qr_;
  MatX<> position_Y_;
  VecX<> position_change_;
  std::vector<Frame> frames_;
  VecX<> frame_positions_;
};

}  // namespace

std::unique_ptr<Mechanics> tree_mechanics(const System& system, const MotionOptions& options,
                                          const std::vector<std::string>& frames) {
  return std::make_unique<TreeMechanics>(system, options, frames);
}

}  // namespace trammel
