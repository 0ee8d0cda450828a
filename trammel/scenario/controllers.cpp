#include "trammel/scenario/controllers.h"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/scenario/constants.h"
#include "trammel/scenario/definitions.h"
#include "trammel/scenario/run.h"

namespace trammel::scenario {
namespace {

using expression::shown;

Map controller_map(const Value& item) {
  return {item, item.what(), {"name", "every", "delay", "memory", "next", "out"}};
}

std::vector<NamedValue> named_of(const Map& map, const char* key, const char* what) {
  const auto found = map.find(key);
  return found ? named_values(*found, what) : std::vector<NamedValue>{};
}

// The input that a memory is.
std::string memory_of(const std::string& controller, const std::string& name) { return controller + "." + name; }

class Reader {
 public:
  Reader(const Value& all, const Scope& scope) : scope_(scope) {
    for (const Value& item : all.list()) {
      const Map map = controller_map(item);
      for (const auto& [key, value] : named_of(map, "memory", "memory"))
        memories_.insert(memory_of(map.required("name").name(), key.text));
    }
  }

  Controller read(const Value& item) {
    const Map map = controller_map(item);
    Controller out;
    out.name = map.required("name").name();
    out.every = read_step(map.required("every"), scope_.constants(), scope_.duration());
    if (const auto delay = map.find("delay")) out.delay = delay->not_negative(scope_.constants(), Unit::time);
    const Scope inside = inside_of(item, map, out);
    out.next = read_next(map, out.name, inside);
    for (const auto& [key, value] : named_of(map, "out", "input"))
      out.out.push_back(read_out(key, value, out.name, inside));
    if (out.out.empty() && out.next.empty()) map.required("out").refuse("an input at least, and what it is set to");
    return out;
  }

 private:
  // Its own names besides the scenario's: dt and what it remembers.
  Scope inside_of(const Value& item, const Map& map, const Controller& controller) const {
    Scope inside = scope_.with_own_definitions();
    check_own_name("dt", item.place(), "a controller", "the time between samples", inside);
    inside.define("dt", inside.composed_expression(fmt::format("{:.17g}", controller.every)));
    for (const auto& [key, value] : named_of(map, "memory", "memory")) {
      if (key.text == "dt") throw Error(key.place, "a memory named 'dt', the time between samples", "another name");
      check_new_name(key, "memory", inside);
      inside.define(key.text, inside.composed_expression(fmt::format("`{}`.`{}`", controller.name, key.text)));
    }
    return inside;
  }

  std::vector<Controller::Setting> read_next(const Map& map, const std::string& controller, const Scope& inside) const {
    std::vector<std::string> known;
    std::vector<Controller::Setting> out;
    const std::vector<NamedValue> memory = named_of(map, "memory", "memory"), next = named_of(map, "next", "memory");
    for (const NamedValue& one : memory) known.push_back(one.key.text);
    for (const auto& [key, value] : next) {
      if (std::ranges::find(known, key.text) == known.end())
        throw Error(key.place, fmt::format("{}, which is no memory of '{}'", shown(key.text), controller),
                    known.empty() ? "memory: {…} with the names and first values of what is remembered"
                                  : allowed_names(key.text, known));
      out.push_back({input(memory_of(controller, key.text)), inside.expression(value)});
    }
    for (const NamedValue& one : memory)
      if (std::ranges::none_of(next, [&](const NamedValue& other) { return other.key.text == one.key.text; }))
        throw Error(one.key.place, fmt::format("the memory {} without what is next in it", shown(one.key.text)),
                    fmt::format("next: {{{}: …}}", one.key.text));
    return out;
  }

  Controller::Setting read_out(const Node::Key& key, const Value& value, const std::string& controller,
                               const Scope& inside) {
    std::vector<std::string> known;
    for (const std::string& name : scope_.inputs())
      if (!memories_.contains(name)) known.push_back(name);
    if (std::ranges::find(known, key.text) == known.end())
      throw Error(
          key.place, fmt::format("{}, which is no input", shown(key.text)),
          known.empty() ? "inputs: {…} with the names of what controllers set" : allowed_names(key.text, known));
    const auto [other, is_new] = set_by_.emplace(key.text, controller);
    if (!is_new)
      throw Error(key.place, fmt::format("the input '{}', which '{}' sets", key.text, other->second),
                  "one controller for each input");
    return {input(key.text), inside.expression(value)};
  }

  int input(const std::string& name) const {
    return static_cast<int>(std::ranges::find(scope_.inputs(), name) - scope_.inputs().begin());
  }

  const Scope& scope_;
  std::set<std::string> memories_;  // inputs that their own controllers set
  std::map<std::string, std::string> set_by_;
};

}  // namespace

void add_memories(const Value& value, const Constants& constants, System& out) {
  std::set<std::string> names;
  for (const Value& item : value.list("a list of controllers")) {
    const Map map = controller_map(item);
    const Value name = map.required("name");
    if (!names.insert(name.name()).second)
      name.refuse(fmt::format("a second controller named '{}'", name.name()), "a name that no other has");
    for (const auto& [key, first] : named_of(map, "memory", "memory")) {
      check_plain_word(key, "memory");
      const double number = first.number(constants);
      at_place(key.place, [&, &own = key.text] { out.add_input(memory_of(name.name(), own), number); });
    }
  }
}

std::vector<Controller> read_controllers(const Value& value, const Scope& scope) {
  Reader reader(value, scope);
  std::vector<Controller> out;
  for (const Value& item : value.list("a list of controllers")) out.push_back(reader.read(item));
  return out;
}

void begin_controllers(const Start& start, std::vector<Controller>& out) {
  for (Controller& controller : out)
    for (std::vector<Controller::Setting>* settings : {&controller.next, &controller.out})
      for (Controller::Setting& setting : *settings) setting.start = start.values(setting.value);
}

void refuse_samples_without_a_run(const Node& root) {
  constexpr const char* allowed = "a scenario that is run; a system is led by a Simulator, from sample to sample";
  if (root.find("controllers") != nullptr)
    throw Error(root.key_place("controllers"), "controllers of a system alone", allowed);
  const Node* const actuators = root.find("actuators");
  for (const Node& motor : actuators == nullptr ? std::vector<Node>() : actuators->items)
    if (motor.find("every") != nullptr)
      throw Error(motor.key_place("every"), "motors of a system alone that are sampled", allowed);
}

}  // namespace trammel::scenario
