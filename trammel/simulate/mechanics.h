#pragma once

#include <memory>
#include <span>

#include "trammel/motion/torques.h"
#include "trammel/simulate/derivative.h"
#include "trammel/simulate/manifold.h"
#include "trammel/system/matrix_system.h"

namespace trammel {

/// How far a control constraint that motors track is from holding: the length of its errors, and of their rates.
struct Miss {
  double distance = 0;  // m; angles count by the lengths that their rows declare
  double speed = 0;     // m/s
};

/// A system as a run sees it: its equation of motion, its rows and its factors at one state after another. There are two,
/// by the tree (tree_mechanics) and by matrices (matrix_mechanics).
///
/// What is asked after factorize() is answered for that state, until the next one; evaluate_rows() goes on with the same
/// factors.
class Mechanics {
 public:
  virtual ~Mechanics() = default;
  virtual const Manifold& manifold() const = 0;
  virtual int rows() const = 0;

  /// The coordinates that are the same angle a whole turn later, for every constraint and joint spring. A run takes whole
  /// turns off them, so that they keep their digits, and says how many radians these are (of every coordinate): forces are
  /// asked with them added.
  virtual std::span<const int> endless() const { return {}; }
  virtual void set_turns(const VecX<>&) {}

  /// False if the mass matrix is singular there.
  [[nodiscard]] virtual bool factorize(const State& at) = 0;
  virtual void evaluate_rows(const State& at) = 0;
  virtual void solve(const State& at, Motion& out) = 0;
  /// The first and the last of these at once. A mass matrix that is singular is told by the status.
  virtual void factorize_and_solve(const State& at, Motion& out) = 0;

  /// Of every row, as last evaluated: φ, and φ̇ or ψ; and what it is multiplied by to be compared with the others.
  virtual Eigen::Ref<const VecX<>> phi() const = 0;
  virtual Eigen::Ref<const VecX<>> rate() const = 0;
  virtual const VecX<>& weight() const = 0;
  /// λ of every row for the last solve.
  virtual Eigen::Ref<const VecX<>> multipliers() = 0;

  /// The least step in the metric of M that changes the rows by `change`: all of them, or those at position level alone.
  virtual void least_step(const VecX<>& change, VecX<>& step) = 0;
  virtual void least_position_step(const VecX<>& change, VecX<>& step) = 0;

  /// What lengths are compared with, m.
  virtual double size() const = 0;

  /// Of the last solve: the power of all forces that are not weight (W); kinetic energy with that of weight, and the
  /// potential of springs (J).
  virtual double power(const State& at, const Motion& motion) = 0;
  virtual double energy(const State& at) = 0;
  virtual double spring_energy(const State& at) = 0;

  /// The factors of the rows, of those that motors track as well, at the last solve.
  virtual const LayeredQr& qr() const = 0;

  /// What the motors give at the last solve, and how far the control rows that they track are from holding, row by row
  /// and constraint by constraint; nothing where no motors are at work.
  virtual const Torques* torques() const { return nullptr; }
  virtual const VecX<>* tracking_errors() const { return nullptr; }
  virtual std::span<const Miss> misses() const { return {}; }
  virtual std::string torque_shortfall() const { return {}; }

  /// Where the frames that are to be recorded stand at the last solve: x, y, z of each, m.
  virtual const VecX<>& frame_positions() { return no_frames_; }

  /// Names: of each coordinate, velocity, row, motor and tracked row; and who is to blame where there is no motion.
  virtual std::vector<std::string> coordinate_names() const = 0;
  virtual std::vector<std::string> velocity_names() const = 0;
  virtual std::vector<std::string> row_names() const = 0;
  virtual std::vector<std::string> motor_names() const { return {}; }
  virtual std::vector<std::string> tracked_names() const { return {}; }
  virtual std::string blame(const State& at) = 0;
  /// "path[1] (3e-09 of the strongest)": the row that stands out least from the others; empty where none is known.
  virtual std::string weakest_row(const State&) { return {}; }

 private:
  VecX<> no_frames_;
};

/// Where nothing is driven control rows hold like the others. Else the torques that they ask for (torques.h) are computed and applied
/// at every evaluation, and the control rows themselves are not rows of this: the path is tracked, not imposed. `frames` are those
/// whose places are recorded.
std::unique_ptr<Mechanics> tree_mechanics(const Problem& problem, const std::vector<std::string>& frames = {});

/// The system must outlive it.
std::unique_ptr<Mechanics> matrix_mechanics(const MatrixSystem& system, const MotionOptions& options);

}  // namespace trammel
