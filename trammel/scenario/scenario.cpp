#include "trammel/scenario/scenario.h"

#include <mutex>
#include <unordered_set>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/model/build_model.h"
#include "trammel/model/configuration.h"
#include "trammel/model/description_numbers.h"
#include "trammel/scenario/constants.h"
#include "trammel/scenario/controllers.h"
#include "trammel/scenario/definitions.h"
#include "trammel/scenario/described.h"
#include "trammel/scenario/plan.h"
#include "trammel/scenario/robots.h"
#include "trammel/scenario/run.h"
#include "trammel/scenario/start.h"
#include "trammel/scenario/tables.h"
#include "trammel/scenario/text.h"
#include "trammel/scenario/tree.h"

namespace trammel {
namespace {

using namespace scenario;

std::vector<std::string> top_keys() {
  std::vector<std::string> keys{"trammel", "name"};
  keys.insert(keys.end(), robot_keys().begin(), robot_keys().end());
  for (const char* key : {"gravity", "constants", "inputs", "tables", "define", "controllers", "repeat", "constraints",
                          "forces", "control", "actuators", "motion", "initial", "simulate", "record", "plots"})
    keys.emplace_back(key);
  return keys;
}

void check_version(const Map& top) {
  const auto version = top.find("trammel");
  if (version && version->text("1") != "1")
    version->refuse(fmt::format("version {} of the format", expression::shown(version->node().text)), "1");
}

void check_constants(const Map& top, const Model& model) {
  const auto value = top.find("constants");
  if (!value) return;
  for (const auto& [key, number] : named_values(*value, "constant"))
    for (int i = 0; i < model.body_count(); ++i)
      if (model.joint_name(i) == key.text)
        throw Error(key.place, fmt::format("a constant named like the joint '{}'", key.text), "another name");
}

// Inputs of the robots' files are there already, and may be given another value.
void read_inputs(const Map& top, const Constants& constants, System& out) {
  const auto value = top.find("inputs");
  if (!value) return;
  for (const auto& [key, number] : named_values(*value, "input")) {
    const auto known = std::ranges::find(out.inputs, key.text, &Input::name);
    if (known != out.inputs.end()) {
      known->value = number.number(constants);
      continue;
    }
    check_plain_word(key, "input");
    if (constants.contains(key.text))
      throw Error(key.place, fmt::format("an input named like the constant '{}'", key.text), "another name");
    const double given = number.number(constants);
    at_place(key.place, [&, &name = key.text] { out.add_input(name, given); });
  }
}

// `changes`: of numbers that the robots' own files give.
RobotDescription read_description(const Map& top, RobotFiles& files, const Constants& constants,
                                  const Changes& changes) {
  RobotDescription robots = read_robots(top, files, constants);
  if (!changes.empty())
    for (const DescriptionNumber& number : numbers_of(robots))
      if (const auto change = changes.find(number.name); change != changes.end()) *number.value = change->second;
  const double creep_speed = read_friction_speed(top.find("simulate"), constants);
  for (Joint& joint : robots.joints)
    for (Coordinate& c : joint.coordinates) c.friction_speed = creep_speed;
  return robots;
}

// The components that are no numbers: they change with the time, or with an input.
std::array<bool, 3> changing_gravity(const Map& top, const Constants& constants) {
  std::array<bool, 3> out{};
  const auto value = top.find("gravity");
  if (!value || !value->is_list() || value->node().items.size() != 3) return out;
  for (int i = 0; i < 3; ++i) {
    const Node& part = value->node().items[i];
    out[i] = part.kind == Node::Kind::text && names_other_than(part, constants);
  }
  return out;
}

Model model_of(const RobotDescription& robots, const Map& top, const Constants& constants) {
  Vec3<> gravity = robots.gravity.value_or(Vec3<>(0, 0, -9.81));
  if (const auto value = top.find("gravity")) {
    const std::array<bool, 3> changes = changing_gravity(top, constants);
    const std::vector<Value> parts = value->list_of(3, "three numbers: [x, y, z]");
    for (int i = 0; i < 3; ++i) gravity[i] = changes[i] ? 0 : parts[i].number(constants, Unit::none);
  }
  return at_place(top.place(), [&] { return build_model(robots, gravity); });
}

Plan read_plan(const Map& top, const RobotDescription& robots, const Scope& scope) {
  Plan plan{.friction_speed = read_friction_speed(top.find("simulate"), scope.constants())};
  plan_described(robots, scope, plan);
  if (const auto value = top.find("constraints")) read_constraints(*value, Layer::physical, scope, plan);
  if (const auto value = top.find("control")) read_constraints(*value, Layer::control, scope, plan);
  if (const auto value = top.find("motion")) read_motion(*value, scope, plan);
  if (const auto value = top.find("forces")) read_forces(*value, scope, plan);
  if (const std::array<bool, 3> changes = changing_gravity(top, scope.constants()); changes != std::array<bool, 3>{})
    read_changing_gravity(*top.find("gravity"), changes, scope, plan);
  if (const auto value = top.find("actuators")) read_actuators(*value, scope, plan);
  return plan;
}

// Whether the start is wanted as well as the system. Where the system does not depend on it, it need not be assembled.
enum class Wanted { system, start };

// Puts everything into the system and finds the start. What uses start(…) comes in a second round, when all the rest is
// assembled.
void build(const Plan& plan, const AddToSystem& also, const Beginning& beginning, const Place& place, Wanted wanted,
           Scenario& out) {
  System& system = out.system;
  at_place(place, [&] { system.constrain_couplings(); });
  const std::vector<NamedConstraint> couplings = system.constraints;
  out.assemble = beginning.assemble;
  out.start = beginning.guess;
  const auto put_together = [&](bool all) {
    system.constraints = couplings;
    system.forces.clear();
    put_constraints(plan, Start(system.model, out.start), all, system);
    if (also) also(system);
    const bool needed = wanted == Wanted::start || plan.needs_start();
    if (!needed || !beginning.assemble || (out.assembly && !out.assembly->closed())) return;
    const int before = out.assembly ? out.assembly->iterations : 0;
    AssemblyOptions options = beginning.options;
    options.rank_tolerance = out.simulate.rank.relative;
    options.within_limits = out.simulate.limits != LimitRule::ignore;
    out.assembly = assemble(system, out.start.q, out.start.v, 0, options);
    out.assembly->iterations += before;
    const VecX<> change = difference(system.model, beginning.guess.q, out.assembly->q);
    out.assembly->moved = change.size() == 0 ? 0 : change.cwiseAbs().maxCoeff();
    if (out.assembly->closed()) out.start = State(0, out.assembly->q, out.assembly->v);
  };
  put_together(false);
  if (plan.constraints_need_start()) put_together(true);
  put_forces_and_actuators(plan, Start(system.model, out.start), system);
  if (out.simulate.limits == LimitRule::ignore)
    for (Actuator& actuator : system.actuators) actuator.limit = actuator.limit.value_or(unlimited);
  if (out.assembly && !out.assembly->closed()) out.start = State(0, out.assembly->q, out.assembly->v);
}

// Refuses a start that cannot be run from, and plots of what is not recorded.
void check_run(const Scenario& scenario, const Place& assemble, const std::vector<Place>& columns) {
  const Problem problem = scenario.problem();
  at_place(assemble, [&] { check_start(problem, scenario.start, scenario.simulate); });
  const Recording nothing(columns_of(problem, scenario.simulate).columns(), 0);
  auto place = columns.begin();
  const auto check = [&](const std::string& column) { at_place(*place++, [&] { return nothing.column(column); }); };
  for (const Figure& plot : scenario.plots) {
    check(plot.x.symbol);
    for (const Figure::Curve& curve : plot.curves) check(curve.label);
  }
}

}  // namespace

namespace {

// A scenario whose text has been parsed, to be read with any numbers.
class ScenarioSource final : public SystemSource, public std::enable_shared_from_this<ScenarioSource> {
 public:
  ScenarioSource(std::string text, std::string file, const std::filesystem::path& folder,
                 const std::vector<std::string>& overrides, const UrdfOptions& robots, AddToSystem also = {})
      : text_(std::move(text)),
        file_(std::move(file)),
        tree_(rooted(parse_yaml(text_, file_), file_)),
        files_(std::make_shared<RobotFiles>(folder, robots)),
        samples_(std::make_shared<SampleFiles>(folder)),
        also_(std::move(also)) {
    told([&] { put(overrides); });
  }

