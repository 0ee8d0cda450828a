#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/mjcf/transmission.h"

namespace trammel::mjcf {
namespace {

constexpr double no_end = unlimited;

// The force of a general actuator, gain·ctrl + bias₀ + bias₁·length + bias₂·rate, as the layers of defaults and the element itself set it
// one after the other: the shortcuts are other words for the same numbers.
struct Law {
  double gain = 1;
  std::array<double, 3> bias{};
  bool affine = false;
  std::string why_not;  // what of it is not computed

  void say(const Element& element, const Item& layer) {
    const std::string_view tag = element.tag();
    if (tag == "general") say_general(layer);
    if (tag == "motor") *this = {};
    if (tag == "position") {
      const double kp = layer.number("kp", gain), kv = layer.not_negative("kv", -bias[2]);
      *this = {kp, {0, -kp, -kv}, true, ""};
      for (const char* attribute : {"dampratio", "timeconst"})
        if (layer.number(attribute, 0) != 0) why_not = attribute;
    }
    if (tag == "velocity") {
      const double kv = layer.number("kv", gain);
      *this = {kv, {0, 0, -kv}, true, ""};
    }
  }

 private:
  void say_general(const Item& layer) {
    if (const auto given = layer.numbers("gainprm", 1, 10)) gain = given->front();
    if (const auto given = layer.numbers("biasprm", 1, 10)) {
      for (std::size_t i = 0; i < 3; ++i) bias[i] = i < given->size() ? (*given)[i] : 0;
    }
    if (const auto type = layer.text("biastype")) {
      affine = *type == "affine";
      if (!affine && *type != "none") why_not = fmt::format("biastype {}", *type);
    }
    if (const auto type = layer.text("gaintype"); type && *type != "fixed") why_not = fmt::format("gaintype {}", *type);
    if (const auto type = layer.text("dyntype"); type && *type != "none") why_not = fmt::format("dyntype {}", *type);
  }
};

class ActuatorReader {
 public:
  ActuatorReader(const Element& root, const Tendons& tendons, Reader& reader)
      : root_(root), tendons_(tendons), r_(reader) {}

  std::string read(const Element& element, std::size_t number) {
    const Item item = r_.defaults.of(element, "", "general");
    DescribedMotor out;
    out.place = element.place();
    out.name = element.text("name") ? element.name() : fmt::format("actuator {}", number + 1);
    if (std::ranges::find(r_.out.motors, out.name, &DescribedMotor::name) != r_.out.motors.end())
      throw Error(element.place(), fmt::format("a second actuator named '{}'", out.name), "a name that no other has");
    Law law;
    // MuJoCo's defaults are those of the outermost class, changed by the inner ones
    for (std::size_t i = item.layers().size(); i-- > 0;) law.say(item.layers()[i], Item(item.layers()[i]));
    const std::string what = law.why_not.empty() ? transmission(item, out) : law.why_not;
    if (!what.empty()) {
      r_.remarks.add(element.place(), "actuator", [&]() -> Remarks::Wording {
        return {fmt::format("actuator is left out ('{}', for its {})", out.name, what),
                fmt::format("actuators are left out (the first is '{}', for its {})", out.name, what)};
      });
      return "";
    }
    const auto control = range_of(item, "ctrllimited", "ctrlrange"),
               force = range_of(item, "forcelimited", "forcerange");
    if (law.affine)
      out.servo = DescribedMotor::Servo{law.gain, law.bias, inherited(item, out).value_or(control), force};
    else if (out.along.terms.size() > 1)
      out.servo = DescribedMotor::Servo{law.gain, {}, control, force};
    else
      out.limit = limit_of(law.gain, out.along.terms[0].factor, control, force);
    r_.out.motors.push_back(out);
    return out.name;
  }

