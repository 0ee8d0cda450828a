#include <algorithm>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/scenario/definitions.h"
#include "trammel/scenario/plan.h"
#include "trammel/system/friction_law.h"

namespace trammel::scenario {
namespace {

// The kind by the key that stands in the item; nullptr if none does.
const ConstraintKind* kind_of(const Value& item) {
  const ConstraintKind* found = nullptr;
  for (const ConstraintKind& kind : constraint_kinds()) {
    if (!item.is_map() || item.node().find(kind.key) == nullptr) continue;
    if (found != nullptr)
      throw Error(item.node().key_place(kind.key),
                  fmt::format("both '{}' and '{}' in {}", found->key, kind.key, item.what()), "one kind of constraint");
    found = &kind;
  }
  return found;
}

std::vector<std::string> known_keys(const ConstraintKind* kind) {
  std::vector<std::string> keys;
  if (kind != nullptr) {
    keys.emplace_back(kind->key);
    keys.insert(keys.end(), kind->other_keys.begin(), kind->other_keys.end());
  } else {
    for (const ConstraintKind& any : constraint_kinds()) keys.emplace_back(any.key);
  }
  keys.insert(keys.end(), keys_of_every_constraint().begin(), keys_of_every_constraint().end());
  return keys;
}

std::string whose(const Value& item, const char* what) {
  const Node* name = item.is_map() ? item.node().find("name") : nullptr;
  return name != nullptr && !name->text.empty() ? fmt::format("{} {}", what, expression::shown(name->text))
                                                : item.what();
}

std::vector<std::string> surface_names() {
  std::vector<std::string> names;
  for (const SurfaceKind& kind : surface_kinds()) names.push_back(fmt::format("a {}", kind.key));
  return names;
}

// friction: {force: 0.1*normal + 0.02*speed}
Expression read_friction_law(const Value& value, const Scope& scope) {
  const Value law = Map(value, value.what(), {"force"}).required("force");
  check_own_name("normal", law.place(), "a friction law", "the normal force", scope);
  check_own_name("speed", law.place(), "a friction law", "the sliding speed", scope);
  const Expression out = scope.with_inputs(FrictionLaw::input_names(scope.inputs())).expression(law);
  if (moves_with_robot(out)) law.refuse("a law of normal and speed, of constants, inputs and t");
  return out;
}

void read_extras(const Map& map, const Scope& scope, Plan::PlannedConstraint& out) {
  if (const auto scale = map.find("scale")) out.scale = scale->positive(scope.constants(), Unit::length);
  if (const auto gains = map.find("baumgarte")) {
    const Map both(*gains, gains->what(), {"alpha", "beta"});
    out.baumgarte = Baumgarte{both.required("alpha").not_negative(scope.constants(), Unit::none),
                              both.required("beta").not_negative(scope.constants(), Unit::none)};
  }
  if (const auto compliance = map.find("compliance")) {
    const Map both(*compliance, compliance->what(), {"force", "torque"});
    const auto read = [&](const char* key) {
      const auto given = both.find(key);
      return given ? given->not_negative(scope.constants(), Unit::none) : 0.0;
    };
    out.compliance = Compliance{read("force"), read("torque")};
    if (out.layer == Layer::control)
      map.refuse_key("compliance", fmt::format("a compliance in {}", map.whose()),
                     "one under constraints: what control asks for is no part that gives way");
  }
  if (const auto friction = map.find("friction")) {
    if (friction->is_map())
      out.friction_law = read_friction_law(*friction, scope);
    else if (!friction->is_text())
      friction->refuse("a number, or {force: …} of normal and speed");
    else
      out.friction = friction->not_negative(scope.constants(), Unit::none);
    if (!out.law.contact)
      map.refuse_key("friction", fmt::format("friction in {}", map.whose()),
                     fmt::format("friction of a point on {}", alternatives(surface_names())));
    if (out.law.contact->at.body == world)
      map.refuse_key("friction", fmt::format("friction in {}, whose point does not move", map.whose()),
                     "a point of a body");
    if (out.friction_law) out.law.needs_start |= uses_start(*out.friction_law);
  }
}

void read_constraint(const Value& item, Layer layer, const Scope& scope, Plan& out) {
  const std::string described = whose(item, layer == Layer::physical ? "constraint" : "control");
  const ConstraintKind* kind = kind_of(item);
  const Map map(item, described, known_keys(kind));
  if (kind == nullptr) {
    std::vector<std::string> kinds;
    for (const ConstraintKind& any : constraint_kinds()) kinds.emplace_back(any.key);
    throw Error(item.place(), fmt::format("no kind of {}", described), allowed_names("", kinds));
  }
  const Value name_value = map.required("name");
  const std::string name = name_value.name();
  if (std::ranges::any_of(out.constraints, [&](const auto& other) { return other.item_name == name; }))
    name_value.refuse(fmt::format("a second constraint named {}", expression::shown(name)), "a name that no other has");
  for (Law& law : at_place(item.place(), [&] { return kind->read(map.required(kind->key), map, scope); })) {
    Plan::PlannedConstraint planned{
        .item_name = name, .name = name + law.suffix, .layer = layer, .place = item.place()};
    planned.law = std::move(law);
    read_extras(map, scope, planned);
    out.constraints.push_back(std::move(planned));
  }
}

}  // namespace

std::span<const std::string> keys_of_every_constraint() {
  static const std::vector<std::string> keys{"name", "scale", "baumgarte", "compliance", "friction"};
  return keys;
}

bool Plan::constraints_need_start() const {
  return std::ranges::any_of(constraints, [](const PlannedConstraint& c) { return c.law.needs_start; });
}

bool Plan::needs_start() const {
  return constraints_need_start() || std::ranges::any_of(forces, &PlannedForce::needs_start);
}

void read_constraints(const Value& value, Layer layer, const Scope& scope, Plan& out) {
  for (const Value& item : value.list("a list of constraints")) read_constraint(item, layer, scope, out);
}

void read_motion(const Value& value, const Scope& scope, Plan& out) {
  for (const auto& [key, given] : named_values(value, "motion of")) {
    const int q = scope.coordinate(key.text, key.place);
    const Expression path = scope.path(given, scope.unit_of_coordinate(q), true);
    const Expression bare = at_place(key.place, [&] {
      const std::string name = key.text.substr(0, key.text.find('['));
      return scope.composed(name == key.text ? fmt::format("`{}`", name) : key.text);
    });
    Law law{.needs_start = uses_start(path), .make = [&model = scope.model(), q, path, bare](const Start& start) {
              const std::vector<JointCoupling::Term> terms{{q, 1}};
              return std::make_shared<JointCoupling>(model, terms, start.path(path, bare));
            }};
    out.constraints.push_back({.item_name = "motion " + key.text,
                               .name = "motion " + key.text,
                               .law = std::move(law),
                               .layer = Layer::control,
                               .leads = q,
                               .place = key.place});
  }
}

void put_constraints(const Plan& plan, const Start& start, bool all, System& out) {
  for (const Plan::PlannedConstraint& planned : plan.constraints) {
    if (planned.law.needs_start && !all) continue;
    at_place(planned.place, [&] {
      NamedConstraint made{planned.name, planned.law.make(start), planned.layer, planned.scale};
      made.baumgarte = planned.baumgarte;
      made.compliance = planned.compliance;
      made.leads = planned.leads;
      if (planned.friction)
        made.working = std::make_shared<CoulombFriction>(*made.law, *planned.friction, planned.law.contact->at,
                                                         planned.law.contact->other_body, plan.friction_speed);
      if (planned.friction_law)
        made.working = std::make_shared<FrictionLaw>(
            *made.law,
            BoundExpression(out.model, *planned.friction_law, start.values(*planned.friction_law),
                            FrictionLaw::input_names(out.input_names())),
            planned.law.contact->at, planned.law.contact->other_body, plan.friction_speed);
      out.constrain(std::move(made));
    });
  }
}

}  // namespace trammel::scenario
