#include "trammel/model/model.h"

#include <fmt/core.h>

#include "trammel/base/names.h"

namespace trammel {

std::string to_string(const Warning& warning) {
  const std::string where = to_string(warning.place);
  return where.empty() ? warning.text : where + ": " + warning.text;
}

int Model::body_of_velocity(int i) const {
  int owner = body_count() - 1;
  while (bodies_[owner].v > i || bodies_[owner].nv == 0) --owner;
  return owner;
}

bool Model::turns(int i) const {
  const Body& body = bodies_[body_of_velocity(i)];
  return is_angular(body.type, i - body.v);
}

std::string Model::velocity_name(int i) const {
  const int owner = body_of_velocity(i);
  const Body& body = bodies_[owner];
  return body.nv == 1 ? joint_name(owner) : fmt::format("{}[{}]", joint_name(owner), i - body.v);
}

std::vector<std::string> Model::coordinate_names() const {
  std::vector<std::string> out;
  for (int i = 0; i < body_count(); ++i) {
    const int count = size_of(bodies()[i].type).q;
    for (int k = 0; k < count; ++k) out.push_back(count == 1 ? joint_name(i) : fmt::format("{}[{}]", joint_name(i), k));
  }
  return out;
}

int Model::joint(std::string_view name) const {
  const auto found = joint_index_.find(std::string(name));
  if (found == joint_index_.end() || found->second == world)
    throw Error(fmt::format("joint '{}', which {}", name,
                            found == joint_index_.end() ? "does not exist" : "is fixed: what it joins is one body"),
                allowed_names(name, joint_names_));
  return found->second;
}

const Frame& Model::frame(std::string_view name) const {
  const auto found = frame_index_.find(std::string(name));
  if (found == frame_index_.end()) {
    std::vector<std::string> known;
    for (const Frame& frame : frames_) known.push_back(frame.name);
    throw Error(fmt::format("frame '{}', which does not exist", name), allowed_names(name, known));
  }
  return frames_[found->second];
}

Model Model::with_added_inertia(const VecX<>& added) const {
  Model out = *this;
  for (int i = 0; i < nv_; ++i) out.coordinates_[i].rotor_inertia += added[i];
  return out;
}

double Model::moving_mass() const {
  double sum = 0;
  for (const Body& body : bodies_) sum += body.inertia.mass;
  return sum;
}

}  // namespace trammel
