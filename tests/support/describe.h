#pragma once

#include <nlohmann/json.hpp>

#include "support/mechanisms.h"
#include "support/random_robot.h"

namespace trammel {

/// Test listings show a robot by its name.
inline void PrintTo(const RobotDescription& robot, std::ostream* out) { *out << robot.name; }

namespace test {

using OrderedJson = nlohmann::ordered_json;

inline OrderedJson list_of(const auto& vector) {
  OrderedJson out = OrderedJson::array();
  for (const double x : vector) out.push_back(x);
  return out;
}

inline OrderedJson describe(const Pose<>& X) {
  const Mat3<> columns = X.R.transpose();  // Eigen stores columns: the transpose's are the rows
  return {{"R", list_of(columns.reshaped())}, {"p", list_of(X.p)}};
}

/// A model as other engines' scripts read it (tools/golden): every body in the model's own frames.
inline OrderedJson describe(const Model& model) {
  OrderedJson out{{"name", model.name()}, {"gravity", list_of(model.gravity())}};
  for (int i = 0; i < model.body_count(); ++i) {
    const Body& body = model.bodies()[i];
    const Symmetric3<> I = body.inertia.about_com();
    OrderedJson rotor = OrderedJson::array();
    for (int c = body.v; c < body.v + body.nv; ++c) rotor.push_back(model.coordinates()[c].rotor_inertia);
    out["bodies"].push_back(
        {{"name", model.link_name(i)},
         {"parent", body.parent},
         {"joint", {{"name", model.joint_name(i)}, {"type", name_of(body.type)}, {"pitch", body.pitch}}},
         {"X_PF", describe(body.X_PF)},
         {"mass", body.inertia.mass},
         {"com", list_of(body.inertia.com())},
         {"inertia", {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}},
         {"rotor", rotor}});
  }
  for (const Frame& frame : model.frames()) {
    if (frame.name.find("tip") == std::string::npos && frame.name.find("frame") == std::string::npos &&
        frame.name != "tool")
      continue;  // the links' own frames add nothing: their bodies' poses are compared
    OrderedJson row{{"name", frame.name}, {"body", frame.body}};
    row.update(describe(frame.X_BF));
    out["frames"].push_back(row);
  }
  return out;
}

/// A tree of twelve bodies with every kind of joint, some of them with rotors.
inline RobotDescription joint_zoo() {
  Random random(2026);
  RobotDescription robot = random_robot(random, 12);
  for (int i = 0; i < 12; ++i) robot.joints[i].type = moving_joint_types[i % std::size(moving_joint_types)];
  for (const int i : {0, 3, 4}) robot.joints[i].coordinates = {Coordinate{.rotor_inertia = 0.05 * (i + 1)}};
  robot.name = "joint_zoo";
  return robot;
}

/// Wrists of three turning joints that cross in a point, the links between them without mass.
inline RobotDescription massless_links() {
  Random random(77);
  RobotDescription robot;
  robot.name = "massless_links";
  std::string parent = "world";
  for (int i = 0; i < 9; ++i) {
    const std::string name = "link" + std::to_string(i);
    Link link = random_link(random, name);
    if (i % 3 != 2) {
      link.mass = 0;
      link.com.setZero();
      link.inertia = {};
    }
    robot.links.push_back(link);
    Joint joint = random_joint(random, JointType::revolute, "q" + std::to_string(i), parent, name);
    if (i % 3 != 0) joint.at.p.setZero();
    joint.axis = Vec3<>::Unit(i % 3);
    robot.joints.push_back(joint);
    parent = name;
  }
  robot.frames.push_back({"tip", parent, random.pose(0.3), {}});
  return robot;
}

/// The mechanisms that golden files exist for.
inline std::vector<RobotDescription> golden_mechanisms() {
  return {arm7(), scara(), tree36(), chain(100), joint_zoo(), massless_links()};
}

}  // namespace test
}  // namespace trammel
