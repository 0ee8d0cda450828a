#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "trammel/base/error.h"
#include "trammel/math/inertia.h"
#include "trammel/model/described.h"
#include "trammel/model/joint.h"

namespace trammel {

/// What a robot is, as its author says it: links joined by joints, in the author's own frames. A file reader fills it,
/// or a C++ user does; build_model (build_model.h) checks it and turns it into a Model. Everything carries the place
/// where it was said, so that a complaint can point there.

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Below this speed (rad/s or m/s) Coulomb friction falls off to zero, unless another is given, so that it has no jump at rest.
inline constexpr double friction_speed = 1e-3;

/// The properties of one coordinate of a joint. Units of an angular coordinate; for a linear one read m for rad and N for N·m.
struct Coordinate {
  double lower = -unlimited;                        // rad
  double upper = unlimited;                         // rad
  double speed_limit = unlimited;                   // rad/s
  double effort_limit = unlimited;                  // N·m
  double damping = 0;                               // N·m·s/rad: torque −damping·v
  double friction = 0;                              // N·m: Coulomb torque against the motion
  double friction_speed = trammel::friction_speed;  // rad/s, below which that falls off to zero
  double stiffness = 0;                             // N·m/rad: torque −stiffness·(q − rest)
  double rest = 0;                                  // rad
  double rotor_inertia = 0;                         // kg·m², seen at the joint: adds to the diagonal of M
};

struct Box {
  Vec3<> size;  // m, whole edges along x, y, z
};
struct Cylinder {
  double radius, length;  // m, along z
};
struct Capsule {
  double radius, length;  // m, along z, without the caps
};
struct Sphere {
  double radius;  // m
};
struct Mesh {
  std::string file;  // as the author wrote it
  std::string path;  // where it was found; empty if it was not
  Vec3<> scale = Vec3<>::Ones();
};

/// Something to look at, fixed to a link.
struct Visual {
  Pose<> at;  // in the link's frame
  std::variant<Box, Cylinder, Capsule, Sphere, Mesh> shape;
  std::optional<std::array<double, 4>> color;  // red, green, blue, alpha, each 0 … 1
};

struct Link {
  std::string name;
  double mass = 0;              // kg
  Vec3<> com = Vec3<>::Zero();  // m, in the link's frame
  Symmetric3<> inertia;         // kg·m², about the mass centre, along the link's axes
  std::vector<Visual> visuals;
  bool lenient = false;  // judged as robot files need it (judge_inertias.h): numbers that no body has may stand
  Place place;
};

struct Joint {
  std::string name;
  JointType type = JointType::revolute;
  std::string parent, child;      // links; the parent may be "world"
  Pose<> at;                      // of the child's frame at zero coordinates, in the parent's frame
  Vec3<> axis = Vec3<>::UnitZ();  // in the child's frame; the normal of a planar joint; free for spherical, floating
  Vec3<> second_axis = Vec3<>::UnitX();  // of a universal joint, across the first
  double pitch = 0;                      // m/rad, of a helical joint
  std::vector<Coordinate> coordinates;   // one per velocity, or one for all, or none for the defaults
  Place place;
};

/// A named place on a link, such as a tool's tip.
struct NamedFrame {
  std::string name;
  std::string link;
  Pose<> at;  // in the link's frame
  Place place;
};

/// q_joint = multiplier·q_source + offset, as a URDF mimic says it. The constraint layer makes it hold.
struct Coupling {
  std::string joint, source;
  double multiplier = 1, offset = 0;
  Place place;
};

/// Something the author should know, although the robot could be read.
struct Warning {
  Place place;
  std::string text;
};
std::string to_string(const Warning& warning);

struct RobotDescription {
  std::string name;
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::vector<NamedFrame> frames;
  std::vector<Coupling> couplings;
  std::vector<DescribedConstraint> constraints;
  std::vector<DescribedMotor> motors;
  std::vector<DescribedStart> starts;
  std::optional<Vec3<>> gravity;  // m/s², where the file gives it
  std::vector<Warning> warnings;
  Place place;
};

}  // namespace trammel
