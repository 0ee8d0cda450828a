#include "trammel/scenario/words.h"

#include "trammel/expression/operations.h"
#include "trammel/model/joint.h"
#include "trammel/scenario/plan.h"
#include "trammel/scenario/shapes.h"
#include "trammel/simulate/runge_kutta.h"

namespace trammel::scenario {

std::vector<Word> all_words() {
  std::vector<Word> out;
  for (const ConstraintKind& kind : constraint_kinds()) out.push_back({"constraint", kind.key, kind.other_keys});
  for (const ConstraintKind& kind : constraint_kinds())
    if (kind.closure) out.push_back({"closure", kind.key});
  const auto any = keys_of_every_constraint();
  out.push_back({"every", "constraint", {any.begin(), any.end()}});
  for (const SurfaceKind& kind : surface_kinds()) out.push_back({"surface", kind.key, kind.keys()});
  for (const ForceKind& kind : force_kinds()) out.push_back({"force", kind.key, kind.other_keys});
  for (const ShapeKind& kind : shape_kinds()) out.push_back({"shape", kind.key});
  for (const NamedColor& color : named_colors()) out.push_back({"color", color.name});
  for (const JointType type : joint_types()) {
    const std::string axes = std::to_string(axis_count(type)), velocities = std::to_string(size_of(type).v);
    out.push_back({"joint", std::string(name_of(type)), {axes, velocities}});
  }
  for (const Tableau* method : all_methods())
    out.push_back({"integrator", std::string(method->name), {method->adaptive() ? "tolerance" : "step"}});
  for (const expression::Function& function : expression::functions())
    out.push_back({"function", std::string(function.name)});
  for (const std::string& word : reserved_words()) out.push_back({"reserved", word});
  return out;
}

}  // namespace trammel::scenario