 private:
  // Sets what it acts along; returns what of it is not computed.
  std::string transmission(const Item& item, DescribedMotor& out) const {
    for (const char* attribute : {"site", "body", "cranksite", "slidersite", "refsite"})
      if (item.has(attribute)) return attribute;
    const auto gears = item.numbers("gear", 1, 6);
    const double gear = gears ? gears->front() : 1;
    const char* by_joint = item.has("jointinparent") ? "jointinparent" : "joint";
    if (item.has(by_joint)) {
      const Tree::JointFacts* joint = r_.tree.joint(*item.text(by_joint));
      if (joint != nullptr && joint->qpos0.size() > 1) return fmt::format("{} joint", name_of(joint->type));
      out.along.terms = {{gear, joint_of(item, by_joint, r_.tree).name}};
      return "";
    }
    if (!item.has("tendon")) item.refuse("joint", "a joint or a tendon that it drives");
    const std::string name = *item.text("tendon");
    const auto tendon = tendons_.find(name);
    if (tendon == tendons_.end()) {
      if (is_spatial(name)) return "spatial tendon";
      std::vector<std::string> known;
      for (const auto& [other, terms] : tendons_) known.push_back(other);
      item.refuse("tendon", known.empty() ? "the name of a tendon" : allowed_names(name, known));
    }
    out.along = tendon->second;
    for (JointSum::Term& term : out.along.terms) term.factor *= gear;
    return "";
  }

  bool is_spatial(const std::string& name) const {
    for (const Element& section : r_.source.children(root_))
      if (section.tag() == "tendon")
        for (const Element& tendon : r_.source.children(section))
          if (tendon.tag() == "spatial" && tendon.text("name") == name) return true;
    return false;
  }

  std::array<double, 2> range_of(const Item& item, const char* limited, const char* range) const {
    if (!is_limited(item, limited, range, r_.settings)) return {-no_end, no_end};
    const auto given = item.numbers(range, 2, 2);
    if (!((*given)[0] < (*given)[1])) item.refuse(range, "the lower end before the upper one");
    return {(*given)[0], (*given)[1]};
  }

  // inheritrange: the range of the joint, widened about its middle.
  std::optional<std::array<double, 2>> inherited(const Item& item, const DescribedMotor& motor) const {
    const double part = item.not_negative("inheritrange", 0);
    if (part == 0) return std::nullopt;
    const auto range = motor.along.terms.size() == 1 ? r_.tree.joint(motor.along.terms[0].joint)->range : std::nullopt;
    if (!range) item.refuse("inheritrange", "0 where the joint has no range");
    const double middle = ((*range)[0] + (*range)[1]) / 2, half = ((*range)[1] - (*range)[0]) / 2 * part;
    return std::array{middle - half, middle + half};
  }

  // Both ways, at the joint; none where there is none.
  static std::optional<double> limit_of(double gain, double gear, const std::array<double, 2>& control,
                                        const std::array<double, 2>& force) {
    const double by_control = std::abs(gain) * std::max(std::abs(control[0]), std::abs(control[1]));
    const double by_force = std::max(std::abs(force[0]), std::abs(force[1]));
    const double limit = std::abs(gear) * std::min(by_control, by_force);
    return limit > 0 && std::isfinite(limit) ? std::optional(limit) : std::nullopt;
  }

  const Element& root_;
  const Tendons& tendons_;
  Reader& r_;
};

}  // namespace

std::vector<std::string> read_actuators(const Element& root, const Tendons& tendons, Reader& reader) {
  std::vector<std::string> names;
  ActuatorReader actuators(root, tendons, reader);
  for (const Element& section : reader.source.children(root)) {
    if (section.tag() != "actuator") continue;
    for (const Element& element : reader.source.children(section)) {
      const std::string tag(element.tag());
      const bool known = tag == "general" || tag == "motor" || tag == "position" || tag == "velocity";
      names.push_back(known ? actuators.read(element, names.size()) : "");  // others have their remark
    }
  }
  return names;
}

}  // namespace trammel::mjcf
