#include "trammel/urdf/joint.h"

#include <algorithm>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/urdf/origin.h"

namespace trammel::urdf {
namespace {

const std::vector<std::string> urdf_types{"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};

// in the order of urdf_types
constexpr JointType our_types[] = {JointType::revolute, JointType::revolute, JointType::prismatic,
                                   JointType::fixed,    JointType::floating, JointType::planar};

std::string read_type(const Element& joint) {
  const std::string allowed = allowed_names(joint.text("type").value_or(""), urdf_types);
  const std::string type = joint.required_text("type", allowed.c_str());
  if (std::ranges::find(urdf_types, type) == urdf_types.end()) joint.refuse("type", allowed);
  return type;
}

JointType our_type(const std::string& type) {
  return our_types[std::ranges::find(urdf_types, type) - urdf_types.begin()];
}

void read_efforts(const Element& limit, Coordinate& out, Remarks& remarks) {
  const auto read = [&](const char* attribute, double& value) {
    const std::optional<double> given = limit.number(attribute);
    if (given && *given != 0) {
      value = *given;
      return;
    }
    // exporters write 0 where they know none
    const std::string what = given ? fmt::format("{} 0", attribute) : fmt::format("no {}", attribute);
    remarks.add(limit.place(), {fmt::format("<limit> has {}: it is taken as unlimited", what),
                                fmt::format("<limit>s have {}: it is taken as unlimited", what)});
  };
  read("effort", out.effort_limit);
  read("velocity", out.speed_limit);
}

void read_range(const Element& limit, Coordinate& out, Remarks& remarks) {
  const std::optional<double> lower = limit.number("lower"), upper = limit.number("upper");
  out.lower = lower.value_or(0);
  out.upper = upper.value_or(0);
  if (!lower && !upper)
    remarks.add(limit.place(),
                {"<limit> has neither lower nor upper: both are 0, the joint cannot move within them",
                 "<limit>s have neither lower nor upper: both are 0, the joints cannot move within them"});
}

void read_limit(const Element& joint, const std::string& type, Coordinate& out, Remarks& remarks) {
  const std::optional<Element> limit = joint.child("limit");
  if (type == "continuous") {
    if (!limit) return;
    if (limit->number("lower") || limit->number("upper"))
      remarks.add(limit->place(), {"<limit> of a continuous joint has lower or upper, which are not used",
                                   "<limit>s of continuous joints have lower or upper, which are not used"});
  } else {
    if (!limit)
      throw Error(joint.place(), fmt::format("no <limit> in {} {}", type, joint.description()),
                  type == "revolute" ? "one <limit>, or the type continuous" : "one <limit>");
    read_range(*limit, out, remarks);
  }
  read_efforts(*limit, out, remarks);
}

Coordinate read_coordinate(const Element& joint, const std::string& type, Remarks& remarks) {
  Coordinate out;
  read_limit(joint, type, out, remarks);
  if (const std::optional<Element> dynamics = joint.child("dynamics")) {
    out.damping = dynamics->number("damping").value_or(0);
    out.friction = dynamics->number("friction").value_or(0);
  }
  return out;
}

void remark_on_unused(const Element& joint, const std::string& type, Remarks& remarks) {
  for (const char* tag : {"limit", "dynamics"}) {
    const std::optional<Element> unused = joint.child(tag);
    if (!unused) continue;
    remarks.add(unused->place(), {fmt::format("<{}> of a {} joint is not used", tag, type),
                                  fmt::format("<{}> elements of {} joints are not used", tag, type)});
  }
}

}  // namespace

Joint read_joint(const Element& joint, Remarks& remarks, Faults& faults) {
  // of URDF+: it says which coordinates may be taken for independent ones, which are found here by themselves
  faults.attempt([&] {
    if (const auto independent = joint.text("independent");
        independent && *independent != "true" && *independent != "false")
      joint.refuse("independent", "true or false");
  });
  Joint out;
  out.place = joint.place();
  faults.attempt([&] { out.name = joint.name(); });
  faults.attempt([&] { out.parent = joint.required_child("parent").name("link"); });
  faults.attempt([&] { out.child = joint.required_child("child").name("link"); });
  faults.attempt([&] { out.at = read_origin(joint); });
  std::string type;
  if (!faults.attempt([&] { type = read_type(joint); })) return out;
  out.type = our_type(type);
  if (out.type != JointType::fixed && out.type != JointType::floating) {
    faults.attempt([&] {
      const std::optional<Element> axis = joint.child("axis");
      out.axis = axis ? axis->required_vector("xyz") : Vec3<>::UnitX();
    });
  }
  faults.attempt([&] {
    if (size_of(out.type).v == 1)
      out.coordinates.push_back(read_coordinate(joint, type, remarks));
    else
      remark_on_unused(joint, type, remarks);
  });
  return out;
}

std::optional<Coupling> read_mimic(const Element& joint) {
  const std::optional<Element> mimic = joint.child("mimic");
  if (!mimic) return std::nullopt;
  Coupling out;
  out.joint = joint.name();
  out.source = mimic->name("joint");
  out.multiplier = mimic->number("multiplier").value_or(1);
  out.offset = mimic->number("offset").value_or(0);
  out.place = mimic->place();
  return out;
}

}  // namespace trammel::urdf
