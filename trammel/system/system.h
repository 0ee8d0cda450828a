#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trammel/expression/vocabulary.h"
#include "trammel/system/force.h"
#include "trammel/system/parameters.h"
#include "trammel/system/working_force.h"

namespace trammel {

/// Physical constraints hold whatever happens; control constraints act inside the motions that those leave free.
enum class Layer { physical, control };

/// Drives the error of a row to zero as it moves: φ̈ + α φ̇ + β φ = 0 at position level, ψ̇ + α ψ = 0 at velocity level.
struct Baumgarte {
  double alpha = 0;  // 1/s
  double beta = 0;   // 1/s²

  bool operator==(const Baumgarte&) const = default;
};

/// By how much a constraint gives way to its force. It changes no motion: it tells how constraints share a force that rows which follow from
/// others leave open (force_split.h). Rows at velocity level slip instead, by so much per second.
struct Compliance {
  double force = 0;   // m/N
  double torque = 0;  // rad/(N·m)

  bool operator==(const Compliance&) const = default;
};

struct NamedConstraint {
  std::string name;
  std::shared_ptr<const Constraint> law;
  Layer layer = Layer::physical;
  double scale = 1;  // weighs its rows besides their own scale; matters only where rows contradict each other
  std::optional<Baumgarte> baumgarte{};           // its own, instead of the run's
  std::shared_ptr<const WorkingForce> working{};  // the part of its force that does work; none if it is ideal
  std::optional<Compliance> compliance{};         // none if it is rigid
  std::optional<int> leads{};  // the coordinate that it leads along a path, φ = q − d(t), by its index in q
};

struct NamedForce {
  std::string name;
  std::shared_ptr<const Force> law;
};

/// A motor on one joint's velocity.
struct Actuator {
  std::string name;
  int velocity = 0;               // which it drives, by its index in v
  std::optional<double> limit{};  // N·m or N, both ways; if none is given, the effort limit of its joint
  double weight = 1;              // of its effort beside that of the others
};

/// A number that is set from outside while the system moves. Expressions in forces and equations use it by its name.
struct Input {
  std::string name;
  double value = 0;  // in SI units, until it is set
};

/// A robot, what acts on it, what must hold, and what drives it.
struct System {
  explicit System(Model robot) : model(std::move(robot)) {}

  Model model;
  std::vector<NamedForce> forces;
  std::vector<NamedConstraint> constraints;
  std::vector<Actuator> actuators;
  std::vector<Input> inputs;
  /// Makes it with other numbers; none where they cannot be changed by name. The adders below take it away: it does not know what they
  /// add. Whoever changes a member by hand takes it away himself.
  std::shared_ptr<const SystemSource> source{};

  /// Each adds one, the last of its kind; throws Error if the name is taken, or if what it acts on is not in the model.
  void constrain(NamedConstraint constraint);
  void constrain(const std::string& name, std::shared_ptr<const Constraint> law, Layer layer = Layer::physical,
                 double scale = 1);
  void apply(const std::string& name, std::shared_ptr<const Force> law);
  void drive(const Actuator& actuator);
  /// Its name must not be a joint's or a word of the expressions' language, and the value is finite.
  void add_input(const std::string& name, double value = 0);

  /// What an actuator can give: its own limit, or else the effort limit of its joint (N·m or N).
  double limit_of(const Actuator& actuator) const {
    return actuator.limit.value_or(model.coordinates()[actuator.velocity].effort_limit);
  }

  /// In the order of `inputs`, as expressions are bound and Movement carries them.
  std::vector<std::string> input_names() const;
  std::vector<double> input_values() const;

  /// Those that the model's author asked for (mimic joints), each under the name of its joint.
  void constrain_couplings();
};

/// The names of a system that an expression may use: its joints, frames and inputs.
Vocabulary vocabulary_of(const System& system);

}  // namespace trammel
