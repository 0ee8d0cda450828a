#pragma once

#include <array>
#include <functional>

#include "trammel/motion/row_strength.h"
#include "trammel/simulate/force_sizes.h"
#include "trammel/simulate/peaks.h"

namespace trammel {

/// Finds the peaks of all forces of a run. Sizes are sampled where steps end: up to 32 steps apart, as long as the parabola through three
/// samples foretells the next, since multipliers and their split cost as much as evaluations of the motion do; every step where reactions
/// are watched. Those that the motion has already are looked at where every step ends, and one that leaps or rises to a new peak calls for a
/// sample. What is recorded counts, but does not guide the search.
///
/// Where three successive samples enclose a maximum, a parabola through them, and the cubic term of the sample before, tell how high it
/// may be; if that is a new peak, the run is looked at inside the steps, by successive parabolas and golden sections, until a parabola
/// says what comes out.
class PeakWatch {
 public:
  static constexpr int most_apart = 32, most_steps_back = 2 * most_apart;

  /// The run since the sample before last.
  struct Inside {
    std::function<bool(double t)> solve_at;            // solves the motion at a moment; false if it cannot
    std::function<double(double t)> nearest_step_end;  // s; where the motion is solved for the least
  };

  /// `joints` by their bodies; `strength` tells at which moments forces are singular.
  PeakWatch(const Problem& problem, std::vector<int> joints, RowStrength& strength);

  /// A state that was solved: where a step ends. Whether the data were then solved elsewhere, to look inside steps.
  bool watch(Data& data, const Inside& inside);
  /// A state that was solved anywhere, such as one that is recorded: no peak is less.
  void note(Data& data);
  /// At the end of the run. Where the last state was passed over, it is to be sampled first.
  void finish(Data& data, const Inside& inside);
  bool was_sampled(double t) const { return samples_ > 0 && time(0) == t; }
  void sample(Data& data);

  Peaks peaks() const;

 private:
  // The parabola through three samples.
  struct Parabola {
    double t, x, slope, half_curvature, t_next;
    Parabola(const std::array<double, 3>& times, const std::array<double, 3>& values);
    double operator()(double at) const { return x + slope * (at - t) + half_curvature * (at - t) * (at - t_next); }
    double vertex() const { return 0.5 * (t + t_next) - slope / (2 * half_curvature); }
  };

  double time(int back) const { return times_[(samples_ - 1 - back) % 4]; }
  double span() const { return samples_ < 3 ? 0 : time(0) - time(2); }  // s, of the last three samples
  double value(int k, int back) const { return values_(k, static_cast<int>((samples_ - 1 - back) % 4)); }

  // The largest of each size so far, and the time at which it came within what is told apart.
  struct Best {
    explicit Best(int count) : value(VecX<>::Zero(count)), t(value), dated(value) {}
    void see(int k, double size, double when, double near);
    VecX<> value, t;  // s
    VecX<> dated;     // the sizes that t are the times of
  };

  void note_all(Data& data, const Eigen::Ref<const VecX<>>& sizes, double t, Best& best);
  void choose_distance(const Data& data);
  enum class Change { none, rise, leap };
  Change note_direct(Data& data);
  void note_direct(const Eigen::Ref<const VecX<>>& sizes, double t, Best& best) const;
  void mark_singular(Data& data);
  bool sample_both_sides(Data& data, const Inside& inside);
  void add_sample(const VecX<>& sizes, double t);
  bool look_inside(Data& data, const Inside& inside, bool last);
  bool may_have_peak(int k, bool last) const;
  void search(int k, Data& data, const Inside& inside);
  bool measure_at(double t, Data& data, const Inside& inside);
  double rounding(int k) const { return 1e-9 * largest_ / sizes_.as_force()[k]; }

  ForceSizes sizes_;
  RowStrength& strength_;
  MatX<> values_;                  // of the last four samples, a column each
  std::array<double, 4> times_{};  // s
  VecX<> now_;                     // sizes at another moment
  VecX<> after_;                   // sizes where the last step ends
  VecX<> direct_, direct_before_;  // the direct ones there, and where the step before ends
  Best found_, recorded_;
  double largest_ = 0;          // of the found ones, as a force
  std::vector<bool> singular_;  // constraints of the system whose force is singular at the state that was last measured
  std::vector<double> singular_since_;
  std::vector<std::vector<int>>
      loaded_;  // of each constraint: the sizes of velocities and joints that its force is part of
  std::vector<bool> size_is_singular_;  // at the state that was last measured
  std::vector<Uniqueness> uniqueness_;  // the worst so far, of constraints and then of joints
  long samples_ = 0, steps_ = 0, looks_ = 0;
  int apart_ = 1, since_sample_ = 0;  // steps
};

}  // namespace trammel