  /// The same with more overrides. What has been parsed is not parsed again, and the robots' files are not read again.
  ScenarioSource(const ScenarioSource& other, const std::vector<std::string>& overrides)
      : text_(other.text_),
        file_(other.file_),
        tree_(other.tree_),
        files_(other.files_),
        samples_(other.samples_),
        of_files_(other.of_files_),
        also_(other.also_) {
    told([&] { put(overrides); });
  }

  Scenario read(const Changes& changes, Wanted wanted) const {
    return told([&] {
      if (changes.empty()) return read(root(), of_files_, wanted);
      check_changes(changes, known().parameters);
      Changes of_files = changes;
      of_files.insert(of_files_.begin(), of_files_.end());
      const Node changed = tree_.with(of_files, known().numbers);
      return read(changed, of_files, wanted);
    });
  }

  // Options of a run are not numbers of its system, and what start(…) means must be known.
  System make(const Changes& changes) const override {
    Scenario out = read(changes, Wanted::system);
    if (motion_options(out.simulate) != known().options)
      throw Error({file_}, "a change of the options of the run: rank_tolerance, or the gains of its drift control",
                  "Scenario::with, which changes these too");
    if (out.assembly && !out.assembly->closed())
      throw Error({file_}, fmt::format("numbers with which the start does not close ({})", out.assembly->text()),
                  "some with which it does, where start(…) is used");
    return std::move(out.system);
  }
  std::vector<Parameter> parameters() const override {
    return told([&] { return known().parameters; });
  }
  const Node& root() const { return tree_.root(); }

