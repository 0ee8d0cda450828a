// Constraints that rub: Coulomb friction against closed forms.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "constraints/free_body.h"
#include "motion/planar_body.h"
#include "support/random.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/constraints/point_on_cylinder.h"
#include "trammel/constraints/point_on_plane.h"
#include "trammel/motion/ledger.h"
#include "trammel/motion/working_balance.h"

namespace trammel {
namespace {

using namespace trammel::test;

const double gravity = 9.81, creep = 1e-9;

struct Rubbing {
  Motion motion;
  double lambda;
};
struct RubbingData {
  Data data;
  Motion motion;
};
RubbingData solve_for_data(const System& system, const VecX<>& q, const VecX<>& v) {
  Data data(compile(system));
  Motion motion(system.model.nv(), data.problem.asked().rows);
  solve_motion(q, v, 0, data, motion);
  return {data, motion};
}
Rubbing solve_rubbing(const System& system, const VecX<>& q, const VecX<>& v) {
  Data data(compile(system));
  Motion motion(system.model.nv(), data.problem.asked().rows);
  solve_motion(q, v, 0, data, motion);
  return {motion, force_ledger(data, data.asked)[0].multipliers[0]};
}

// Constrains a system with friction at P.
void constrain_rough(System& system, const std::shared_ptr<const Constraint>& law, double mu, const BodyPoint& P,
                     int other_body = world) {
  system.constrain("rough", law);
  system.constraints.back().working = std::make_shared<CoulombFriction>(*law, mu, P, other_body, creep);
}

TEST(Friction, ABeadOnARingLosesItsSpeedByMuTimesSpeedSquaredOverRadius) {
  // v̇ = −μ v²/R along the ring, m v²/R across it: v = v0/(1 + μ v0 t/R)
  const double m = 0.8, R = 1.3, mu = 0.35;
  System system(build_model(free_body(m, {1, 1, 1}), Vec3<>::Zero()));
  const BodyPoint bead(system.model.frame("body"));
  constrain_rough(system, std::make_shared<PointOnCylinder>(bead, BodyPoint(), Vec3<>::UnitZ(), R), mu, bead);
  Worst worst("bead on a ring");
  for (const double angle : {0.0, 1.1, 2.5, -2.0})
    for (const double t : {0.0, 0.5, 4.0}) {
      const double speed = 2 / (1 + mu * 2 * t / R), fall = speed * speed / R;
      const Vec3<> out(std::cos(angle), std::sin(angle), 0), along(-out.y(), out.x(), 0);
      const Rubbing now = solve_rubbing(system, free_coordinates(R * out, Mat3<>::Identity()),
                                        free_velocities(Mat3<>::Identity(), speed * along, Vec3<>::Zero()));
      EXPECT_TRUE(has_motion(now.motion.status));
      worst.see((now.motion.vdot.head<3>() + fall * (out + mu * along)).norm() / fall);
      worst.see(std::abs(now.lambda + m * fall) / (m * fall));
      worst.see(std::abs(now.motion.Qc.head<3>().dot(along) + mu * m * fall) / (m * fall));
    }
  EXPECT_LT(worst.value(), 50 * eps);
}

TEST(Friction, OnASlopeABlockTakesGSinMinusMuCos) {
  const double m = 2.5;
  for (const double alpha : {0.2, 0.6, 1.2})
    for (const double mu : {0.0, 0.3, 1.5})
      for (const double speed : {2.0, -0.5}) {  // down, up
        System system(build_model(free_body(m, {1, 1, 1})));
        const BodyPoint block(system.model.frame("body"));
        const Vec3<> n(std::sin(alpha), 0, std::cos(alpha)), down(std::cos(alpha), 0, -std::sin(alpha));
        constrain_rough(system, std::make_shared<PointOnPlane>(block, BodyPoint(), n), mu, block);
        const Rubbing now = solve_rubbing(system, free_coordinates(0.4 * down, Mat3<>::Identity()),
                                          free_velocities(Mat3<>::Identity(), speed * down, Vec3<>::Zero()));
        const double a = gravity * (std::sin(alpha) - std::copysign(mu, speed) * std::cos(alpha));
        EXPECT_LT((now.motion.vdot.head<3>() - a * down).norm(), 1e-14 * gravity * (1 + mu));
        EXPECT_NEAR(now.lambda, m * gravity * std::cos(alpha), 1e-13);
      }
}

TEST(Friction, ABlockOnASlabThatSlidesFreelyDragsItAlong) {
  const double m = 2, slab_mass = 5, mu = 0.4;
  RobotDescription robot = free_body(m, {1, 1, 1});
  Link slab;
  slab.name = "slab", slab.mass = slab_mass;
  robot.links.push_back(slab);
  Joint slide;
  slide.name = "slide", slide.type = JointType::prismatic, slide.parent = "world", slide.child = "slab";
  slide.axis = Vec3<>::UnitX();
  robot.joints.push_back(slide);
  System system(build_model(robot));
  const Model& model = system.model;
  const BodyPoint block(model.frame("body"));
  const Frame top = model.frame("slab");
  const auto law = std::make_shared<PointOnPlane>(block, BodyPoint(top), top.X_BF.R * Vec3<>::UnitZ());
  constrain_rough(system, law, mu, block, top.body);
  const Body &free = model.bodies()[model.joint("free")], &carrier = model.bodies()[model.joint("slide")];
  VecX<> q(8), v(7);
  q[carrier.q] = 0.3, v[carrier.v] = 1;
  q.segment(free.q, 7) = free_coordinates({1.1, 0.2, 0}, Mat3<>::Identity());
  v.segment(free.v, 6) = free_velocities(Mat3<>::Identity(), {3, 0, 0}, Vec3<>::Zero());
  const Rubbing now = solve_rubbing(system, q, v);
  EXPECT_NEAR(now.motion.vdot[free.v], -mu * gravity, 1e-13);
  EXPECT_NEAR(now.motion.vdot[carrier.v], mu * m * gravity / slab_mass, 1e-13);
  EXPECT_NEAR(now.lambda, m * gravity, 1e-13);
}

// A uniform rod of mass m and half length l, at an angle θ above the floor, its lower end sliding on it. With s the sign of
// the end's velocity and k = m l²/I, friction changes the force N of the floor that it comes from:
//
//   N = m (g − l sin θ θ̇²) / (1 + k cos θ (cos θ + μ s sin θ)),   m ẍ = −μ s N,   I θ̈ = −l N (cos θ + μ s sin θ)
struct SlidingRod {
  double m = 1.2, l = 0.7, theta, turn, mu, s;

