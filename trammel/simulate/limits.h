#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "trammel/motion/data.h"
#include "trammel/motion/opening.h"
#include "trammel/motion/reach_watch.h"
#include "trammel/simulate/step.h"

namespace trammel {

/// Watches what the joints of a tree can do, and remembers of each limit when it was first passed, and how far.
///
///   place    lower ≤ q ≤ upper         of coordinates whose rate is the velocity
///   speed    |v| ≤ speed_limit
///   effort   |u| < effort_limit        of the motor on the joint; a motor that is held to that limit has met it
///
/// A joint without a motor has no effort.
class LimitWatch {
 public:
  /// `all_efforts`: also of motors whose own limit is not above their joint's, of which MotorWatch tells.
  LimitWatch(const Problem& problem, bool all_efforts);

  /// Whether there are none.
  bool empty() const { return limits_.empty(); }
  /// Whether efforts are among them: the data must then be solved at the states that are looked at.
  bool watches_efforts() const { return watches_efforts_; }
  /// Whether a limit is passed at a state that was not passed before.
  bool passes_another(const State& at, const Data& data) const;
  /// Remembers the limits that are passed at a state. Returns whether some are.
  bool note(const State& at, const Data& data);

  /// The parts θ of a step, in ascending order, at which places and speeds turn back that may be further beyond their limits there than
  /// where the step begins and ends. One turn of each is found in a step. `follow` makes ready the way of the step, and `at_part` gives
  /// the states on it; they are asked only where something may turn.
  struct Way {
    std::function<bool()> follow;
    std::function<const State&(double theta)> at_part;
  };
  const std::vector<double>& turns_inside(const Step& step, const Way& way);
  /// Remembers how far places and speeds are beyond their limits at a state inside a step, whose motors were not solved.
  void note_inside(const State& at);

  /// "joint 'q2' passes its upper limit 1.5 at t = 0.32 s", "joint 'q3' starts beyond its speed limit 2 rad/s (3 rad/s at t = 0 s)": one for
  /// each, in the order of the velocities; or the one that was passed last.
  std::vector<std::string> warnings() const;
  std::string last_warning() const;

 private:
  enum class Kind { lower, upper, speed, effort };
  struct Limit {
    Kind kind;
    int velocity, place;  // indices in v, and in q or of the motor
    double bound;
    double first_time = std::numeric_limits<double>::quiet_NaN();  // s; not a number if never
    double worst = 0, worst_time = 0;

    double value(const State& at, const Data& data) const;  // that the bound is of
    double beyond(double value) const;                      // by how much a place or a speed is beyond the bound
    double beyond(const State& at) const;
    bool may_turn_inside(const Step& step) const;
    void see(double value, double t);
    bool is_passed(double value) const;
    bool was_passed() const { return first_time == first_time; }
  };
  std::string text(const Limit& limit) const;

  const Model* model_ = nullptr;
  std::vector<Limit> limits_;
  std::vector<double> turns_;
  bool watches_efforts_ = false;
  double start_time_ = std::numeric_limits<double>::quiet_NaN();
};

/// The same for the torques of motors.
class MotorWatch {
 public:
  explicit MotorWatch(const Problem& problem);

  /// Looks at a state that was solved. Nothing to watch where there are no motors.
  void watch(const Data& data);
  bool any_met_limit() const {
    return std::ranges::any_of(first_time_, [](double t) { return !std::isnan(t); });
  }
  /// When the torque of a motor has no bound, s: it loses hold, and meets no limit.
  std::optional<double> unbounded_at(std::size_t motor) const {
    return std::isnan(first_time_[motor]) ? reach_.unbounded_at(static_cast<int>(motor)) : std::nullopt;
  }
  /// When motors that have met no limit lost hold in the step that was just taken, s.
  std::optional<double> just_lost_hold() const { return any_met_limit() ? std::nullopt : reach_.just_lost(); }
  /// "motor 'm1' first meets its limit at t = 0.32 s; the path is missed by up to 0.002 m"; and where they lose hold (reach_watch.h).
  std::vector<std::string> warnings(const Problem& problem, const Opening& worst_path) const;

 private:
  std::vector<double> first_time_;
  ReachWatch reach_;
};

}  // namespace trammel
