#include "support/paper_systems.h"

namespace trammel::test {

Model paper_robot(const std::string& name, const Vec3<>& gravity) {
  return build_model(read_urdf(TRAMMEL_SOURCE_DIR "/robots/" + name + ".urdf"), gravity);
}

VecX<> vector(std::initializer_list<double> values) {
  return Eigen::Map<const VecX<>>(std::data(values), static_cast<int>(values.size()));
}

VecX<> by_joint(const Model& model, const std::vector<std::pair<std::string, double>>& values) {
  VecX<> out = VecX<>::Zero(model.nv());
  for (const auto& [name, value] : values) out[model.bodies()[model.joint(name)].v] = value;
  return out;
}

System scara_on_helix() {
  System system(paper_robot("scara"));
  const Model& model = system.model;
  const BodyPoint tool(model.frame("tool"));
  const VectorPath helix = [](const Jet& t) {
    const Jet turn = 0.4 * std::numbers::pi * t;
    return Vec3<Jet>(0.05 * sin(turn), 0.35 + 0.05 * cos(turn), 0.02 * t);
  };
  std::vector<JointCoupling::Term> heading;
  for (const char* joint : {"q1", "q2", "q3"}) heading.push_back({model.bodies()[model.joint(joint)].q, 1});
  system.constrain("circle", std::make_shared<PointOnPath>(tool, helix, PointOnPath::Axes{true, true, false}));
  system.constrain("heading", std::make_shared<JointCoupling>(model, heading, 0.0));
  system.constrain("height", std::make_shared<PointOnPath>(tool, helix, PointOnPath::Axes{false, false, true}));
  return system;
}

VecX<> parallel_order(const Model& model, const VecX<>& paper, bool back) {
  VecX<> out(12);
  int k = 0;
  for (const char* arm : {"1", "2", "3"})
    for (const char* joint : {"qa", "qb", "xa", "ya"}) {
      const int i = model.bodies()[model.joint(std::string(joint) + arm)].v;
      if (back)
        out[k] = paper[i];
      else
        out[i] = paper[k];
      ++k;
    }
  return out;
}

System parallel_robot() {
  System system(paper_robot("parallel", Vec3<>::Zero()));
  const Model& model = system.model;
  const Eigen::Matrix<double, 3, Eigen::Dynamic> in_plane = Mat3<>::Identity().leftCols(2);
  const Vec3<> bases[] = {{0, 0.25, 0}, {0.43, 0, 0}, {0.4269, 0.5005, 0}};
  for (int i = 0; i < 3; ++i) {
    const std::string arm = std::to_string(i + 1);
    system.constrain("base" + arm, std::make_shared<Coincident>(BodyPoint(world, bases[i]),
                                                                BodyPoint(model.frame("root" + arm)), world, in_plane));
  }
  const BodyPoint tip1(model.frame("tip1"));
  for (const char* arm : {"2", "3"})
    system.constrain(
        std::string("tips1") + arm,
        std::make_shared<Coincident>(BodyPoint(model.frame(std::string("tip") + arm)), tip1, world, in_plane));
  return system;
}

VecX<> parallel_start(const Model& model) {
  return parallel_order(model, vector({1.3015, -2.1752, 0, 0.25, 2.910576233469, -1.459250310559, 0.43, 0,
                                       2.980946844768, 1.877542681078, 0.4269, 0.5005}));
}

System parallel_driven() {
  System system = parallel_robot();
  BoundExpression torque(system.model, parse_expression("0.1*cos(pi*t)", vocabulary_of(system.model)));
  const int qa1 = system.model.bodies()[system.model.joint("qa1")].v;
  system.apply("motor", std::make_shared<JointForce>(system.model, qa1, std::move(torque)));
  return system;
}

System parallel_tracking() {
  System system = parallel_robot();
  const VectorPath path = [](const Jet& t) {
    return Vec3<Jet>(0.2215635445538 - 0.01 + 0.01 * cos(t), Jet(0.2981287051323), Jet(0.0));
  };
  system.constrain(
      "tracking",
      std::make_shared<PointOnPath>(BodyPoint(system.model.frame("tip1")), path, PointOnPath::Axes{true, true, false}),
      Layer::control);
  return system;
}

System serial_on_plane() {
  System system(paper_robot("serial"));
  system.constrain("table",
                   std::make_shared<PointOnPlane>(BodyPoint(system.model.frame("tool")), BodyPoint(), Vec3<>::UnitZ()));
  return system;
}

System two_link_on_line() {
  System system(paper_robot("two-link", {0, -9.81, 0}));
  const VectorPath line = [](const Jet& t) {
    return Vec3<Jet>(Jet(1.0), 0.5 - 0.5 * cos(std::numbers::pi * t), Jet(0.0));
  };
  system.constrain("line", std::make_shared<PointOnPath>(BodyPoint(system.model.frame("tip")), line,
                                                         PointOnPath::Axes{true, true, false}));
  return system;
}

}  // namespace trammel::test
