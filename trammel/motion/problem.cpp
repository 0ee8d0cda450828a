#include "trammel/motion/problem.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <mutex>
#include <optional>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/dynamics/branch.h"
#include "trammel/model/lent_inertia.h"
#include "trammel/motion/endless.h"
#include "trammel/motion/layered_qr.h"
#include "trammel/motion/same_structure.h"
#include "trammel/motion/usual_gradients.h"
#include "trammel/system/matrix_system.h"

namespace trammel {
namespace {

// Physical ones first.
template <class AnySystem>
std::vector<int> ordered_constraints(const AnySystem& system, bool with_control) {
  std::vector<int> out;
  for (const Layer layer : {Layer::physical, Layer::control})
    for (std::size_t i = 0; i < system.constraints.size(); ++i)
      if (system.constraints[i].layer == layer && (with_control || layer == Layer::physical))
        out.push_back(static_cast<int>(i));
  return out;
}

std::vector<Branch> branches_of(const System& system, const std::vector<int>& constraints) {
  std::vector<Branch> out;
  for (const int i : constraints) {
    const Constraint& law = *system.constraints[i].law;
    std::vector<int> driven;
    for (const int velocity : law.velocities()) driven.push_back(system.model.body_of_velocity(velocity));
    out.emplace_back(system.model, law.bodies(), driven);
  }
  return out;
}

// Where the columns of Y are not zero.
std::vector<Footprint> footprints_of(const System& system, const std::vector<int>& constraints,
                                     const std::vector<Branch>& branches) {
  std::vector<Footprint> out;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    Footprint& footprint = out.emplace_back(Footprint{system.constraints[constraints[i]].law->rows(), {}});
    for (const Branch::Step& step : branches[i].steps)
      for (int k = 0; k < step.nv; ++k) footprint.rows.push_back(step.v + k);
  }
  return out;
}

// Rows of Y as the groups of its columns have them.
void renumber_rows(const System& system, RowSet& set) {
  std::vector<int> row_of(system.model.nv(), -1);
  for (const GroupQr& group : set.qr->groups())
    for (std::size_t i = 0; i < group.group().rows.size(); ++i) row_of[group.group().rows[i]] = static_cast<int>(i);
  for (std::size_t i = 0; i < set.constraints.size(); ++i) {
    for (Branch::Step& step : (*set.branches)[i].steps) step.row = step.nv > 0 ? row_of[step.v] : 0;
    std::vector<int>& direct = set.direct_rows.emplace_back();
    for (const int velocity : system.constraints[set.constraints[i]].law->velocities())
      direct.push_back(row_of[velocity]);
  }
}

std::string row_name(const std::string& constraint, int rows, int row) {
  return rows == 1 ? constraint : fmt::format("{}[{}]", constraint, row);
}

std::vector<RowInfo> rows_of(const System& system, const RowSet& set) {
  std::vector<RowInfo> out;
  for (const int i : set.constraints) {
    const NamedConstraint& constraint = system.constraints[i];
    const int m = constraint.law->rows();
    const Role role = constraint.leads                      ? Role::motion
                      : constraint.layer == Layer::physical ? Role::constraint
                                                            : Role::control;
    for (int k = 0; k < m; ++k)
      out.push_back({row_name(constraint.name, m, k), i, k, constraint.layer, constraint.law->level(k), role,
                     constraint.law->unit(k)});
  }
  return out;
}

std::vector<RowInfo> rows_of(const MatrixSystem& system, const RowSet& set) {
  std::vector<RowInfo> out;
  for (const int i : set.constraints) {
    const MatrixSystem::Constraint& constraint = system.constraints[i];
    const Role role = constraint.layer == Layer::physical ? Role::constraint : Role::control;
    for (int k = 0; k < constraint.rows; ++k)
      out.push_back(
          {row_name(constraint.name, constraint.rows, k), i, k, constraint.layer, constraint.level, role, ""});
  }
  return out;
}

// The rows at position level among the first `count`.
std::vector<int> position_rows_of(const std::vector<RowInfo>& rows, int count) {
  std::vector<int> out;
  for (int row = 0; row < count; ++row)
    if (rows[row].level == Level::position) out.push_back(row);
  return out;
}

std::vector<VariableInfo> coordinates_of(const Model& model) {
  std::vector<VariableInfo> out;
  for (const Body& body : model.bodies()) {
    const int count = size_of(body.type).q;
    for (int k = 0; k < count; ++k) {
      const bool quaternion = !rates_are_velocities(body.type) && k >= count - 4;
      out.push_back({"", quaternion ? "" : is_angular(body.type, k) ? "rad" : "m"});
    }
  }
  const std::vector<std::string> names = model.coordinate_names();
  for (std::size_t i = 0; i < out.size(); ++i) out[i].name = names[i];
  return out;
}

std::vector<VariableInfo> velocities_of(const Model& model) {
  std::vector<VariableInfo> out;
  for (int i = 0; i < model.nv(); ++i) out.push_back({model.velocity_name(i), model.turns(i) ? "rad/s" : "m/s"});
  return out;
}

std::vector<VariableInfo> motors_of(const System& system) {
  std::vector<VariableInfo> out;
  for (const Actuator& motor : system.actuators)
    out.push_back({motor.name, system.model.turns(motor.velocity) ? "N·m" : "N"});
  return out;
}

double moment_length_of(const Model& model) {
  double mass = 0, second_moment = 0, longest = 0;
  for (const Body& body : model.bodies()) {
    const Symmetric3<> about_com = body.inertia.about_com();
    mass += body.inertia.mass;
    second_moment += std::max(0.0, 0.5 * (about_com.xx + about_com.yy + about_com.zz));
    longest = std::max(longest, body.inertia.com().norm());
    if (body.parent != world) longest = std::max(longest, body.X_PF.p.norm());
  }
  // a body that is a point has no more than roundings of its own
  if (second_moment > 1e-12 * mass * longest * longest) return std::sqrt(second_moment / mass);
  return longest > 0 ? longest : 1;
}

void check(const MotionOptions& options) {
  if (!(options.rank.relative >= 0))
    throw Error(fmt::format("rank tolerance {:g}", options.rank.relative), "0 or above");
  if (!std::isfinite(options.baumgarte.alpha) || !std::isfinite(options.baumgarte.beta))
    throw Error("gains of Baumgarte's that are not finite", "finite ones");
}

bool is_driven(const System& system) {
  return !system.actuators.empty() &&
         std::ranges::any_of(system.constraints, [](const NamedConstraint& c) { return c.layer == Layer::control; });
}

}  // namespace

