// What a run says of the work of motors, forces, joints and constraints, one by one.
#include "trammel/simulate/work_meter.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "support/random.h"
#include "support/worst.h"
#include "trammel/constraints/distance.h"
#include "trammel/constraints/jet_equation.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/constraints/point_on_path.h"
#include "trammel/constraints/point_on_plane.h"
#include "trammel/motion/stages.h"
#include "trammel/simulate/simulate.h"
#include "trammel/system/forces.h"

namespace trammel {
namespace {

using namespace trammel::test;

// A mass on sliding joints along axes of the world, the first of which has a spring, a damper and friction.
System sliding_mass(double mass, const std::vector<Vec3<>>& axes, const Coordinate& first = {}) {
  RobotDescription robot;
  robot.name = "mass";
  std::string parent = "world";
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Link link;
    link.name = i + 1 == axes.size() ? "mass" : "carrier" + std::to_string(i);
    if (i + 1 == axes.size()) link.mass = mass;
    robot.links.push_back(link);
    robot.joints.push_back(turning("s" + std::to_string(i), parent, link.name, Vec3<>::Zero(), axes[i]));
    robot.joints.back().type = JointType::prismatic;
    parent = link.name;
  }
  robot.joints[0].coordinates = {first};
  return System(build_model(robot));
}

Simulation run_of(const System& system, const State& start, const Tableau& method = dop8) {
  SimulateOptions options;
  options.method = &method;
  options.step = method.adaptive() ? 0 : 1e-3;
  options.tolerance = {1e-12, 1e-12};
  options.record_every = 0.013;  // no multiple of a step
  Simulation run = simulate(system, start, options);
  EXPECT_EQ(run.status, RunStatus::finished) << run.what;
  return run;
}

const WorkDone& work_of(const Simulation& run, const std::string& name) {
  return *std::ranges::find(run.works, name, &WorkDone::name);
}

// The largest difference of a column from what it should be at each recorded time.
template <class Wanted>
double worst_of(const Recording& recording, const std::string& column, const Wanted& wanted) {
  double out = 0;
  for (int row = 0; row < recording.rows(); ++row)
    out = std::max(out, std::abs(recording(row, column) - wanted(recording(row, "t"))));
  return out;
}

TEST(WorkMeter, ADamperTakesWhatTheOscillatorLosesAndTheSpringWhatItStores) {
  // x = e^{−δt}(x₀ cos ωt + (v₀ + δx₀)/ω sin ωt),  δ = d/2m,  ω² = k/m − δ²
  const double m = 2, k = 50, d = 1.5, x0 = 0.4, v0 = -1, delta = d / (2 * m), w = std::sqrt(k / m - delta * delta);
  const System system = sliding_mass(m, {x_axis}, Coordinate{.damping = d, .stiffness = k});
  const Simulation run = run_of(system, State(0, VecX<>::Constant(1, x0), VecX<>::Constant(1, v0)));
  const double B = (v0 + delta * x0) / w;
  const auto x = [&](double t) { return std::exp(-delta * t) * (x0 * std::cos(w * t) + B * std::sin(w * t)); };
  const auto v = [&](double t) {
    return std::exp(-delta * t) * ((B * w - delta * x0) * std::cos(w * t) - (x0 * w + delta * B) * std::sin(w * t));
  };
  const auto stored = [&](double t) { return 0.5 * k * x(t) * x(t); };
  const auto moving = [&](double t) { return 0.5 * m * v(t) * v(t); };
  Worst worst("damped oscillator, J");
  worst.see(worst_of(run.recording, "work.spring of s0", [&](double t) { return stored(0) - stored(t); }));
  worst.see(worst_of(run.recording, "work.friction of s0",
                     [&](double t) { return moving(t) + stored(t) - moving(0) - stored(0); }));
  EXPECT_LT(worst.value(), 1e-9);
  const WorkDone &damper = work_of(run, "friction of s0"), &spring = work_of(run, "spring of s0");
  EXPECT_EQ(damper.put_in, 0);
  EXPECT_EQ(damper.taken_out, -damper.work);
  EXPECT_GT(spring.put_in, 0.1);
  EXPECT_GT(spring.taken_out, 0.1);
  EXPECT_NEAR(spring.put_in - spring.taken_out, spring.work, 1e-14);
  const double fastest = run.recording["v.s0"].cwiseAbs().maxCoeff();  // steps need not end where it is
  EXPECT_NEAR(damper.peak_power, d * fastest * fastest, 0.05 * d * fastest * fastest);
}

TEST(WorkMeter, AMotorThatLiftsAMassPutsInItsWeightTimesHeightAndItsKineticEnergy) {
  const double m = 3, g = 9.81;
  System system = sliding_mass(m, {z_axis});
  const auto z = [](auto t) { return t * t * 0.4 + t * t * t * 0.1; };
  const auto speed = [](double t) { return 0.8 * t + 0.3 * t * t; };
  system.constrain("lift", std::make_shared<JointCoupling>(system.model, std::vector<JointCoupling::Term>{{0, 1}}, z),
                   Layer::control);
  system.drive({.name = "s0", .velocity = 0});
  const Simulation run = run_of(system, State(0, VecX<>::Zero(1), VecX<>::Zero(1)));
  Worst worst("lift, J");
  worst.see(
      worst_of(run.recording, "work.motor s0", [&](double t) { return m * g * z(t) + 0.5 * m * speed(t) * speed(t); }));
  EXPECT_LT(worst.value(), 1e-9);
  EXPECT_NEAR(work_of(run, "motor s0").peak_power, m * (g + 0.8 + 0.6) * speed(1), 1e-8);
  EXPECT_NEAR(work_of(run, "motor s0").taken_out, 0, 1e-12);
}

TEST(WorkMeter, SlidingFrictionTakesMuTimesWeightTimesTheWay) {
  const double m = 1.5, g = 9.81, mu = 0.2, v0 = 3;
  System system = sliding_mass(m, {x_axis, z_axis});
  const BodyPoint mass(system.model.frame("mass"));
  system.constrain("table", std::make_shared<PointOnPlane>(mass, BodyPoint(), z_axis));
  system.constraints.back().working =
      std::make_shared<CoulombFriction>(*system.constraints.back().law, mu, mass, world, 1e-9);
  const Simulation run = run_of(system, State(0, VecX<>::Zero(2), Eigen::Vector2d(v0, 0)));
  Worst worst("sliding friction, J");
  worst.see(
      worst_of(run.recording, "work.table", [&](double t) { return -mu * m * g * (v0 * t - 0.5 * mu * g * t * t); }));
  EXPECT_LT(worst.value(), 1e-9);
}

TEST(WorkMeter, AStringThatPullsAPuckInDoesTheWorkOfItsMomentum) {
  // h = L²θ̇ is constant: T = ½ m (c² + h²/L²) at L = L₀ − ct
  const double m = 0.6, L0 = 1.2, c = 0.5, h = 2;
  System system = sliding_mass(m, {x_axis, y_axis});
  const BodyPoint puck(system.model.frame("mass"));
  using std::sqrt;
  system.constrain(
      "string", std::make_shared<JetEquation>(std::vector{Quantity::point(puck, x_axis), Quantity::point(puck, y_axis)},
                                              [&](std::span<const Jet> p, const Jet& t) {
                                                return sqrt(p[0] * p[0] + p[1] * p[1]) - (t * -c + L0);
                                              }));
  const State start(0, Eigen::Vector2d(L0, 0), Eigen::Vector2d(-c, h / L0));
  for (const Tableau* method : {&rk4, &dopri5, &dop8}) {
    const Simulation run = run_of(system, start, *method);
    Worst worst("puck on a string, " + std::string(method->name) + ", J");
    worst.see(worst_of(run.recording, "work.string", [&](double t) {
      const double L = L0 - c * t;
      return 0.5 * m * h * h * (1 / (L * L) - 1 / (L0 * L0));
    }));
    EXPECT_LT(worst.value(), 1e-8);
  }
}

// A chain with all that does work: springs and dampers in its joints and beside them, a force, a rod that rubs (smoothly, so that a
// quadrature sees it), and a point that is led, by motors or as a constraint.
System working_chain(bool driven, const VecX<>& q) {
  RobotDescription robot = chain(4);
  for (Joint& joint : robot.joints) joint.coordinates = {Coordinate{.damping = 0.1, .stiffness = 0.5, .rest = 0.2}};
  System system(build_model(robot));
  const BodyPoint middle(1, Vec3<>(0, 0, 0.2)), tip(3, Vec3<>(0, 0, 0.2)), anchor(world, Vec3<>(1, 0.5, 0.3));
  Positions<> where(system.model);
  positions<double>(system.model, q, where);
  const Vec3<> at_start = tip.position<double>(where);
  system.apply("rubber", std::make_shared<SpringDamper>(BodyPoint(world, Vec3<>(0.1, 0.9, 0.2)), tip, 40, 3, 0.1));
  system.apply("wind", std::make_shared<FunctionForce>([](const Movement<double>& now, VecX<>& tau) {
                 tau += VecX<>::Constant(tau.size(), std::cos(5 * now.t)) - 0.1 * now.v;
               }));
  const double length = (middle.position<double>(where) - anchor.p_BP).norm();
  system.constrain("rod", std::make_shared<Distance>(anchor, middle, length));
  system.constraints.back().working =
      std::make_shared<CoulombFriction>(*system.constraints.back().law, 0.3, middle, world, 0.3);
  system.constrain("stroke",
                   std::make_shared<PointOnPath>(
                       tip, [at_start](const Jet& t) { return Vec3<Jet>(t * t * 0.7 + at_start[0], 0, 0); },
                       PointOnPath::Axes{true, false, false}),
                   Layer::control);
  system.constrain("twist", std::make_shared<JointCoupling>(
                                system.model, std::vector<JointCoupling::Term>{{1, 1}, {3, 1}}, q[1] + q[3]));
  if (driven)
    for (int i = 0; i < 4; ++i) system.drive({.name = system.model.velocity_name(i), .velocity = i});
  return system;
}

// Simpson's rule over the rows of a recording, of what PowerBalance says at each.
VecX<> works_by_quadrature(const Problem& problem, const Recording& recording) {
  Data data(problem);
  PowerBalance balance(problem);
  const int n = static_cast<int>(balance.channels().size()), rows = recording.rows();
  VecX<> out = VecX<>::Zero(n);
  for (int row = 0; row < rows; ++row) {
    const State at = recording.state(row);
    solve(at, data);
    out += balance.evaluate(data) * (row == 0 || row + 1 == rows ? 1.0 : row % 2 == 1 ? 4.0 : 2.0);
  }
  return out * (recording(rows - 1, "t") - recording(0, "t")) / (rows - 1) / 3;
}

TEST(WorkMeter, UnderAllDriftControlsAndMethodsTheWorksAddUpAndAreTheIntegralsOfThePowers) {
  Worst sum("Σ work.NAME beside work, of the largest"), integral("work.NAME beside a quadrature, J"),
      balance("T + V less Σ work.NAME beside the run's own balance, J");
  for (const bool driven : {false, true})
    for (const Tableau* method : {&heun, &rk4, &dopri5, &dop8})
      for (const Drift drift : {Drift::none, Drift::baumgarte, Drift::velocity, Drift::projection})
        for (const bool corrected : {false, true}) {
          if (corrected && drift != Drift::velocity) continue;
          const Eigen::Vector4d q(0.4, -0.3, 0.9, 0.5);
          const System system = working_chain(driven, q);
          SimulateOptions options;
          options.method = method;
          options.duration = 0.1;
          options.step = method == &heun ? 1e-4 : method->adaptive() ? 0 : 1e-3;
          options.tolerance = {1e-10, 1e-10};
          options.record_every = 5e-4;
          options.drift = {drift, {10, 25}, corrected};
          const Problem problem = compile(system, motion_options(options));
          const Simulation run = simulate(problem, State(0, q, VecX<>::Zero(4)), options);
          ASSERT_EQ(run.status, RunStatus::finished) << run.what;
          const std::vector<std::string> columns = run.recording.names_of(ColumnKind::channel_work);
          ASSERT_EQ(columns.size(), run.works.size());
          const VecX<> wanted = works_by_quadrature(problem, run.recording);
          const int last = run.recording.rows() - 1;
          for (std::size_t i = 0; i < columns.size(); ++i) {
            EXPECT_EQ(run.recording(last, columns[i]), run.works[i].work);
            integral.see(std::abs(run.works[i].work - wanted[static_cast<int>(i)]));
          }
          // T + V of weight at each row, by hand
          Data data(problem);
          double at_start = 0, springs_at_start = 0, error_at_start = 0;
          for (int row = 0; row <= last; ++row) {
            const State at = run.recording.state(row);
            solve(at, data);
            const double springs = spring_energy(data), T_and_V = energy(at.v, data) - springs;
            double together = 0, largest = 0;
            for (const std::string& column : columns) {
              together += run.recording(row, column);
              largest = std::max(largest, std::abs(run.recording(row, column)));
            }
            const double error = run.recording(row, "energy") - run.recording(row, "work");
            if (row == 0) {
              at_start = T_and_V;
              springs_at_start = springs;
              error_at_start = error;
            }
            sum.see(std::abs(together + springs - springs_at_start - run.recording(row, "work")) / (largest + springs));
            // where forces are asked at corrected velocities, the recorded energy is that of these
            if (!corrected) balance.see(std::abs(T_and_V - at_start - together - (error - error_at_start)));
          }
        }
  EXPECT_LT(sum.value(), 20 * eps);
  EXPECT_LT(balance.value(), 1e-13);
  EXPECT_LT(integral.value(), 1e-6);
}

}  // namespace
}  // namespace trammel
