#include "support/closed_mechanisms.h"

namespace trammel::test {

void add_five_bar(RobotDescription& robot, const std::string& prefix) {
  for (int arm = 0; arm < 2; ++arm) {
    const std::string side = prefix + (arm == 0 ? "left" : "right");
    robot.links.push_back(rod(side + " proximal", 0.25, 0.25, x_axis));
    robot.links.push_back(rod(side + " distal", 0.35, 0.35, x_axis));
    robot.joints.push_back(turning(side, "world", side + " proximal", {0.3 * arm, 0, 0}, z_axis));
    robot.joints.push_back(turning(side + " elbow", side + " proximal", side + " distal", {0.25, 0, 0}, z_axis));
    robot.frames.push_back({side + " tip", side + " distal", {Mat3<>::Identity(), Vec3<>(0.35, 0, 0)}, {}});
  }
}

void close_five_bar(System& system, const std::string& prefix) {
  system.constrain(prefix + "tips", std::make_shared<Coincident>(BodyPoint(system.model.frame(prefix + "left tip")),
                                                                 BodyPoint(system.model.frame(prefix + "right tip")),
                                                                 world, Mat3<>::Identity().leftCols(2)));
}

Looped five_bar() {
  RobotDescription robot;
  robot.name = "five-bar";
  add_five_bar(robot);
  System system(build_model(robot, Vec3<>::Zero()));
  close_five_bar(system);
  // symmetric: elbows out, the tip above the middle
  const double out = 2.2, dx = 0.15 - 0.25 * std::cos(out), dy = std::sqrt(0.35 * 0.35 - dx * dx);
  const double distal = std::atan2(dy, dx);
  return {std::move(system), Eigen::Vector4d(out, distal - out, pi - out, out - distal)};
}

System five_bars(int count) {
  RobotDescription robot;
  robot.name = "five-bars";
  for (int i = 0; i < count; ++i) add_five_bar(robot, std::to_string(i) + " ");
  System system(build_model(robot, Vec3<>(0, -9.81, 0)));
  for (int i = 0; i < count; ++i) close_five_bar(system, std::to_string(i) + " ");
  return system;
}

Looped three_rrr() {
  RobotDescription robot;
  robot.name = "3-RRR";
  VecX<> q = VecX<>::Zero(7);
  Link platform;
  platform.name = "platform";
  platform.mass = 1;
  platform.inertia = {0.005, 0.005, 0.01};
  const auto arm_name = [](int arm) { return std::string(1, static_cast<char>('a' + arm)); };
  for (int arm = 0; arm < 3; ++arm) {
    const std::string name = arm_name(arm);
    const double at = pi / 2 + 2 * pi / 3 * arm;
    const Vec3<> base(0.5 * std::cos(at), 0.5 * std::sin(at), 0), corner(0.15 * std::cos(at), 0.15 * std::sin(at), 0);
    robot.links.push_back(rod(name + " proximal", 0.3, 0.3, x_axis));
    robot.links.push_back(rod(name + " distal", 0.35, 0.35, x_axis));
    robot.joints.push_back(turning(name + "1", "world", name + " proximal", base, z_axis));
    robot.joints.push_back(turning(name + "2", name + " proximal", name + " distal", {0.3, 0, 0}, z_axis));
    // the elbow by the law of cosines
    const Vec3<> d = corner - base;
    const double turn = std::acos((d.squaredNorm() + 0.3 * 0.3 - 0.35 * 0.35) / (2 * 0.3 * d.norm()));
    const double first = std::atan2(d.y(), d.x()) + turn;
    const Vec3<> elbow = base + 0.3 * Vec3<>(std::cos(first), std::sin(first), 0);
    const double second = std::atan2(corner.y() - elbow.y(), corner.x() - elbow.x());
    q[2 * arm] = first;
    q[2 * arm + 1] = second - first;
    if (arm == 0) q[6] = -second;
    robot.frames.push_back({name + " tip", name + " distal", {Mat3<>::Identity(), Vec3<>(0.35, 0, 0)}, {}});
    robot.frames.push_back({name + " corner", "platform", {Mat3<>::Identity(), corner}, {}});
  }
  robot.links.push_back(platform);
  Joint joint = turning("platform", "a distal", "platform", {0.35, 0, 0}, z_axis);
  robot.joints.push_back(joint);
  // the platform's frame is its centre; it turns about its first corner
  for (Link& link : robot.links)
    if (link.name == "platform") link.com = {0, -0.15, 0};
  for (NamedFrame& frame : robot.frames)
    if (frame.link == "platform") frame.at.p -= Vec3<>(0, 0.15, 0);
  Model model = build_model(robot);
  // q in the model's own order
  VecX<> ordered = VecX<>::Zero(model.nq());
  for (int i = 0; i < 7; ++i) ordered[model.bodies()[model.joint(robot.joints[i].name)].q] = q[i];
  System system(std::move(model));
  for (const int arm : {1, 2})
    system.constrain("corner " + arm_name(arm),
                     std::make_shared<HingeClosure>(system.model.frame(arm_name(arm) + " corner"),
                                                    system.model.frame(arm_name(arm) + " tip")));
  return {std::move(system), ordered};
}

Looped hinged_four_bar(double off) {
  VecX<> q(3);
  System system(tilted_four_bar(q, off).model);
  const Frame ground{"ground", world, {rotation_from_rpy({pi / 6, 0, 0}), Vec3<>(1, 0, 0)}};
  const Frame tip{"tip", system.model.frame("bar2").body, {Mat3<>::Identity(), Vec3<>(0.7, 0, 0)}};
  system.constrain("loop", std::make_shared<HingeClosure>(ground, tip));
  return {std::move(system), q};
}

Looped folding_four_bar() {
  RobotDescription robot;
  robot.name = "folding four-bar";
  robot.links = {rod("crank", 1, 1, x_axis), rod("coupler", 1, 1, x_axis), rod("rocker", 1, 1, x_axis)};
  robot.joints = {turning("q1", "world", "crank", Vec3<>::Zero(), z_axis),
                  turning("q2", "crank", "coupler", {1, 0, 0}, z_axis),
                  turning("q3", "coupler", "rocker", {1, 0, 0}, z_axis)};
  robot.frames = {{"end", "rocker", {Mat3<>::Identity(), Vec3<>(1, 0, 0)}, {}}};
  System system(build_model(robot, Vec3<>(0, -9.81, 0)));
  system.constrain("pin",
                   std::make_shared<Coincident>(BodyPoint(world, Vec3<>(1, 0, 0)), BodyPoint(system.model.frame("end")),
                                                world, Mat3<>::Identity().leftCols(2)));
  return {std::move(system), Vec3<>(pi / 2, -pi / 2, -pi / 2)};
}

Looped stewart() {
  RobotDescription robot;
  robot.name = "Stewart platform";
  Link platform;
  platform.name = "platform";
  platform.mass = 10;
  platform.inertia = {10 * 0.25 / 4, 10 * 0.25 / 4, 10 * 0.25 / 2};
  robot.links.push_back(platform);
  Joint floating;
  floating.name = "platform";
  floating.type = JointType::floating;
  floating.parent = "world";
  floating.child = "platform";
  robot.joints.push_back(floating);
  const double deg = pi / 180;
  std::vector<double> length;
  for (int leg = 0; leg < 6; ++leg) {
    const int pair = leg / 2, side = leg % 2 == 0 ? -1 : 1;
    // neighbours on the base go to neighbours on the platform: +10° of 0° to −10° of 60°
    const double base_at = (120 * pair + 10 * side) * deg;
    const double top_at = (side > 0 ? 120 * pair + 50 : 120 * pair - 50) * deg;
    const Vec3<> base(std::cos(base_at), std::sin(base_at), 0), top(0.5 * std::cos(top_at), 0.5 * std::sin(top_at), 0);
    const std::string number = std::to_string(leg + 1);
    robot.links.push_back(rod("cylinder" + number, 2, 0.5, z_axis));
    Link piston = rod("rod" + number, 1, 0.5, z_axis);
    piston.com = {0, 0, -0.25};
    robot.links.push_back(piston);
    // the leg's z points to its ball in the home posture; universal axes across it
    const Vec3<> along = top + Vec3<>(0, 0, 1) - base;
    Joint universal = turning("u" + number, "world", "cylinder" + number, base, x_axis);
    universal.type = JointType::universal;
    universal.second_axis = y_axis;
    const Vec3<> z = along.normalized(), x = cross<double>(Vec3<>(0, 1, 0), z).normalized();
    universal.at.R << x, cross<double>(z, x), z;
    Joint sliding = turning("p" + number, "cylinder" + number, "rod" + number, {0, 0, along.norm()}, z_axis);
    sliding.type = JointType::prismatic;
    robot.joints.push_back(universal);
    robot.joints.push_back(sliding);
    robot.frames.push_back({"ball" + number, "rod" + number, {}, {}});
    robot.frames.push_back({"socket" + number, "platform", {Mat3<>::Identity(), top}, {}});
  }
  Model model = build_model(robot);
  VecX<> q = neutral_configuration(model);
  q[model.bodies()[model.joint("platform")].q + 2] = 1;
  System system(std::move(model));
  for (int leg = 1; leg <= 6; ++leg) {
    const std::string number = std::to_string(leg);
    system.constrain("leg " + number, std::make_shared<Coincident>(BodyPoint(system.model.frame("ball" + number)),
                                                                   BodyPoint(system.model.frame("socket" + number))));
  }
  return {std::move(system), q};
}

}  // namespace trammel::test