 private:
  static Node rooted(Node root, const std::string& file) {
    if (root.place.file.empty()) root.place.file = file;
    return root;
  }
  // Errors in a copy of a repeated block are told where the author wrote it.
  template <class Work>
  std::invoke_result_t<Work> told(Work&& work) const {
    try {
      return work();
    } catch (const Error& error) {
      if (tree_.copies().empty()) throw;
      throw tree_.copies().told(error);
    }
  }

  // A number of a robot's file stands in no tree: bodies.forearm.mass, where bodies has no forearm.
  void put(const std::vector<std::string>& overrides) {
    std::vector<std::string> of_robots;
    for (const std::string& item : overrides)
      if (may_be_of_robot(item))
        of_robots.push_back(item);
      else
        tree_.put(item);
    if (of_robots.empty()) return;
    RobotDescription robots = read_robots(top(root()), *files_, read_constants(root()));
    const std::vector<DescriptionNumber> numbers = trammel::numbers_of(robots);
    for (const std::string& item : of_robots) {
      const std::string key = item.substr(0, item.find('='));
      if (std::ranges::find(numbers, key, &DescriptionNumber::name) == numbers.end()) {
        tree_.put(item);
        continue;
      }
      of_files_[key] = at_place({fmt::format("--set {}", expression::shown(item))}, [&] {
        return parse_number(std::string_view(item).substr(key.size() + 1), read_constants(root()));
      });
    }
  }
  bool may_be_of_robot(std::string_view item) const {
    const std::size_t dot = std::min(item.find('.'), item.size());
    const std::string_view section = item.substr(0, dot), rest = item.substr(std::min(dot + 1, item.size()));
    if (section != "bodies" && section != "joints" && section != "frames") return false;
    const Node* const there = root().find(section);
    if (there == nullptr) return true;
    const auto begins_with = [&](std::string_view name) {
      return rest.starts_with(name) && rest.substr(name.size()).starts_with('.');
    };
    if (there->kind == Node::Kind::map)
      return std::ranges::none_of(there->keys, [&](const Node::Key& key) { return begins_with(key.text); });
    return std::ranges::none_of(there->items, [&](const Node& one) {
      const Node* const name = one.find("name");
      return name != nullptr && begins_with(name->text);
    });
  }

  static Map top(const Node& root) { return {Value(root, "the scenario"), "the scenario", top_keys()}; }
  Scenario read(const Node& root, const Changes& of_files, Wanted wanted) const;

  // What the scenario says, and after that what its robots' files say and it does not.
  struct Known {
    std::vector<ScenarioNumber> numbers;
    std::vector<Parameter> parameters;
    MotionOptions options;
  };
  const Known& known() const {
    std::call_once(known_once_, [&] {
      const Constants constants = read_constants(root());
      std::unordered_set<std::string> names;
      const auto add = [&](const std::string& name, double value) {
        if (names.insert(name).second) known_.parameters.push_back({name, value});
      };
      known_.options = motion_options(read_simulate(top(root()).find("simulate"), constants));
      known_.numbers = scenario::numbers_of(root(), constants);
      for (const ScenarioNumber& number : known_.numbers) add(number.name, number.value);
      RobotDescription robots = read_robots(top(root()), *files_, constants);
      for (const DescriptionNumber& number : trammel::numbers_of(robots)) {
        const auto changed = of_files_.find(number.name);
        add(number.name, changed == of_files_.end() ? *number.value : changed->second);
      }
    });
    return known_;
  }

