#pragma once

#include <array>
#include <memory>

#include "trammel/motion/opening.h"
#include "trammel/motion/row_strength.h"
#include "trammel/simulate/column.h"
#include "trammel/simulate/controllers.h"
#include "trammel/simulate/energy_watch.h"
#include "trammel/simulate/friction_watch.h"
#include "trammel/simulate/inside_steps.h"
#include "trammel/simulate/limits.h"
#include "trammel/simulate/motion_derivative.h"
#include "trammel/simulate/peak_watch.h"
#include "trammel/simulate/projection.h"
#include "trammel/simulate/simulate.h"
#include "trammel/simulate/singularity_watch.h"
#include "trammel/simulate/state_sizes.h"
#include "trammel/simulate/stiffness_watch.h"
#include "trammel/simulate/tracked_path.h"

namespace trammel {

/// One run, from its start to its end, step by step:
///
///   take a step that is good enough → record the moments inside it → arrive at its end, on the constraints → watch what is to be known of
///   every step
class Runner {
 public:
  /// A start that checked_start() has given. The options outlive the runner.
  Runner(const Problem& problem, const State& start, const SimulateOptions& options);

  /// All of it.
  Simulation run();

  /// The start; then one step forward, its moments recorded, that ends at the time `until` at the latest. False where the run has ended.
  bool begin();
  bool advance(double until);
  /// Other inputs from now on, in the order of System::inputs. What they move of the constraints is met at once. False where the run has ended.
  bool change_inputs(std::span<const double> values);
  /// What came of it.
  Simulation conclude();

  double end_time() const { return t0_ + options_.duration; }
  /// The state at which the last step ended; angles are within a turn, what is beyond is in data().turns.
  const State& now() const { return now_; }
  const Data& data() const { return data_; }
  /// The motion there.
  const Data& solved() {
    data_.with_residuals = true;
    (void)derivative_(now_, scratch_);  // its status is in the data
    data_.with_residuals = false;
    return data_;
  }

 private:
  bool projects() const { return options_.drift.kind == Drift::projection; }
  bool watches_limits() const { return options_.limits != LimitRule::ignore && !limits_.empty(); }

  // steps
  bool take(double until);
  bool would_jump();
  bool has_lost_path() const;
  bool has_jumped();
  double bounded_by_work(double next) const;
  bool becomes_stiff();
  void take_damping_implicitly();
  void set_clock(double until);
  bool arrive();
  bool arrive_by_correction();
  void set_inputs();
  bool arrive_with_inputs();
  bool arrive_with_changed_inputs();
  void see_before_change();
  double next_sample() const;
  bool take_samples();
  bool moves_rows();
  double total_energy() const;
  void put_turns_apart();

  // what is to be known of them
  bool watch();
  bool solve_inside(double t);
  bool solve_now();
  bool look_into_long_step();
  void doubt_branch();
  bool meet_limits();
  std::optional<double> part_beyond_limit(const std::vector<double>& turns);
  bool passes_limit_at(double theta);
  double next_moment() const;
  bool is_moment(double t) const;
  bool record_between();
  void record(const State& at, const VecX<>& works);
  void show();
  void conclude_peaks();
  std::vector<std::string> left_open() const;

  // why the run ends: each gives its status and returns false
  bool finish(RunStatus status, std::string what);
  bool stop();
  bool give_up(const State& at);
  bool end_in_singular_posture(const State& at);
  bool left_constraints(const State& at);
  bool end_off_constraints(const State& at);
  bool end_by_contradiction(const State& at);
  bool collapsed();
  bool crawls();
  bool trembles();
  bool contradicts() const;
  bool is_not_a_number(const State& at);
  std::string likely_cause() const;

  Data data_;
  const SimulateOptions& options_;
  const Tableau* method_;  // where joints become stiff, another one from there on
  const std::unique_ptr<Manifold> manifold_of_problem_;
  const Manifold& manifold_;
  ColumnTable table_;
  WorkMeter meter_;
  RowStrength strength_;
  SingularPassage passage_;
  Projection projection_;
  MotionDerivative derivative_;
  Step step_, shorter_;
  InsideSteps inside_;
  StepHistory history_;
  State now_, between_;
  VecX<> inputs_before_, phi_before_, rate_before_;
  Slope slope_, scratch_;
  LimitWatch limits_;
  LimitWatch::Way way_;
  MotorWatch motors_;
  FrictionWatch frictions_;
  StiffnessWatch stiffness_;
  WorstOpenings openings_;
  SingularForces singular_;
  std::vector<Opening> open_at_start_;
  EnergyWatch energy_;
  StateSizes sizes_;
  PeakWatch peaks_;
  PeakWatch::Inside look_inside_;
  SingularityWatch singularities_;
  std::span<const int> endless_;
  std::vector<int> coordinate_of_;  // of the manifold, by velocity
  VecX<> change_, correction_;
  TrackedPath path_;
  Controllers controllers_;
  long motor_samples_ = 0;
  int contradictory_steps_ = 0;  // one after the other
  bool stays_ = false;           // whether the last step ended on the constraints by itself
  bool at_limit_ = false;        // whether it ends at a joint's limit, where the run is to stop
  bool inputs_change_;           // whether inputs are set from outside
  double t0_, h_ = 0, springs_at_start_ = 0;
  double clock_start_;               // s; of steps of one length, which are counted from there
  long clock_steps_ = 0;             //
  double crawled_from_;              // s; where a hundred thousand steps are counted from
  long crawled_at_ = 0;              // steps, up to there
  std::array<double, 9> crawled_{};  // s; how far as many have come, nine times before, the last first
  double trembled_from_;             // s; the same of a few thousand
  long trembled_at_ = 0, trembles_before_ = 0;
  long recorded_ = 0;
  std::string branch_doubt_;
  Simulation run_;
};

}  // namespace trammel
