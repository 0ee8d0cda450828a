#pragma once

#include "trammel/motion/power_balance.h"
#include "trammel/simulate/runge_kutta.h"

namespace trammel {

/// What one channel of the power balance has done over a run.
struct WorkDone {
  std::string name;
  PowerChannel::Kind kind;
  double work = 0;        // J, on the system
  double put_in = 0;      // J, while its power was positive,
  double taken_out = 0;   // J, and while it was negative, as a positive number: work = put_in − taken_out
  double peak_power = 0;  // W, the largest |P| at the start and the end of every step
};

/// The work W of each channel of a problem's power balance along a run, by the weights of its method from the powers P at the stages,
///
///   W⁺ = W + h Σ b_i P_i,
///
/// as the state itself is integrated: energy and work differ by the error of the method alone. What was put in is the part of it above zero,
/// of powers that are straight between the stages: a figure of about two digits.
class WorkMeter {
 public:
  WorkMeter(const Problem& problem, const Tableau& method);

  /// Another method from the next step on, which begins where begin_step() was called.
  void use(const Tableau& method);

  /// Notes the powers of the motion that was just solved.
  void note(Data& data);
  /// What was noted last is the start of the next step.
  void begin_step();
  /// What is noted next are the other stages of a step from there, in the order of their evaluations.
  void restart() { count_ = 1; }
  /// The step is taken: its work is done.
  void end_step(double h);

  /// Of a step whose stages are noted: the error of the work of all channels by the method's own estimate, over the largest that it may
  /// be where powers are as they are, and `exchanged` (J) besides. Powers may change faster than the state does: a motor leads a joint along a
  /// polynomial, which any step meets exactly.
  double relative_error(double h, double exchanged) const;

  /// Since the start, J: at the start of the step, with the part of it that was put in; and at t + θh within it, once its stages are noted.
  const VecX<>& work() const { return work_; }
  const VecX<>& work_put_in() const { return put_in_; }
  const VecX<>& work_within(double h, double theta);
  std::vector<WorkDone> done() const;

 private:
  double part_put_in(const double* P, double work) const;
  double* powers_at(int column) { return powers_.data() + column * powers_.rows(); }

  const Tableau* method_;
  std::vector<int> in_time_;  // the stages in the order of their times, of those at one time the last
  PowerBalance balance_;
  MatX<> powers_;  // of the channels at each stage, a column each; the last column is of evaluations that are no stages
  VecX<> work_, within_, put_in_, peak_, slopes_;
  int count_ = 1, last_ = 0;  // how many stages are noted, and the column of what was noted last
};

}  // namespace trammel
