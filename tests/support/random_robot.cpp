#include "support/random_robot.h"

namespace trammel::test {

Link random_link(Random& random, const std::string& name) {
  const Inertia<> inertia = random.inertia(0.3);
  Link link;
  link.name = name;
  link.mass = inertia.mass;
  link.com = inertia.com();
  link.inertia = inertia.about_com();
  return link;
}

Joint random_joint(Random& random, JointType type, const std::string& name, const std::string& parent,
                   const std::string& child) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.at = random.pose(0.5);
  joint.axis = random.direction();
  joint.second_axis = cross<double>(joint.axis, random.direction()).normalized();
  joint.pitch = random.uniform(-0.2, 0.2);
  return joint;
}

RobotDescription random_robot(Random& random, int bodies, std::span<const JointType> types) {
  RobotDescription robot;
  robot.name = "random";
  for (int i = 0; i < bodies; ++i) {
    const std::string name = "link" + std::to_string(i);
    const int parent = random.integer(std::max(-1, i - 4), i - 1);
    const JointType type = types[random.integer(0, static_cast<int>(types.size()) - 1)];
    robot.links.push_back(random_link(random, name));
    robot.joints.push_back(random_joint(random, type, "joint" + std::to_string(i),
                                        parent < 0 ? "world" : "link" + std::to_string(parent), name));
    robot.frames.push_back({"frame" + std::to_string(i), name, random.pose(0.3), {}});
  }
  return robot;
}

VecX<> random_configuration(Random& random, const Model& model) {
  VecX<> step(model.nv());
  for (double& x : step) x = random.uniform(-pi, pi);
  for (const Body& body : model.bodies())
    for (int k = 0; k < body.nv; ++k)
      if (!is_angular(body.type, k)) step[body.v + k] = random.uniform(-1, 1);
  return retract(model, neutral_configuration(model), step);
}

}  // namespace trammel::test
