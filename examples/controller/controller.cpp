#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <trammel/trammel.h>

/// controller SCENARIO [CYCLES]: a controller at 1 kHz. Each millisecond it is given the state of the robot and finds the
/// torques under which its control rows hold, φ̈ + α φ̇ + β φ = 0 of their errors; the robot moves on under these torques
/// alone. Prints how long the torques took, and how far the robot was from its path.
namespace {

using namespace trammel;

constexpr double cycle = 1e-3;  // s

// The robot without its control rows, pushed by the motors.
System plant_of(const System& system, const VecX<>& torques) {
  System plant = system;
  std::erase_if(plant.constraints, [](const NamedConstraint& c) { return c.layer == Layer::control; });
  plant.apply("motors", std::make_shared<FunctionForce>([&](const Movement<double>&, VecX<>& tau) {
                for (std::size_t j = 0; j < system.actuators.size(); ++j)
                  tau[system.actuators[j].velocity] += torques[static_cast<int>(j)];
              }));
  plant.actuators.clear();
  return plant;
}

void print_latencies(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  const auto part = [&](double p) { return 1e6 * seconds[static_cast<std::size_t>(p * (seconds.size() - 1))]; };
  std::printf("torques every %g ms, %zu times, in us: 50 %% %.1f, 90 %% %.1f, 99 %% %.1f, 99.9 %% %.1f, all %.1f\n",
              1e3 * cycle, seconds.size(), part(0.5), part(0.9), part(0.99), part(0.999), part(1));
}

int control(const char* file, int cycles) {
  const Scenario scenario = read_scenario(file);
  const System& system = scenario.system;
  const MotionOptions options{.rank = {}, .baumgarte = {60, 900}};  // both roots at −30 1/s
  const Problem problem = compile(system, options);
  require_motors(problem);
  Data controller(problem);
  const Torques& torques = controller.motors->torques;

  Data plant(compile(plant_of(system, torques.u), options));
  Motion motion(system.model.nv(), plant.problem.asked().rows);
  VecX<> q = scenario.start.q, v = scenario.start.v;
  std::vector<double> latencies;
  double farthest = 0;  // m
  for (int i = 0; i < cycles; ++i) {
    const double t = i * cycle;
    const auto begin = std::chrono::steady_clock::now();
    solve_torques(q, v, t, controller);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    latencies.push_back(taken.count());
    if (torques.status != TorqueStatus::realised) {
      std::fprintf(stderr, "%s\n", shortfall_text(problem, torques).c_str());
      return 1;
    }
    farthest = std::max(farthest, controller.phi.tail(torques.shortfall.size()).norm());
    // the robot, by the symplectic Euler method
    solve_motion(q, v, t, plant, motion);
    v += cycle * motion.vdot;
    q = retract(system.model, q, cycle * v);
  }
  print_latencies(latencies);
  std::printf("never farther than %.2g m from the path\n", farthest);
  return farthest < 1e-4 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: controller SCENARIO [CYCLES]\n");
    return 2;
  }
  try {
    return control(argv[1], argc == 3 ? std::max(1, std::atoi(argv[2])) : 10000);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
