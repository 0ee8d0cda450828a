#pragma once

#include "trammel/simulate/dense_output.h"
#include "trammel/simulate/motion_derivative.h"
#include "trammel/simulate/projection.h"
#include "trammel/simulate/recent_steps.h"

namespace trammel {

/// The motion of a run between the ends of its steps, by dense output: of the step that was just taken, and of some before it, which are
/// taken again.
class InsideSteps {
 public:
  /// `projection` is null where the run does not project. The last `kept` steps are kept.
  InsideSteps(Data& data, const Tableau& method, const Manifold& manifold, MotionDerivative& derivative,
              Projection* projection, int kept);

  /// The inputs, and the torques that motors hold, are those of the step that is taken next.
  void begin_step();
  /// Another method from now on; steps of the last one are kept no more.
  void use(const Tableau& method);

  /// A step that has come to its end, to be taken again if it is asked for.
  void keep(const Step& step) { steps_.keep(step, data_.turns, held_); }
  /// Where the last kept step ends and where it begins, s; not a number where there is none.
  std::array<double, 2> last() const { return steps_.last(); }
  /// Where the kept step begins or ends that is nearest to a moment, s.
  double nearest_end(double t) const { return steps_.nearest_end(t); }

  /// The way of a step that was just taken. False where there is no motion at step.stage.
  [[nodiscard]] bool follow(Step& step);
  /// The state on the way that was followed last, at a part θ of its step.
  const State& at_part(double theta);
  const State& state() const { return state_; }

  enum class Solved : std::uint8_t { yes, off_constraints, no_motion };
  /// The same, solved: on the constraints where the run projects.
  [[nodiscard]] Solved solve_at_part(double theta, double t);
  /// Solves the motion at a moment inside the step `last`, which was just taken, or inside one that is kept: with the inputs and torques that
  /// were held over it, which the data have until they come back.
  [[nodiscard]] bool solve_at(double t, Step& last);
  void come_back();

 private:
  bool follow_again(Step& last);
  void swap_held();

  Data& data_;
  const Tableau* method_;
  const Manifold& manifold_;
  MotionDerivative& derivative_;
  Projection* projection_;
  RecentSteps steps_;
  Step again_;
  DenseOutput dense_;
  VecX<> held_;            // inputs and torques of the step at hand,
  VecX<> turns_, inputs_;  // and what goes with the one that is taken again
  VecX<> torques_;
  VecX<> again_held_;
  bool is_away_ = false;  // whether the data have these
  State state_;
  Slope slope_;
};

}  // namespace trammel
