#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "trammel/model/build_model.h"
#include "trammel/urdf/urdf.h"

namespace trammel::test {

inline std::string read_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// FNV-1a, 64 bit, as 16 hex digits: how golden files name the model that they were made from.
inline std::string fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

/// A golden file of another engine (layout: tests/golden/README.md).
inline nlohmann::json read_golden(const std::string& name) {
  return nlohmann::json::parse(
      read_text(std::filesystem::path(TRAMMEL_SOURCE_DIR) / "tests/golden" / (name + ".json")));
}

/// The robots that other people wrote and that have a golden file. They are not in this repository (tools/test-robots
/// installs them): tests that need them skip where they are absent.
inline const char* const others_robots[] = {"baxter_description/urdf/baxter.urdf", "panda_description/urdf/panda.urdf",
                                            "simple_humanoid_description/urdf/simple_humanoid.urdf",
                                            "solo_description/robots/solo12.urdf",
                                            "ur_description/urdf/ur5_robot.urdf"};
inline std::filesystem::path others_robot(const std::string& file) {
  return std::filesystem::path(TRAMMEL_ROBOT_DATA) / file;
}
/// How its golden file and its tests are called.
inline std::string robot_name(const std::string& file) { return std::filesystem::path(file).stem().string(); }

/// A robot as the other engines saw it: without springs, damping and friction in its joints.
inline Model without_passive_forces(RobotDescription description) {
  for (Joint& joint : description.joints)
    for (Coordinate& c : joint.coordinates) c.damping = c.friction = c.stiffness = 0;
  return build_model(description);
}

inline VecX<> to_vector(const nlohmann::json& list) {
  VecX<> out(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) out[static_cast<int>(i)] = list[i].get<double>();
  return out;
}

inline Mat3<> to_rotation(const nlohmann::json& row_major) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(to_vector(row_major).data());
}

/// Which of our coordinates and velocities stands at each of the golden file's.
struct CoordinateMap {
  std::vector<int> q, v;

  CoordinateMap(const nlohmann::json& golden, const Model& model) : q(model.nq()), v(model.nv()) {
    for (const auto& joint : golden["coordinates"]) {
      const Body& body = model.bodies()[model.joint(joint["joint"].get<std::string>())];
      for (int k = 0; k < joint["nq"]; ++k) q[joint["iq"].get<int>() + k] = body.q + k;
      for (int k = 0; k < joint["nv"]; ++k) v[joint["iv"].get<int>() + k] = body.v + k;
    }
  }

  static VecX<> ours(const std::vector<int>& order, const nlohmann::json& theirs) {
    VecX<> out(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = theirs[i].get<double>();
    return out;
  }
  VecX<> our_q(const nlohmann::json& theirs) const { return ours(q, theirs); }
  VecX<> our_v(const nlohmann::json& theirs) const { return ours(v, theirs); }
};

}  // namespace trammel::test