  double I() const { return m * l * l / 3; }
  double share() const { return std::cos(theta) + mu * s * std::sin(theta); }
  double force() const {
    return m * (gravity - l * std::sin(theta) * turn * turn) / (1 + 3 * std::cos(theta) * share());
  }
  template <class Solve>
  auto solve_with(const Solve& solve) const {
    System system(build_model(planar_body(m, I()), {0, -gravity, 0}));
    const BodyPoint end(system.model.frame("body").body, {-l, 0, 0});
    constrain_rough(system, std::make_shared<PointOnPlane>(end, BodyPoint(), Vec3<>::UnitY()), mu, end);
    const VecX<> q = Vec3<>(0.4, l * std::sin(theta), theta);
    const VecX<> v = Vec3<>(2 * s - l * std::sin(theta) * turn, l * std::cos(theta) * turn, turn);
    return solve(system, q, v);
  }
  Rubbing solve() const { return solve_with(solve_rubbing); }
  RubbingData solve_data() const { return solve_with(solve_for_data); }
};

TEST(Friction, OfASlidingRodChangesTheForceThatItComesFrom) {
  Worst worst("sliding rod");
  for (const double theta : {0.3, 0.8, 1.3})
    for (const double turn : {0.0, -1.5})
      for (const double mu : {0.1, 0.5, 0.9})
        for (const double s : {1.0, -1.0}) {
          const SlidingRod rod{.theta = theta, .turn = turn, .mu = mu, .s = s};
          const Rubbing now = rod.solve();
          const double N = rod.force();
          EXPECT_TRUE(has_motion(now.motion.status)) << name_of(now.motion.status);
          worst.see(std::abs(now.lambda - N) / N);
          worst.see(std::abs(now.motion.vdot[0] + mu * s * N / rod.m) / gravity);
          worst.see(std::abs(now.motion.vdot[2] + rod.l * N * rod.share() / rod.I()) / gravity);
        }
  EXPECT_LT(worst.value(), 1e-13);  // the force is iterated to 1e-15, at a ratio of at most 0.57
}

TEST(Friction, OfARodPushedIntoARoughFloorHasNoMotion) {
  // Painlevé: cos θ + μ s sin θ so negative that no force of the floor fits
  const SlidingRod rod{.theta = pi / 3, .turn = 0, .mu = 2, .s = -1};
  ASSERT_LT(rod.force(), 0);
  EXPECT_EQ(rod.solve().motion.status, Status::unsettled);
}

TEST(Friction, OfSeveralForcesThatFitARodHasTheOneThatContinuesTheFrictionlessOne) {
  // d N + e |N| = A with d = 1 + k cos²θ, e = k cos θ sin θ μ s: a root N > 0 where d + e has the sign of A, one N < 0 where d − e has the
  // other. With e rising from 0, the root of the sign of A stays as long as its denominator is above zero.
  // Errors of d and e, which are relative to the force without friction too, are multiplied by (d + |e|)/(d ± e).
  Worst worst("rod on a rough floor, over eps (d + |e|)/(d ± e)");
  int several = 0, jams = 0, found = 0;
  for (int seed = 0; seed < cases(3000); ++seed) {
    Random random(seed);
    const SlidingRod rod{.theta = random.uniform(0.1, 1.5),
                         .turn = random.uniform(-7, 7),
                         .mu = random.log_uniform(0.05, 50),
                         .s = random.integer(0, 1) ? 1.0 : -1.0};
    const double A = rod.m * (gravity - rod.l * std::sin(rod.theta) * rod.turn * rod.turn);
    const double terms =
        rod.m * (gravity + rod.l * std::sin(rod.theta) * rod.turn * rod.turn);  // A is their difference
    const double d = 1 + 3 * std::cos(rod.theta) * std::cos(rod.theta);
    const double e = 3 * std::cos(rod.theta) * std::sin(rod.theta) * rod.mu * rod.s * (A > 0 ? 1 : -1);
    if (std::abs(d + e) < 1e-3 * d || std::abs(d - e) < 1e-3 * d) continue;
    const RubbingData now = rod.solve_data();
    EXPECT_EQ(has_motion(now.motion.status), d + e > 0) << "seed " << seed;
    if (d + e < 0) {
      ++jams;
      EXPECT_NEAR(now.data.asked.working_part, -d / e, 1e-5) << "seed " << seed;
      continue;
    }
    const double N = A / (d + e), size = eps * std::max(std::abs(N), terms / d);
    worst.see(std::abs(now.data.asked.lambda[0] - N) / size * std::abs(d + e) / (d + std::abs(e)));
    if (!(now.data.asked.working_coupling >= 1)) continue;
    Data again = now.data;
    const bool another = find_other_balance(again, again.asked, nullptr);
    EXPECT_EQ(another, d - e < 0) << "seed " << seed;
    several += d - e < 0;
    if (!another) continue;
    ++found;
    worst.see(std::abs(again.working->p[0] - A / (d - e)) / std::max(size, eps * std::abs(A / (d - e))) *
              std::abs(d - e) / (d + std::abs(e)));
  }
  fmt::print("{} of two roots, {} jam\n", several, jams);
  EXPECT_GT(several, cases(3000) / 10);
  EXPECT_GT(jams, cases(3000) / 10);
  EXPECT_EQ(found, several);
  EXPECT_LT(worst.value(), 100);
}

// A rod that leans on a wall, both ends sliding with friction: by Newton's law, with unknowns θ̈, N₁ of the floor and N₂ of the wall, and signs
// of these given, three linear equations.
struct Ladder {
  double m = 1.2, l = 0.7, theta, turn, floor_mu, wall_mu;

