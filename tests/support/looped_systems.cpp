#include "support/looped_systems.h"

namespace trammel::test {

void constrain_randomly(Random& random, System& system) {
  const int bodies = system.model.body_count();
  const auto point = [&] { return BodyPoint(random.integer(0, bodies - 1), random.vector(0.5)); };
  for (int i = random.integer(1, 3); i > 0; --i) {
    const std::string name = "c" + std::to_string(i);
    switch (random.integer(0, 2)) {
      case 0:
        system.constrain(name, std::make_shared<Coincident>(BodyPoint(world, random.vector()), point()));
        break;
      case 1:
        system.constrain(name, std::make_shared<Distance>(BodyPoint(world, random.vector(3)), point(), 1));
        break;
      default:
        system.constrain(name, std::make_shared<KnifeEdge>(point(), random.direction()), Layer::control);
    }
  }
}

System random_system(Random& random) {
  System system(build_model(random_robot(random, random.integer(2, 8)), random.vector(10)));
  constrain_randomly(random, system);
  return system;
}

System random_busy_system(Random& random) {
  RobotDescription robot = random_robot(random, random.integer(2, 8));
  for (Joint& joint : robot.joints) {
    const double turning_rotor = random.uniform(0, 0.2);
    for (int k = 0; k < size_of(joint.type).v; ++k) {
      Coordinate& c = joint.coordinates.emplace_back();
      // alike along the axes of a quaternion, as a model asks
      if (drives_quaternion(joint.type, k)) c.rotor_inertia = turning_rotor;
      if (random.integer(0, 2) == 0) continue;
      c.damping = random.uniform(0, 2);
      c.friction = random.uniform(0, 2);
      if (!drives_quaternion(joint.type, k)) c.rotor_inertia = random.uniform(0, 0.2);
      if (rates_are_velocities(joint.type)) c.stiffness = random.uniform(0, 20);
      c.rest = random.uniform(-1, 1);
    }
  }
  System system(build_model(robot, random.vector(10)));
  const VecX<> push = random.vector(system.model.nv(), 10);
  system.apply("push", std::make_shared<FunctionForce>([push](const Movement<double>& now, VecX<>& tau) {
                 tau += push * std::cos(now.q[0] + now.t) - 0.3 * now.v;
               }));
  constrain_randomly(random, system);
  return system;
}

System tilted_four_bar(VecX<>& q, double off) {
  RobotDescription robot;
  robot.name = "four-bar";
  const double length[] = {0.3, 0.8, 0.7};
  std::string parent = "world";
  for (int i = 0; i < 3; ++i) {
    const std::string name = "bar" + std::to_string(i);
    robot.links.push_back(rod(name, length[i], length[i], x_axis));
    robot.joints.push_back(
        turning("q" + std::to_string(i), parent, name, i == 0 ? Vec3<>(0, 0, 0) : Vec3<>(length[i - 1], 0, 0), z_axis));
    parent = name;
  }
  robot.joints[0].at.R = rotation_from_rpy({pi / 6, 0, 0});
  robot.joints[2].at.R = rotation_from_rpy({off, 0, 0});
  System system(build_model(robot));
  const Pose<> ground{rotation_from_rpy({pi / 6, 0, 0}), Vec3<>(1, 0, 0)};
  system.constrain("pin", std::make_shared<Coincident>(BodyPoint(world, ground.p),
                                                       BodyPoint(system.model.frame("bar2").body, Vec3<>(0.7, 0, 0))));
  // crank at 60°; the other two by the law of cosines
  const double crank = pi / 3, dx = 1 - 0.3 * std::cos(crank), dy = -0.3 * std::sin(crank), d = std::hypot(dx, dy);
  const double coupler = std::atan2(dy, dx) + std::acos((0.64 + d * d - 0.49) / (2 * 0.8 * d));
  const double rocker = std::atan2(dy - 0.8 * std::sin(coupler), dx - 0.8 * std::cos(coupler));
  q = (VecX<>(3) << crank, coupler - crank, rocker - coupler).finished();
  return system;
}

}  // namespace trammel::test
