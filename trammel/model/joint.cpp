#include "trammel/model/joint.h"

#include <array>

#include "trammel/math/rotation.h"

namespace trammel {
namespace {

struct JointFacts {
  std::string_view name;
  JointSize size;
  int axes;                        // that the author gives
  std::array<bool, 6> angular;     // of the velocities
  int quaternion_q, quaternion_v;  // where the quaternion and its ω begin, −1 for none
};

// in the order of JointType
constexpr JointFacts facts[] = {
    {"fixed", {0, 0}, 0, {}, -1, -1},
    {"revolute", {1, 1}, 1, {true}, -1, -1},
    {"prismatic", {1, 1}, 1, {false}, -1, -1},
    {"helical", {1, 1}, 1, {true}, -1, -1},
    {"cylindrical", {2, 2}, 1, {true, false}, -1, -1},
    {"universal", {2, 2}, 2, {true, true}, -1, -1},
    {"spherical", {4, 3}, 0, {true, true, true}, 0, 0},
    {"planar", {3, 3}, 1, {false, false, true}, -1, -1},
    {"floating", {7, 6}, 0, {false, false, false, true, true, true}, 3, 3},
};

constexpr auto types = [] {
  std::array<JointType, std::size(facts)> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<JointType>((i + 1) % out.size());
  return out;
}();

const JointFacts& facts_of(JointType type) { return facts[static_cast<int>(type)]; }

// how many coordinates stand before the quaternion, each with its own rate
int plain_coordinates(const JointFacts& joint) { return joint.quaternion_q < 0 ? joint.size.q : joint.quaternion_q; }

using QuaternionMap = Eigen::Map<const Quaternion<>>;
using VectorMap = Eigen::Map<const Vec3<>>;

}  // namespace

JointSize size_of(JointType type) { return facts_of(type).size; }
std::string_view name_of(JointType type) { return facts_of(type).name; }
std::span<const JointType> joint_types() { return types; }
int axis_count(JointType type) { return facts_of(type).axes; }
bool is_angular(JointType type, int i) { return facts_of(type).angular[i]; }
bool drives_quaternion(JointType type, int i) {
  return facts_of(type).quaternion_v >= 0 && i >= facts_of(type).quaternion_v;
}
bool only_turns(JointType type) {
  return type == JointType::revolute || type == JointType::universal || type == JointType::spherical;
}
bool only_slides(JointType type) { return type == JointType::prismatic; }
bool rates_are_velocities(JointType type) { return facts_of(type).quaternion_q < 0; }

void set_neutral(JointType type, double* q) {
  const JointFacts& joint = facts_of(type);
  for (int i = 0; i < joint.size.q; ++i) q[i] = i == joint.quaternion_q ? 1.0 : 0.0;
}

void retract(JointType type, const double* q, const double* step, double* out) {
  const JointFacts& joint = facts_of(type);
  for (int i = 0; i < plain_coordinates(joint); ++i) out[i] = q[i] + step[i];
  if (joint.quaternion_q < 0) return;
  const Quaternion<> k = QuaternionMap(q + joint.quaternion_q);
  const Quaternion<> turned = quaternion_product<double>(k, exp_quaternion(VectorMap(step + joint.quaternion_v)));
  Eigen::Map<Quaternion<>>(out + joint.quaternion_q) = turned.normalized();
}

void difference(JointType type, const double* q0, const double* q1, double* step) {
  const JointFacts& joint = facts_of(type);
  for (int i = 0; i < plain_coordinates(joint); ++i) step[i] = q1[i] - q0[i];
  if (joint.quaternion_q < 0) return;
  Quaternion<> back = QuaternionMap(q0 + joint.quaternion_q);
  back.tail<3>() *= -1;
  const Quaternion<> k1 = QuaternionMap(q1 + joint.quaternion_q);
  Eigen::Map<Vec3<>>(step + joint.quaternion_v) = log_quaternion(quaternion_product<double>(back, k1));
}

void coordinate_rates(JointType type, const double* q, const double* v, double* qdot) {
  const JointFacts& joint = facts_of(type);
  for (int i = 0; i < plain_coordinates(joint); ++i) qdot[i] = v[i];
  if (joint.quaternion_q < 0) return;
  // k̇ = ½ k ⊗ (0, ω), ω in the moving frame
  const Quaternion<> k = QuaternionMap(q + joint.quaternion_q);
  const double* w = v + joint.quaternion_v;
  Eigen::Map<Quaternion<>>(qdot + joint.quaternion_q) = 0.5 * quaternion_product<double>(k, {0.0, w[0], w[1], w[2]});
}

void coordinate_accelerations(JointType type, const double* q, const double* v, const double* vdot, double* qddot) {
  coordinate_rates(type, q, vdot, qddot);
  const JointFacts& joint = facts_of(type);
  if (joint.quaternion_q < 0) return;
  double qdot[7], turning[7];
  coordinate_rates(type, q, v, qdot);
  coordinate_rates(type, qdot, v, turning);
  for (int i = joint.quaternion_q; i < joint.size.q; ++i) qddot[i] += turning[i];
}

bool normalize(JointType type, double* q) {
  const JointFacts& joint = facts_of(type);
  if (joint.quaternion_q < 0) return true;
  Eigen::Map<Quaternion<>> k(q + joint.quaternion_q);
  const double norm = k.norm();
  if (!std::isfinite(norm) || norm == 0) return false;
  k /= norm;
  return true;
}

}  // namespace trammel