  struct Answer {
    Vec3<> x;  // θ̈, N₁, N₂
    double determinant;
  };
  Answer solve(double part, double sign1, double sign2) const {
    const double I = m * l * l / 3, c = std::cos(theta), s = std::sin(theta);
    const double f1 = part * floor_mu * sign1 * std::copysign(1, -turn),
                 f2 = part * wall_mu * sign2 * std::copysign(1, turn);
    Mat3<> A;
    A << -m * l * s, f1, -1,  //
        m * l * c, -1, f2,    //
        I, l * c - l * s * f1, -l * s + l * c * f2;
    const Vec3<> b(m * l * c * turn * turn, m * l * s * turn * turn - m * gravity, 0);
    // Cramer's rule
    const auto triple = [](const Vec3<>& u, const Vec3<>& v, const Vec3<>& w) { return u.dot(cross<double>(v, w)); };
    const double det = triple(A.col(0), A.col(1), A.col(2));
    return {Vec3<>(triple(b, A.col(1), A.col(2)), triple(A.col(0), b, A.col(2)), triple(A.col(0), A.col(1), b)) / det,
            det};
  }

  // The solution followed from no friction to all of it, in small steps; none where it ends before, or where a step is too near to say.
  enum class End { reached, jams, unclear };
  End follow(Vec3<>& x) const {
    constexpr int steps = 20'000;
    Answer now = solve(0, 1, 1);
    x = now.x;
    const double first = now.determinant;
    for (int k = 1; k <= steps; ++k) {
      const double part = static_cast<double>(k) / steps;
      const Answer next = solve(part, x[1] < 0 ? -1 : 1, x[2] < 0 ? -1 : 1);
      if (next.determinant * first <= 0) return End::jams;
      const bool crosses = next.x[1] * x[1] < 0 || next.x[2] * x[2] < 0;
      if (crosses) {
        const Answer beyond = solve(part, next.x[1] < 0 ? -1 : 1, next.x[2] < 0 ? -1 : 1);
        if (beyond.determinant * first <= 0 || beyond.x[1] * next.x[1] < 0 || beyond.x[2] * next.x[2] < 0)
          return End::jams;
        x = beyond.x;
      } else {
        x = next.x;
      }
    }
    if (std::abs(solve(1, x[1] < 0 ? -1 : 1, x[2] < 0 ? -1 : 1).determinant) < 0.02 * std::abs(first))
      return End::unclear;
    return End::reached;
  }