RowSet::RowSet(const System& system, bool with_control) : constraints(ordered_constraints(system, with_control)) {
  branches.emplace(branches_of(system, constraints));
  qr.emplace(footprints_of(system, constraints, *branches));
  for (const int i : constraints) {
    const NamedConstraint& constraint = system.constraints[i];
    first_row.push_back(rows);
    rows += constraint.law->rows();
    if (constraint.layer == Layer::physical) physical_rows = rows;
    if (constraint.working) has_working_forces = true;
  }
  weigh(system);
  renumber_rows(system, *this);
}

void RowSet::weigh(const System& system) {
  weight.resize(rows);
  VecX<> importance(rows);
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[constraints[i]];
    const int m = constraint.law->rows();
    VecX<> gradients;
    for (int k = 0; k < m; ++k) {
      double& out = weight[first_row[i] + k] = constraint.law->row_scale(k);
      if (!constraint.law->unit(k).empty()) continue;
      if (gradients.size() == 0) gradients = usual_gradients(system, *constraint.law, moment_length_of(system.model));
      if (gradients[k] > 0) out = 1 / gradients[k];
    }
    importance.segment(first_row[i], m).setConstant(constraint.scale);
  }
  qr->set_importance(importance);
}

RowSet::RowSet(const MatrixSystem& system) : constraints(ordered_constraints(system, true)) {
  branches.emplace();
  qr.emplace(system.size(), system.rows());
  for (const int i : constraints) {
    first_row.push_back(rows);
    rows += system.constraints[i].rows;
    if (system.constraints[i].layer == Layer::physical) physical_rows = rows;
  }
  weight.setOnes(rows);
}

namespace {

// Joints that move no mass are lent some: without mimics that hold all the time, they have nothing to borrow it from.
System with_lent_inertia(System system) {
  if (system.model.idle_velocities().empty()) return system;
  std::vector<char> led(system.model.nv(), 0);
  for (const NamedConstraint& constraint : system.constraints) {
    const auto* const coupling = dynamic_cast<const JointCoupling*>(constraint.law.get());
    if (coupling == nullptr || constraint.layer != Layer::physical) continue;
    for (const int v : coupling->velocities())
      if (system.model.velocity_name(v) == constraint.name) led[v] = 1;  // as System::constrain_couplings names them
  }
  system.model = system.model.with_added_inertia(lent_inertia(system.model, led));
  return system;
}

}  // namespace

struct Problem::Compiled {
  Compiled(System what, const MotionOptions& how)
      : system(with_lent_inertia(std::move(what))),
        options(how),
        nq(system->model.nq()),
        nv(system->model.nv()),
        driven(is_driven(*system)),
        asked(*system, true),
        held(*system, !driven),
        rows(rows_of(*system, asked)),
        position_rows(position_rows_of(rows, held.rows)),
        coordinates(coordinates_of(system->model)),
        velocities(velocities_of(system->model)) {
    if (driven) motors = motors_of(*system);
    for (const Input& input : system->inputs) inputs.push_back({input.name, ""});
  }

