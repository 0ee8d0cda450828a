#include "trammel/scenario/run.h"

#include <algorithm>

#include <fmt/core.h>

#include "trammel/scenario/constants.h"

namespace trammel::scenario {
namespace {

Map simulate_map(const Value& value) {
  return {value,
          "simulate",
          {"duration", "integrator", "step", "tolerance", "drift", "limits", "rank_tolerance", "friction_speed"}};
}

// Those of the integrators that estimate their error, or all of them.
std::vector<std::string> integrators(bool adaptive_alone) {
  std::vector<std::string> names;
  for (const Tableau* method : all_methods())
    if (method->adaptive() || !adaptive_alone) names.emplace_back(method->name);
  return names;
}

DriftControl read_drift(const Value& value, const Constants& constants) {
  DriftControl drift;
  if (value.is_map()) {
    const Map map(value, value.what(), {"baumgarte"});
    const Value gains = map.required("baumgarte");
    const Map both(gains, "baumgarte", {"alpha", "beta"});
    drift.kind = Drift::baumgarte;
    drift.gains.alpha = both.required("alpha").not_negative(constants, Unit::none);
    drift.gains.beta = both.required("beta").not_negative(constants, Unit::none);
    return drift;
  }
  const std::vector<std::string> words{"none", "projection", "velocity"};
  const std::string& text = value.text("none, projection, velocity or {baumgarte: {alpha: …, beta: …}}");
  if (text == "baumgarte") value.refuse("{baumgarte: {alpha: …, beta: …}} with its gains");
  const std::string word = value.word(words);
  drift.kind = word == "none" ? Drift::none : word == "velocity" ? Drift::velocity : Drift::projection;
  return drift;
}

Tolerance read_tolerance(const Value& value, const Constants& constants) {
  Tolerance out;
  if (value.is_map()) {
    const Map map(value, value.what(), {"relative", "absolute"});
    out.relative = map.required("relative").positive(constants, Unit::none);
    out.absolute = map.required("absolute").positive(constants, Unit::none);
  } else {
    out.relative = value.positive(constants, Unit::none);
  }
  if (is_below_rounding(out)) value.refuse(allowed_tolerance());
  return out;
}

LimitRule read_limits(const Value& value) {
  const std::vector<std::string> words{"warn", "stop", "ignore"};
  const std::string word = value.word(words);
  return word == "warn" ? LimitRule::warn : word == "stop" ? LimitRule::stop : LimitRule::ignore;
}

void read_reaction_axes(const Value& value, SimulateOptions& out) {
  const std::string& text = value.text("joint or world");
  if (text != "joint" && text != "world") value.refuse("joint or world");
  out.reaction_axes = text == "joint" ? ReactionAxes::of_joint : ReactionAxes::of_world;
}

// all, or [joints].
void read_reaction_joints(const Value& value, const Scope& scope, SimulateOptions& out) {
  const Model& model = scope.model();
  if (value.is_text() && value.node().text == "all") {
    for (int body = 0; body < model.body_count(); ++body)
      if (model.bodies()[body].nv < 6) out.reactions.push_back(model.joint_name(body));
    return;
  }
  for (const Value& joint : value.list("all, or a list of joints")) {
    const std::string name = joint.name();
    at_place(joint.place(), [&] { return model.joint(name); });
    if (std::ranges::find(out.reactions, name) != out.reactions.end())
      joint.refuse(fmt::format("joint '{}' for the second time", name), "each joint once");
    out.reactions.push_back(name);
  }
}

// The same, or {joints: …, in: …}.
void read_reactions(const Value& value, const Scope& scope, SimulateOptions& out) {
  if (!value.is_map()) return read_reaction_joints(value, scope, out);
  const Map map(value, "reactions", {"joints", "in"});
  read_reaction_joints(map.required("joints"), scope, out);
  if (const auto axes = map.find("in")) read_reaction_axes(*axes, out);
}

std::vector<std::string> read_frames(const Value& value, const Scope& scope) {
  std::vector<std::string> out;
  for (const Value& frame : value.list("a list of frames")) {
    const std::string& name = scope.frame(frame).name;
    if (std::ranges::find(out, name) != out.end())
      frame.refuse(fmt::format("frame '{}' for the second time", name), "each frame once");
    out.push_back(name);
  }
  return out;
}

bool is_recorded(const std::string& name, const SimulateOptions& options) {
  return std::ranges::find(options.expressions, name, &RecordedExpression::name) != options.expressions.end();
}

// {slip: tool.vx - 0.1*v(wheel)}, or [error] of definitions.
void read_expressions(const Value& value, const Scope& scope, SimulateOptions& out) {
  if (value.is_map()) {
    for (const auto& [key, given] : named_values(value, "expression")) {
      check_plain_word(key, "recorded expression");
      out.expressions.push_back({key.text, scope.expression(given)});
    }
    return;
  }
  std::vector<std::string> known;
  for (const auto& [name, meaning] : scope.definitions()) known.push_back(name);
  for (const Value& item : value.list("a map from names to expressions, or a list of definitions")) {
    const std::string name = item.word(known);
    if (is_recorded(name, out)) item.refuse(fmt::format("'{}' for the second time", name), "each definition once");
    out.expressions.push_back({name, *scope.definitions().at(name)});
  }
}

// A column that is plotted and none that every recording has, but a definition.
void record_definition(const std::string& column, const Scope& scope, SimulateOptions& out) {
  const auto defined = scope.definitions().find(column);
  const auto families = ColumnTable::families();
  if (defined == scope.definitions().end() || is_recorded(column, out)) return;
  if (std::ranges::find(families, column) == families.end()) out.expressions.push_back({column, *defined->second});
}

}  // namespace

SimulateOptions read_simulate(const std::optional<Value>& value, const Constants& constants) {
  SimulateOptions out;
  out.duration = 0;
  out.step = 0;  // none but the error's own
  if (!value) return out;
  const Map map = simulate_map(*value);
  out.duration = map.required("duration").positive(constants, Unit::time);
  if (const auto method = map.find("integrator")) out.method = &method_named(method->word(integrators(false)));
  if (const auto step = map.find("step")) out.step = read_step(*step, constants, out.duration);
  if (!out.method->adaptive() && !map.has("step")) map.required("step");
  if (const auto tolerance = map.find("tolerance")) {
    if (!out.method->adaptive())
      map.refuse_key("tolerance",
                     fmt::format("a tolerance for {}, which does not estimate its error", out.method->name),
                     "step, or integrator: " + alternatives(integrators(true)));
    out.tolerance = read_tolerance(*tolerance, constants);
  }
  if (const auto drift = map.find("drift")) out.drift = read_drift(*drift, constants);
  if (const auto limits = map.find("limits")) out.limits = read_limits(*limits);
  if (const auto rank = map.find("rank_tolerance")) out.rank.relative = rank->positive(constants, Unit::none);
  return out;
}

double read_step(const Value& value, const Constants& constants, double duration) {
  const double out = value.positive(constants, Unit::time);
  if (const double least = shortest_step(0, duration); out < least)
    value.refuse(fmt::format("{:.2g} s or above, the resolution of the clock in a run of {:g} s", least, duration));
  return out;
}

double read_friction_speed(const std::optional<Value>& simulate, const Constants& constants) {
  const auto given = simulate ? simulate_map(*simulate).find("friction_speed") : std::nullopt;
  return given ? given->positive(constants, Unit::none) : friction_speed;
}

void read_record(const Value& value, const Scope& scope, SimulateOptions& out) {
  const Map map(value, "record", {"every", "frames", "velocities", "orientations", "reactions", "in", "expressions"});
  if (const auto every = map.find("every")) {
    const bool each_step = every->is_text() && every->node().text == "step";
    out.record_every = each_step ? 0 : read_step(*every, scope.constants(), out.duration);
  }
  if (const auto frames = map.find("frames")) out.frames = read_frames(*frames, scope);
  if (const auto frames = map.find("velocities")) out.velocities = read_frames(*frames, scope);
  if (const auto frames = map.find("orientations")) out.orientations = read_frames(*frames, scope);
  if (const auto expressions = map.find("expressions")) read_expressions(*expressions, scope, out);
  if (const auto reactions = map.find("reactions")) read_reactions(*reactions, scope, out);
  if (const auto axes = map.find("in")) {
    const auto reactions = map.find("reactions");
    if (!reactions) map.refuse_key("in", "'in' in record", "it beside reactions, whose axes it names");
    if (reactions->is_map()) map.refuse_key("in", "'in' in record, beside a map of reactions", "it in that map");
    read_reaction_axes(*axes, out);
  }
}

std::vector<Figure> read_plots(const Value& value, const Scope& scope, std::vector<Place>& places,
                               SimulateOptions& out) {
  std::vector<Figure> plots;
  for (const Value& item : value.list("a list of {title, x, columns}")) {
    const Map map(item, item.what(), {"title", "x", "columns"});
    Figure plot;
    const auto x = map.find("x");
    if (x) plot.x.symbol = x->name();
    places.push_back(x ? x->place() : item.place());
    for (const Value& column : map.required("columns").list("a list of columns, as in [q.q1, q.q2]")) {
      plot.curves.push_back({column.name()});
      places.push_back(column.place());
    }
    if (plot.curves.empty()) map.required("columns").refuse("at least one column");
    plot.title = plot.curves.front().label;
    if (const auto title = map.find("title")) plot.title = title->name();
    if (x) record_definition(plot.x.symbol, scope, out);
    for (const Figure::Curve& curve : plot.curves) record_definition(curve.label, scope, out);
    plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace trammel::scenario
