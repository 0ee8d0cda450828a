#include "trammel/scenario/start.h"

#include <fmt/core.h>

#include "trammel/model/configuration.h"

namespace trammel::scenario {
namespace {

// A joint with several coordinates may be given as a list. Speeds have units that numbers cannot carry. Returns which were given.
std::vector<bool> read_values(const Value& value, const Scope& scope, bool of_velocity, VecX<>& out) {
  const Model& model = scope.model();
  std::vector<bool> given(out.size(), false);
  const auto put = [&](int index, const Value& number) {
    if (given[index]) number.refuse(fmt::format("{} for the second time", number.what()), "each coordinate once");
    given[index] = true;
    out[index] = number.number(scope.constants(), of_velocity ? Unit::none : scope.unit_of_coordinate(index));
  };
  for (const auto& [key, item] : named_values(value, of_velocity ? "start velocity of" : "start of")) {
    if (!item.is_list()) {
      put(of_velocity ? scope.velocity(key.text, key.place) : scope.coordinate(key.text, key.place), item);
      continue;
    }
    const Body& body = model.bodies()[at_place(key.place, [&, &name = key.text] { return model.joint(name); })];
    const JointSize size = size_of(body.type);
    const int count = of_velocity ? size.v : size.q;
    const std::vector<Value> items = item.list_of(count, fmt::format("{} number{}", count, count == 1 ? "" : "s"));
    for (int k = 0; k < count; ++k) put((of_velocity ? body.v : body.q) + k, items[k]);
  }
  return given;
}

// A kept joint keeps all its velocities.
std::vector<int> read_kept(const Value& value, const Scope& scope) {
  std::vector<int> kept;
  for (const Value& item : value.list("a list of joints")) {
    const std::string name = item.name();
    if (name.find('[') != std::string::npos) {
      kept.push_back(scope.velocity(name, item.place()));
      continue;
    }
    const int joint = at_place(item.place(), [&] { return scope.model().joint(name); });
    const Body& body = scope.model().bodies()[joint];
    for (int k = 0; k < body.nv; ++k) kept.push_back(body.v + k);
  }
  return kept;
}

// Of joints that the robot has still: others may have been fixed since.
void put_described(const DescribedStart& start, const Model& model, State& out) {
  for (int body = 0; body < model.body_count(); ++body) {
    const Body& at = model.bodies()[body];
    const auto q = start.q.find(model.joint_name(body)), v = start.v.find(model.joint_name(body));
    for (int k = 0; q != start.q.end() && k < size_of(at.type).q; ++k) out.q[at.q + k] = q->second.at(k);
    for (int k = 0; v != start.v.end() && k < at.nv; ++k) out.v[at.v + k] = v->second.at(k);
  }
  out.q = at_place(start.place, [&] { return checked_configuration(model, out.q); });
}

}  // namespace

Beginning read_beginning(const std::optional<Value>& value, std::span<const DescribedStart* const> starts,
                         const Scope& scope) {
  const Model& model = scope.model();
  Beginning out{.guess = State(0, neutral_configuration(model), VecX<>::Zero(model.nv()))};
  for (const DescribedStart* start : starts) put_described(*start, model, out.guess);
  if (!value) return out;
  const Map map(*value, "initial", {"from", "q", "v", "assemble"});
  if (const auto q = map.find("q")) {
    read_values(*q, scope, false, out.guess.q);
    out.guess.q = at_place(q->place(), [&] { return checked_configuration(model, out.guess.q); });
  }
  std::vector<bool> given(model.nv(), false);
  if (const auto v = map.find("v")) given = read_values(*v, scope, true, out.guess.v);
  const auto assemble = map.find("assemble");
  if (!assemble) return out;
  out.place = assemble->place();
  if (assemble->is_map()) {
    out.options.keep = read_kept(Map(*assemble, "assemble", {"keep"}).required("keep"), scope);
    // the constraints set a speed that is not given
    for (const int i : out.options.keep)
      if (given[i]) out.options.keep_speeds.push_back(i);
  } else if (assemble->is_text()) {
    out.assemble = assemble->boolean();
  } else {
    assemble->refuse("true, false or {keep: [joints]}");
  }
  return out;
}

}  // namespace trammel::scenario
