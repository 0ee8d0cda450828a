#include <cmath>
#include <cstdio>

#include <trammel/trammel.h>

// A bob on a rod: it may move anywhere in the xz plane, and the rod keeps it at its distance from the origin. It swings for two seconds,
// and the force of the rod is compared with the closed form m g cos θ + m v²/L, θ from the vertical.
int main() {
  using namespace trammel;
  const double mass = 2, length = 1.5, g = 9.81;
  RobotDescription bob{.name = "bob"};
  bob.links = {{.name = "ball", .mass = mass, .inertia = {0.01, 0.01, 0.01}}};
  bob.joints = {
      {.name = "slide x", .type = JointType::prismatic, .parent = "world", .child = "rail", .axis = {1, 0, 0}},
      {.name = "slide z", .type = JointType::prismatic, .parent = "rail", .child = "ball", .axis = {0, 0, 1}}};
  bob.links.push_back({.name = "rail"});
  System system(build_model(bob));
  const BodyPoint pivot(world, {0, 0, 0}), centre(system.model.frame("ball"));
  system.constrain("rod", std::make_shared<Distance>(pivot, centre, length));

  SimulateOptions options;
  options.duration = 2;
  const Simulation run =
      simulate(system, State(0, Eigen::Vector2d(length, 0), Eigen::Vector2d::Zero()), options);  // from the horizontal
  const State end = run.recording.state(run.recording.rows() - 1);

  // the force by its name: from the recording, and from the ledger of forces at the last state
  const double recorded =
      -run.recording(run.recording.rows() - 1, "lambda.rod");  // N; a rod that pulls has a negative λ
  Data data(compile(system));
  Motion motion(data.problem.nv(), data.problem.asked().rows);
  solve_motion(end.q, end.v, end.t, data, motion);
  const std::vector<ConstraintForce> forces = force_ledger(data, data.asked);
  const double cosine = -end.q[1] / length, expected = mass * g * cosine + mass * end.v.squaredNorm() / length;

  const bool right = std::abs(recorded - expected) < 1e-9 && forces.at(0).name == "rod" &&
                     std::abs(-forces[0].multipliers[0] - expected) < 1e-9;
  std::printf("trammel %s: after %g s the %s pulls with %.3f N, %s\n", std::string(version()).c_str(), end.t,
              forces[0].name.c_str(), recorded, right ? "as m g cos(theta) + m v^2/L says" : "which is wrong");
  return right ? 0 : 1;
}
