#pragma once

#include <atomic>
#include <functional>

#include "trammel/motion/opening.h"
#include "trammel/motion/problem.h"
#include "trammel/simulate/controller.h"
#include "trammel/simulate/drift_control.h"
#include "trammel/simulate/energy_watch.h"
#include "trammel/simulate/passage.h"
#include "trammel/simulate/peaks.h"
#include "trammel/simulate/recording.h"
#include "trammel/simulate/step_control.h"

namespace trammel {

enum class LimitRule { warn, stop, ignore };

struct SimulateOptions {
  double duration = 1;                     // s
  const Tableau* method = &dopri5;         //
  double step = 1e-3;                      // s; of methods without an error estimate, else the longest if above 0
  Tolerance tolerance{.relative = 1e-10};  // of methods with one
  DriftControl drift{};                    //
  RankTolerance rank{};                    //
  double record_every = 0.01;              // s; 0: every step
  std::vector<std::string> frames{};       // whose places are recorded; of trees only
  std::vector<std::string> reactions{};    // joints whose reactions are recorded; of trees only
  ReactionAxes reaction_axes = ReactionAxes::of_world;  //
  std::vector<std::string> velocities{},
      orientations{};                             // frames whose velocities, or angles, are recorded; of trees only
  std::vector<RecordedExpression> expressions{};  // of trees only
  std::vector<Controller> controllers{};          // of trees only
  double motors_every = 0;                        // s; motors' torques are computed so often and held; 0: always anew
  bool angles = false;                            // records joints that turn without end within a turn, too
  LimitRule limits = LimitRule::warn;             //
  const std::atomic<bool>* stop = nullptr;        // ends the run, from any thread, when it becomes true
  std::function<void(double t)> progress{};       // called after every step
  std::function<void(const State&)> at_step{};    // called at the start and where every step ends
  /// Called there too, before forces are asked: may change the system's inputs (Problem::input tells which is which), which hold until
  /// the next call. Constraints take an input as a constant: one that jumps opens them, and projection closes them again if it can.
  std::function<void(const State&, std::span<double> inputs)> set_inputs{};
};

/// Whether no method can meet a tolerance, and what is allowed instead; the shortest step that the clock resolves at all times of a run, s.
bool is_below_rounding(const Tolerance& tolerance);
std::string allowed_tolerance();
double shortest_step(double start, double duration);

/// Of these, what the equation of motion is solved with.
MotionOptions motion_options(const SimulateOptions& options);

enum class RunStatus {
  finished,
  stopped,          // by the user
  at_limit,         // of a joint, where it was to stop
  not_a_number,     // a force, a constraint or the state
  unreachable,      // the motors cannot give the motion that is asked of them
  no_motion,        // the equation of motion has no answer: singular mass, friction that does not settle
  contradictory,    // constraints that cannot hold together
  step_collapsed,   // no step above rounding keeps the error below the tolerance
  left_constraints  // the projection onto the constraints does not converge
};
std::string_view name_of(RunStatus status);

struct Simulation {
  RunStatus status = RunStatus::finished;
  std::string what;  // why it ended before its time, by name; empty if it did not
  State end;
  Recording recording;
  std::vector<std::string>
      warnings;  // singular constraints, joints and motors beyond or at their limits, with the time; energy that is suspicious
  long steps = 0, rejected_steps = 0, evaluations = 0;
  double worst_phi = 0;         // over the rows of the recording, m
  double worst_rate = 0;        // m/s
  std::vector<WorkDone> works;  // of each channel of the power balance
  /// From when on damping and friction of joints, whose stiffness kept the steps of the method short, are taken implicitly, by ark5; s.
  std::optional<double> stiff_since;

  Peaks peaks;                       // of forces and torques
  std::vector<Passage> passages;     // singular postures on the way
  std::vector<Passage> near_misses;  // those that it comes near to, and does not pass

  EnergyBalance
      energy;  // whether energy and work agree: where they do not, the run is not to be trusted, though it be finished

  /// "'path' is open by 0.2 m; …": constraints that a run without projection has left far open, and paths that
  /// motors within their limits have missed, though the motion may balance.
  std::vector<std::string> left_open;

  /// Whether it came to its end, its energy balances and its constraints hold.
  bool is_good() const { return status == RunStatus::finished && energy.is_good() && left_open.empty(); }

  // Over the start and the end of every step:
  std::vector<Opening> worst_openings;  // of each constraint, in the order of Problem::asked()
  std::vector<Opening> worst_rates;     // likewise, per second
  Opening worst_path;                   // of those that motors track
};

/// From a start (on the constraints, if they are projected onto) over the duration. Throws Error where the start or the
/// options make no sense, or are not those that the problem was compiled with (motion_options); whatever happens later ends the run
/// with its recording kept. With a capacity known beforehand (fixed steps, or fixed record times) nothing allocates between the first
/// and the last step of a tree's run.
[[nodiscard]] Simulation simulate(const Problem& problem, const State& start, const SimulateOptions& options);
/// Of a system that is compiled for it.
[[nodiscard]] Simulation simulate(const System& system, const State& start, const SimulateOptions& options);
[[nodiscard]] Simulation simulate(const MatrixSystem& system, const State& start, const SimulateOptions& options);

/// Throws Error where a run would refuse the start or the options: its first step, without the run.
void check_start(const Problem& problem, const State& start, const SimulateOptions& options);

/// The columns that a run records.
ColumnTable columns_of(const Problem& problem, const SimulateOptions& options);

}  // namespace trammel