  std::string text_, file_;
  ScenarioTree tree_;
  std::shared_ptr<RobotFiles> files_;
  std::shared_ptr<SampleFiles> samples_;
  Changes of_files_{};  // overrides of numbers that the robots' files give
  AddToSystem also_;
  mutable std::once_flag known_once_;
  mutable Known known_;
};

Scenario ScenarioSource::read(const Node& root, const Changes& of_files, Wanted wanted) const {
  if (root.find("scenario") != nullptr && root.find("vary") != nullptr)
    throw Error(root.place, "a sweep of a scenario", "a scenario; for sweeps: trammel sweep");
  const Map top = ScenarioSource::top(root);
  check_version(top);
  const Constants constants = read_constants(top.find("constants"));
  const RobotDescription robots = read_description(top, *files_, constants, of_files);
  const std::vector<const DescribedStart*> starts = chosen_starts(robots, top.find("initial"));
  Scenario out{System(model_of(robots, top, constants))};
  check_constants(top, out.system.model);
  add_described_inputs(robots, starts, out.system);
  read_inputs(top, constants, out.system);
  const auto controllers = top.find("controllers");
  if (controllers) add_memories(*controllers, constants, out.system);
  out.simulate = read_simulate(top.find("simulate"), constants);
  Scope scope(out.system, constants, out.simulate.duration);
  if (const auto tables = top.find("tables")) scope.add_tables(read_tables(*tables, *samples_));
  if (const auto define = top.find("define")) read_definitions(*define, scope);

  // everything is read before anything is computed
  const Plan plan = read_plan(top, robots, scope);
  out.simulate.motors_every = plan.motors_every;
  const Beginning beginning = read_beginning(top.find("initial"), starts, scope);
  if (controllers) out.simulate.controllers = read_controllers(*controllers, scope);
  if (const auto record = top.find("record")) read_record(*record, scope, out.simulate);
  std::vector<Place> columns;
  if (const auto plots = top.find("plots")) out.plots = read_plots(*plots, scope, columns, out.simulate);
  const auto name = top.find("name");
  out.name = name ? name->name() : std::filesystem::path(file_).stem().string();
  out.file = file_;
  out.text = text_;
  out.warnings.assign(out.system.model.warnings().begin(), out.system.model.warnings().end());
  for (const Plan::PlannedConstraint& planned : plan.constraints)
    out.places.emplace(planned.name, tree_.copies().written(planned.place));
  build(plan, also_, beginning, top.place(), wanted, out);
  const Start start(out.system.model, out.start);
  begin_controllers(start, out.simulate.controllers);
  for (RecordedExpression& recorded : out.simulate.expressions) recorded.start = start.values(recorded.expression);
  out.system.source = shared_from_this();
  if (wanted == Wanted::start && (!out.assembly || out.assembly->closed())) check_run(out, beginning.place, columns);
  return out;
}

}  // namespace

Scenario Scenario::with(const Changes& changes) const {
  const auto* const source = dynamic_cast<const ScenarioSource*>(system.source.get());
  if (source == nullptr) throw Error("changes of a scenario that was not read from text", "one that was");
  return source->read(changes, Wanted::start);
}

Scenario Scenario::with_overrides(const std::vector<std::string>& overrides) const {
  const auto* const source = dynamic_cast<const ScenarioSource*>(system.source.get());
  if (source == nullptr) throw Error("overrides of a scenario that was not read from text", "one that was");
  return std::make_shared<ScenarioSource>(*source, overrides)->read({}, Wanted::start);
}

Scenario read_scenario_text(std::string text, const std::string& file, const std::filesystem::path& folder,
                            const std::vector<std::string>& overrides, const UrdfOptions& robots) {
  if (text.starts_with("<")) throw Error({file, 1, 1}, "XML", "a scenario in YAML; for a robot in URDF: trammel info");
  return std::make_shared<ScenarioSource>(std::move(text), file, folder, overrides, robots)->read({}, Wanted::start);
}

System read_system_text(std::string text, const std::string& file, const std::filesystem::path& folder,
                        AddToSystem also) {
  const std::vector<std::string> no_overrides;
  const auto source =
      std::make_shared<ScenarioSource>(std::move(text), file, folder, no_overrides, UrdfOptions(), std::move(also));
  refuse_samples_without_a_run(source->root());
  return source->make({});
}

Scenario read_scenario(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                       const UrdfOptions& robots) {
  return read_scenario_text(read_file(file), file.string(), file.parent_path(), overrides, robots);
}

}  // namespace trammel