  RubbingData solve_data() const {
    System system(build_model(planar_body(m, m * l * l / 3), {0, -gravity, 0}));
    const int body = system.model.frame("body").body;
    const auto rub = [&](const char* name, const Vec3<>& p, const Vec3<>& normal, double mu) {
      const auto law = std::make_shared<PointOnPlane>(BodyPoint(body, p), BodyPoint(), normal);
      system.constrain(name, law);
      system.constraints.back().working = std::make_shared<CoulombFriction>(*law, mu, BodyPoint(body, p), world, creep);
    };
    // the body's x axis points from the centre to the floor's end: its angle is −θ
    rub("floor", {l, 0, 0}, Vec3<>::UnitY(), floor_mu);
    rub("wall", {-l, 0, 0}, Vec3<>::UnitX(), wall_mu);
    const double c = std::cos(theta), s = std::sin(theta);
    return solve_for_data(system, Vec3<>(l * c, l * s, -theta), Vec3<>(-l * s * turn, l * c * turn, -turn));
  }
};

TEST(Friction, OfALadderContinuesTheFrictionlessMotionAtBothEnds) {
  Worst worst("ladder");
  int reached = 0, jams = 0, strong = 0;
  for (int seed = 0; seed < cases(600); ++seed) {
    Random random(seed);
    const Ladder ladder{.theta = random.uniform(0.15, 1.4),
                        .turn = (random.integer(0, 1) ? 1 : -1) * random.uniform(0.3, 6),
                        .floor_mu = random.log_uniform(0.05, 20),
                        .wall_mu = random.log_uniform(0.05, 20)};
    Vec3<> expected;
    const Ladder::End end = ladder.follow(expected);
    if (end == Ladder::End::unclear) continue;
    const RubbingData now = ladder.solve_data();
    if (end == Ladder::End::jams) {
      ++jams;
      EXPECT_EQ(now.motion.status, Status::unsettled) << "seed " << seed;
      continue;
    }
    ++reached;
    strong += now.data.asked.working_coupling >= 1;
    EXPECT_TRUE(has_motion(now.motion.status)) << "seed " << seed;
    const VecX<>& found = now.data.asked.lambda;
    const double error = (found - expected.tail<2>()).norm() / expected.tail<2>().norm();
    EXPECT_LT(error, 1e-10) << "seed " << seed;
    worst.see(error);
  }
  fmt::print("{} reached, {} of them with strong friction, {} jam\n", reached, strong, jams);
  EXPECT_GT(strong, cases(600) / 20);
  EXPECT_GT(jams, cases(600) / 20);
  EXPECT_LT(worst.value(), 1e-10);
}

TEST(Friction, RefusesWhatCannotRub) {
  const Model model = build_model(free_body(1, {1, 1, 1}));
  const BodyPoint P(model.frame("body"));
  const PointOnPlane floor(P, BodyPoint(), Vec3<>::UnitZ());
  EXPECT_THROW(CoulombFriction(floor, -0.1, P), Error);
  EXPECT_THROW(CoulombFriction(floor, std::nan(""), P), Error);
  EXPECT_THROW(CoulombFriction(floor, 0.1, BodyPoint()), Error);
  EXPECT_THROW(CoulombFriction(floor, 0.1, P, world, 0), Error);
  EXPECT_THROW(CoulombFriction(floor, 0.1, BodyPoint(3, Vec3<>::Zero())), Error);
}

}  // namespace
}  // namespace trammel
