#include "trammel/system/system.h"

#include <fmt/core.h>

#include "trammel/constraints/bound_expression.h"
#include "trammel/constraints/joint_coupling.h"

namespace trammel {
namespace {

template <class Named>
void check_new(const std::vector<Named>& taken, const std::string& name, const char* what) {
  for (const Named& other : taken)
    if (other.name == name) throw Error(fmt::format("a second {} named '{}'", what, name), "a name that no other has");
}

void check_indices(std::span<const int> indices, int lowest, int count, const std::string& whose, const char* what) {
  for (const int i : indices)
    if (i < lowest || i >= count)
      throw Error(fmt::format("{} {} of '{}'", what, i, whose), fmt::format("{} to {}", lowest, count - 1));
}

void check_compliance(const NamedConstraint& constraint) {
  for (const double given : {constraint.compliance->force, constraint.compliance->torque})
    if (!(given >= 0) || !std::isfinite(given))
      throw Error(fmt::format("compliance {:g} of constraint '{}'", given, constraint.name), "0 or above");
  if (constraint.layer == Layer::control)
    throw Error(fmt::format("a compliance of control '{}'", constraint.name), "compliances of constraints alone");
  for (int row = 0; row < constraint.law->rows(); ++row)
    if (constraint.law->unit(row).empty())
      throw Error(fmt::format("a compliance of '{}', whose rows have no unit", constraint.name),
                  "compliances of constraints whose rows are lengths or angles");
}

}  // namespace

void System::constrain(NamedConstraint constraint) {
  check_new(constraints, constraint.name, "constraint");
  check_indices(constraint.law->bodies(), world, model.body_count(), constraint.name, "body");
  check_indices(constraint.law->velocities(), 0, model.nv(), constraint.name, "velocity");
  if (!(constraint.scale > 0) || !std::isfinite(constraint.scale))
    throw Error(fmt::format("scale {:g} of constraint '{}'", constraint.scale, constraint.name), "above 0");
  if (constraint.compliance) check_compliance(constraint);
  constraints.push_back(std::move(constraint));
  source.reset();
}

void System::constrain(const std::string& name, std::shared_ptr<const Constraint> law, Layer layer, double scale) {
  constrain({name, std::move(law), layer, scale});
}

void System::apply(const std::string& name, std::shared_ptr<const Force> law) {
  check_new(forces, name, "force");
  forces.emplace_back(name, std::move(law));
  source.reset();
}

void System::drive(const Actuator& actuator) {
  check_new(actuators, actuator.name, "actuator");
  check_indices(std::span(&actuator.velocity, 1), 0, model.nv(), actuator.name, "velocity");
  for (const Actuator& other : actuators)
    if (other.velocity == actuator.velocity)
      throw Error(fmt::format("actuator '{}' where '{}' stands", actuator.name, other.name), "one actuator a velocity");
  if (actuator.limit && !(*actuator.limit > 0))
    throw Error(fmt::format("limit {:g} of '{}'", *actuator.limit, actuator.name), "above 0");
  if (!(actuator.weight > 0) || !std::isfinite(actuator.weight))
    throw Error(fmt::format("weight {:g} of '{}'", actuator.weight, actuator.name), "above 0");
  actuators.emplace_back(actuator);
  source.reset();
}

void System::add_input(const std::string& name, double value) {
  check_new(inputs, name, "input");
  if (is_reserved_word(name))
    throw Error(fmt::format("an input named '{}', a word of the language", name), "another name");
  for (int i = 0; i < model.body_count(); ++i)
    if (model.joint_name(i) == name)
      throw Error(fmt::format("an input named like the joint '{}'", name), "another name");
  if (!std::isfinite(value)) throw Error(fmt::format("value {:g} of input '{}'", value, name), "a finite number");
  inputs.emplace_back(name, value);
  source.reset();
}

std::vector<std::string> System::input_names() const {
  std::vector<std::string> names;
  for (const Input& input : inputs) names.push_back(input.name);
  return names;
}

std::vector<double> System::input_values() const {
  std::vector<double> values;
  for (const Input& input : inputs) values.push_back(input.value);
  return values;
}

void System::constrain_couplings() {
  for (const ModelCoupling& coupling : model.couplings())
    constrain(coupling.name, std::make_shared<JointCoupling>(model, coupling));
}

Vocabulary vocabulary_of(const System& system) {
  Vocabulary vocabulary = vocabulary_of(system.model);
  vocabulary.inputs = system.input_names();
  return vocabulary;
}

}  // namespace trammel
