#pragma once

#include <array>
#include <functional>
#include <limits>
#include <vector>

#include "trammel/simulate/force_sizes.h"
#include "trammel/simulate/peaks.h"
#include "trammel/simulate/singular_forces.h"

namespace trammel {

/// Finds the peaks of all forces of a run. Sizes are sampled where steps end: up to 32 steps apart, as long as the parabola through three
/// samples foretells the next, since multipliers and their split cost as much as evaluations of the motion do; every step where reactions
/// are watched. Those that the motion has already are looked at where every step ends, and one that leaps, climbs to new
/// peaks, or comes to the top of them, calls for a sample. What is recorded counts, but does not guide the search.
///
/// Where three successive samples enclose a maximum, a parabola through them, and the higher terms of the samples before, tell how high it
/// is. If that may be a new peak and the terms do not fall, the run is looked at inside the steps, by successive parabolas and golden
/// sections, until a parabola says what comes out.
///
/// Where steps are long, a force may come and go inside one: a load that does not touch the motion. A direct size that is above its peak at a
/// stage of a step, and less where the step begins and ends, is looked for there.
///
/// A force that is singular has no size: not a number, which is never a peak. Beside such a moment it may grow as one over the distance from
/// it, so that its largest size is but that of the nearest sample: it then has no bound.
class PeakWatch {
 public:
  static constexpr int most_apart = 32, most_steps_back = 2 * most_apart;

  /// The run since the sample before last.
  struct Inside {
    std::function<bool(double t)> solve_at;            // solves the motion at a moment; false if it cannot
    std::function<double(double t)> nearest_step_end;  // s; where the motion is solved for the least
  };

  /// `joints` by their bodies; `singular` tells which forces are so at each moment.
  PeakWatch(const Problem& problem, std::vector<int> joints, SingularForces& singular);

  /// A step is tried; and a stage of it was solved.
  void begin_stages() {
    at_stages_.setConstant(-1);
    sees_stages_ = true;
  }
  void see_stage(const Data& data);
  /// A state that was solved: where a step ends. Whether the data were then solved elsewhere, to look inside steps.
  bool watch(Data& data, const Inside& inside);
  /// Motors have lost hold of the motion between the ends of the step that has just ended, near a moment of it: forces that grow there as
  /// the torques do have no bound. The data are then solved elsewhere.
  void see_lost_hold(double t, Data& data, const Inside& inside);
  /// A state that was solved where forces leap, on either side of it: it is no sample, for nothing goes on smoothly there.
  void see_leap(Data& data);
  /// A state that was solved anywhere, such as one that is recorded: no peak is less.
  void note(Data& data);
  /// At the end of the run. Where the last state was passed over, it is to be sampled first.
  void finish(Data& data, const Inside& inside);
  bool is_sampled_up_to(double t) const { return samples_ > 0 && time(0) >= t; }
  void sample(Data& data);

  /// Whether it may ask to look inside steps.
  bool looks_inside() const { return !sizes_.none(); }

  Peaks peaks() const;

 private:
  // The parabola through three samples.
  struct Parabola {
    double t, x, slope, half_curvature, t_next;
    Parabola(const std::array<double, 3>& times, const std::array<double, 3>& values);
    double operator()(double at) const { return x + slope * (at - t) + half_curvature * (at - t) * (at - t_next); }
    double vertex() const { return 0.5 * (t + t_next) - slope / (2 * half_curvature); }
  };

  static constexpr int kept = 5;              // samples
  static constexpr double told_apart = 1e-5;  // peaks that differ by less, relatively, are one
  double time(int back) const { return times_[(samples_ - 1 - back) % kept]; }
  double span() const { return samples_ < 3 ? 0 : time(0) - time(2); }  // s, of the last three samples
  const double* values(int back) const { return values_.data() + ((samples_ - 1 - back) % kept) * values_.rows(); }
  double value(int k, int back) const { return values(back)[k]; }

  // The largest of each size so far, and the time at which it came within what is told apart; -1 where none was seen.
  struct Best {
    explicit Best(int count) : value(VecX<>::Constant(count, -1)), t(VecX<>::Zero(count)), dated(value) {}
    void see(int k, double size, double when, double near);
    VecX<> value, t;  // s
    VecX<> dated;     // the sizes that t are the times of
  };

  void measure(Data& data, VecX<>& out);
  void hide_singular(const Data& data, VecX<>& sizes);
  void note_all(const Data& data, const VecX<>& sizes, Best& best);
  void note_uniqueness(const Data& data);
  void choose_distance(const Data& data);
  enum class Change { none, climb, top, leap };
  Change note_direct(Data& data);
  bool is_quiet() const;
  bool sample_both_sides(Data& data, const Inside& inside);
  void add_sample(const VecX<>& sizes, double t);
  bool look_inside(Data& data, const Inside& inside, bool last);
  bool may_have_peak(int k, bool last);
  void note_growth();
  bool grows(int k) const;
  bool is_force(int k, int back) const;
  bool watch_samples(Data& data, const Inside& inside);
  void compare_stages(const Data& data);
  bool look_at_stages(Data& data, const Inside& inside);
  void search(int k, std::array<double, 3> t, std::array<double, 3> x, Data& data, const Inside& inside);
  bool measure_at(double t, Data& data, const Inside& inside);
  double rounding(int k) const { return 1e-9 * largest_ * sizes_.unit()[k]; }

  ForceSizes sizes_;
  SingularForces& singular_;
  MatX<> values_;                     // of the last samples, a column each
  std::array<double, kept> times_{};  // s
  VecX<> now_;                        // sizes at another moment
  VecX<> after_;                      // sizes where the last step ends
  VecX<> direct_, direct_before_;     // the direct ones there, and where the step before ends
  VecX<> at_stage_, at_stages_;       // the same at a stage, and the largest at the stages of a step,
  VecX<> stage_times_;                // and when, s
  VecX<> denied_;                     // what they were at stages, and are not in the motion there
  struct Arch {
    int k;                    // a size that is above its peak inside the step,
    std::array<double, 3> t;  // s, where it begins, at a stage, and where it ends;
    double first, last;       // its values at the ends
  };
  std::vector<Arch> arches_;
  bool sees_stages_ = false;
  double step_begins_ = std::numeric_limits<double>::quiet_NaN();  // s
  Best found_, recorded_;
  double largest_ = 0;  // N, of the found ones, as a force
  std::vector<double> singular_since_;
  bool was_singular_ = false;           // ever, any of them
  VecX<> last_singular_, no_bound_at_;  // s, of each size; not a number where it never was
  std::vector<Uniqueness> uniqueness_;  // the worst so far, of constraints and then of joints
  long samples_ = 0, steps_ = 0, looks_ = 0;
  int apart_ = 1, since_sample_ = 0;  // steps
  // whether some size was singular at the last sample, and none at the one before
  bool sampled_singular_ = false, becomes_singular_ = false;
  bool rose_ = false;  // whether some direct size rose to a new peak in the last step
};

}  // namespace trammel
