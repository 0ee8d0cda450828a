#pragma once

#include "support/mechanisms.h"
#include "support/paper_systems.h"
#include "trammel/constraints/weld.h"
#include "trammel/motion/tree_motion.h"
#include "tree_tasks.h"

namespace trammel::bench {

/// The tip's pose held: 6 rows on 7 freedoms.
inline System held_arm7() {
  System system(build_model(test::arm7()));
  const Frame there{"there", world, {Mat3<>::Identity(), Vec3<>(0.5, 0.2, 1)}};
  system.constrain("grip", std::make_shared<Weld>(there, system.model.frame("tip")));
  return system;
}

/// A chain of n rods, its tip held: 3 rows.
inline System pinned_chain(int n) {
  System system(build_model(test::chain(n)));
  system.constrain(
      "pin", std::make_shared<Coincident>(BodyPoint(world, Vec3<>(0.5, 0.2, 1)), BodyPoint(system.model.frame("tip"))));
  return system;
}

/// One evaluation of the equation of motion. The rows are evaluated wherever the state is: they need not hold there.
class ConstrainedMotion {
 public:
  explicit ConstrainedMotion(System measured)
      : problem(compile(std::move(measured))),
        model(problem.system().model),
        data_(problem),
        out_(model.nv(), problem.asked().rows) {}
  void operator()(const State& s) { solve_motion(s.q, s.v, 0, data_, out_); }

  const Problem problem;
  const Model& model;

 private:
  Data data_;
  Motion out_;
};

}  // namespace trammel::bench
