#pragma once

#include "trammel/scenario/law.h"
#include "trammel/system/system.h"

namespace trammel::scenario {

/// What the scenario wants in the system, read and checked, and put there once the start is known.
struct Plan {
  struct PlannedConstraint {
    std::string item_name, name;  // of the item in the file, and with what tells its laws apart
    Law law{};
    Layer layer = Layer::physical;
    double scale = 1;
    std::optional<Baumgarte> baumgarte{};
    std::optional<Compliance> compliance{};
    std::optional<double> friction{};  // μ, or a law of one's own:
    std::optional<Expression> friction_law{};
    std::optional<int> leads{};
    Place place{};
  };
  struct PlannedForce {
    std::string name;
    std::function<std::shared_ptr<const Force>(const Start&)> make;
    Place place;
    bool needs_start = false;
  };
  double friction_speed = trammel::friction_speed;  // m/s, of constraints
  std::vector<PlannedConstraint> constraints{};
  std::vector<PlannedForce> forces{};
  std::vector<std::pair<Actuator, Place>> actuators{};
  double motors_every = 0;  // s, between two samples of their torques; 0: always anew

  bool constraints_need_start() const;
  bool needs_start() const;  // constraints or forces do
};

/// constraints: and control: have the same kinds.
void read_constraints(const Value& value, Layer layer, const Scope& scope, Plan& out);
/// A kind of force, by the key that tells it.
struct ForceKind {
  const char* key;
  std::vector<std::string> other_keys;  // any may have a name besides
  std::vector<std::string> forms;       // as messages show them
  void (*read)(const Value& item, const Map& map, const Scope& scope, Plan& out);
};
/// All of them: the reader, its messages and `trammel words` go by this table in forces.cpp.
std::span<const ForceKind> force_kinds();
void read_forces(const Value& value, const Scope& scope, Plan& out);
/// gravity: [0, 0, -9.81*(1 + 0.1*sin(t))]: a force of the components that change; the others are the model's.
void read_changing_gravity(const Value& value, const std::array<bool, 3>& changes, const Scope& scope, Plan& out);
void read_actuators(const Value& value, const Scope& scope, Plan& out);
/// Joints that are led, {q1: pi/2*cycloid(t/5)}: control rows "motion q1".
void read_motion(const Value& value, const Scope& scope, Plan& out);

/// Puts the constraints into the system: all of them, or those alone that do not need the start.
void put_constraints(const Plan& plan, const Start& start, bool all, System& out);
void put_forces_and_actuators(const Plan& plan, const Start& start, System& out);

}  // namespace trammel::scenario