  // The same structure with the numbers of another system.
  Compiled(const Compiled& same, System other, Changes from_author)
      : system(with_lent_inertia(std::move(other))),
        changes(std::move(from_author)),
        options(same.options),
        nq(same.nq),
        nv(same.nv),
        driven(same.driven),
        asked(same.asked),
        held(same.held),
        rows(same.rows),
        position_rows(same.position_rows),
        coordinates(same.coordinates),
        velocities(same.velocities),
        motors(same.motors),
        inputs(same.inputs) {
    asked.weigh(*system);
    held.weigh(*system);
  }

  Compiled(MatrixSystem what, const MotionOptions& how)
      : matrices(std::move(what)),
        options(how),
        nq(matrices->size()),
        nv(nq),
        asked(*matrices),
        held(asked),
        rows(rows_of(*matrices, asked)),
        position_rows(position_rows_of(rows, held.rows)) {
    for (const std::string& name : matrices->coordinates) coordinates.push_back({name, ""});
    velocities = coordinates;
  }

  // one of the two
  std::optional<System> system;
  std::optional<MatrixSystem> matrices;
  Changes changes;  // since the system's author
  MotionOptions options;
  int nq, nv;
  bool driven = false;
  RowSet asked, held;
  std::vector<RowInfo> rows;
  std::vector<int> position_rows;
  std::vector<VariableInfo> coordinates, velocities, motors, inputs;

  // made when it is first asked for: laws are evaluated for it
  mutable std::once_flag endless_once;
  mutable std::vector<int> endless;
};

Problem::Problem(std::shared_ptr<const Compiled> compiled)
    : compiled_(std::move(compiled)),
      seen_{compiled_->system ? &*compiled_->system : nullptr, &compiled_->options, &compiled_->asked, &compiled_->held,
            compiled_->system ? moment_length_of(compiled_->system->model) : 1} {}

const Problem::Compiled& Problem::compiled() const {
  assert(compiled_);
  return *compiled_;
}

const MatrixSystem& Problem::matrices() const {
  assert(!is_tree());
  return *compiled_->matrices;
}
std::vector<Parameter> Problem::parameters() const {
  const SystemSource* const source = is_tree() ? system().source.get() : nullptr;
  return source ? source->parameters() : std::vector<Parameter>();
}
Problem Problem::with(const Changes& changes) const {
  if (!is_tree() || !system().source)
    throw Error("changes of a system whose numbers have no names", "a scenario's, or one that is parametrised");
  Changes all = changes;
  all.insert(compiled().changes.begin(), compiled().changes.end());
  System other = system().source->make(all);
  check_same_structure(system(), other);
  return Problem(std::make_shared<const Compiled>(compiled(), std::move(other), std::move(all)));
}
const Changes& Problem::changes() const { return compiled().changes; }
int Problem::nq() const { return compiled().nq; }
int Problem::nv() const { return compiled().nv; }
std::span<const int> Problem::position_rows() const { return compiled().position_rows; }
bool Problem::driven() const { return compiled().driven; }
std::span<const RowInfo> Problem::rows() const { return compiled().rows; }
std::span<const VariableInfo> Problem::coordinates() const { return compiled().coordinates; }
std::span<const VariableInfo> Problem::velocities() const { return compiled().velocities; }
std::span<const VariableInfo> Problem::motors() const { return compiled().motors; }
std::span<const VariableInfo> Problem::inputs() const { return compiled().inputs; }
int Problem::input(std::string_view name) const {
  const std::vector<VariableInfo>& inputs = compiled().inputs;
  const auto found = std::ranges::find(inputs, name, &VariableInfo::name);
  if (found != inputs.end()) return static_cast<int>(found - inputs.begin());
  std::vector<std::string> known;
  for (const VariableInfo& input : inputs) known.push_back(input.name);
  throw Error(fmt::format("input '{}', which does not exist", name), allowed_names(name, known));
}
std::span<const int> Problem::endless() const {
  const Compiled& here = compiled();
  std::call_once(here.endless_once, [&] {
    if (here.system) here.endless = endless_coordinates(*here.system);
  });
  return here.endless;
}

Problem compile(System system, const MotionOptions& options) {
  check(options);
  return Problem(std::make_shared<const Problem::Compiled>(std::move(system), options));
}

Problem compile(MatrixSystem system, const MotionOptions& options) {
  check(options);
  return Problem(std::make_shared<const Problem::Compiled>(std::move(system), options));
}

}  // namespace trammel
